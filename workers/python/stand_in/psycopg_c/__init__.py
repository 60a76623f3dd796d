"""Stand-in for the compiled half of psycopg 3, through which it reaches libpq.

The rest of psycopg is the real one. Servers whose tools use a database start with it; what connects
gets the error of a database that nobody runs.
"""

__version__ = "3.3.0"
