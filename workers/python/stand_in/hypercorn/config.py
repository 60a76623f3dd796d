"""Options of the web server."""


class Config:
    """Options; none has an effect."""

    def __init__(self):
        self.bind = []
