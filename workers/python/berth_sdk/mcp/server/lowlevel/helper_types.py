"""Types that handlers return."""


class ReadResourceContents:
    """The contents of a resource with a media type."""

    def __init__(self, content, mime_type=None, meta=None):
        self.content = content
        self.mime_type = mime_type
        self.meta = meta
