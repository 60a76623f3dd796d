"""What docstrings in several forms say of tools, prompts and their parameters."""

from typing import Annotated

from fastmcp import FastMCP
from fastmcp.tools import Tool
from pydantic import Field
from table import lines

mcp = FastMCP("docstrings")

GOOGLE = '''Counts words.

Of a text.

Args:
    a: The text,
        on two lines.
    b (int, optional): How many.

    c : Spaced
Returns:
    int: the number.
'''
NUMPY = '''Counts words.

Parameters
----------
a : str
    The text.

    Another paragraph.
b, c : int, optional
    Numbers.

Returns
-------
int
    The number.
'''
SPHINX = '''Counts words.

:param a: The text,
    on two lines.
:param int b: How many.
:type c: str
:returns: The number.
'''
OTHERS = r'''
Only a summary.
Args:\n    a: The text.
Summary.\n\n    Args:\n        a: Below the margin.
Summary.\nArgs:\n    a: No empty line above.
Summary.\n\nArgs:\n\n    a: An empty line below.
Summary.\n\nArgs:\n    None
Summary.\n\nParameters:\n    a: By another heading.\n\nMore text.
Summary.\n\nReturns:\n    Only what it returns.
Summary.\n\nRaises:\n    ValueError: Never.
Summary.\n\nRaises:\n    never
Summary.\n\nRules:\n    a: No section.\n\nArgs:\n    a: The text.
Summary.\n\nNote:\n    Read this.
Summary.\n\nif enabled:\n    something
Summary.\n\nExample:\n    count("a")
Summary.\n\nExamples:\n1. One\n    count("a")
```\nArgs:\n    a: In code.\n```\n\nArgs:\n    b: Outside.
Summary.\n\nArgs:\n  a: Two spaces\n    more\n  b: Again
Summary.\n\nNotes\n-----\nBelow a line.
Summary.\n\nWhatever\n--------\nBelow a line.
:raises ValueError: never
:return: what
Summary.\n\n:rtype: int
Summary.\n\n:param a
Args:\n    a: Indented.\nReturns:\n    b
'''


def documented(name, doc):
    """Make a function with three parameters and a docstring."""

    def made(a: str, b: Annotated[int, Field(description="Chosen.")] = 1, c: str = "x") -> str:
        return f"{a} {b} {c}"

    made.__name__ = name
    made.__doc__ = doc
    return made


DOCS = [GOOGLE, NUMPY, SPHINX, *(line.replace("\\n", "\n") for line in lines(OTHERS))]
for number, text in enumerate(DOCS):
    mcp.tool(documented(f"tool_{number}", text))
    mcp.prompt(documented(f"prompt_{number}", text))
mcp.tool(documented("told", GOOGLE), description="Told apart.")


class Called:
    """Called as a tool.

    Args:
        a: Of the class.
    """

    def __call__(self, a: str) -> str:
        """Call it.

        Args:
            a: Of the call.
        """
        return a


class Silent:
    def __call__(self, a: str) -> str:
        """Call it.

        Args:
            a: Of the call.
        """
        return a


mcp.add_tool(Tool.from_function(Called(), name="called"))
mcp.add_tool(Tool.from_function(Silent(), name="silent"))
REQUESTS = [("tools/list", {}), ("prompts/list", {})]
