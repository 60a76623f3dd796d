"""The one session that this interpreter serves, and the request being answered."""

import collections
import contextvars

from . import wire


class Session:
    """What the host gave this interpreter, and what was found in the server's files."""

    def __init__(self):
        self.emit = None
        self.http = None
        self.ask = None
        self.client = None
        self.with_client = None
        self.root = "/app"
        self.project = "/app"
        self.entrypoint = ""
        self.source = b""
        self.kept_values = {}
        self.sdks = None
        self.sdks_told = None
        self.scanned_modules = None
        self.profile = "full"
        self.memory_mb = None
        self.memory_refused = None
        self.scanned = None
        self.server = None
        self.started = []
        self.created = []
        self.serving = None
        self.programs = []
        self.staying = 0
        self.hooked = False
        self.problems = []
        self.missed = []
        self.looked_up = {}
        self.interrupted = {}
        self.environment_read = False
        self.said = collections.deque(maxlen=20)
        self.loading = False

    def send(self, event):
        """Send an event (a dictionary) to the host."""
        request = current.get()
        if request is not None and request.id is not None:
            event.setdefault("request_id", request.id)
        if self.emit is not None:
            self.emit(wire.text_of(event))

    def notify(self, method, params):
        """Send an MCP notification to the client."""
        request = current.get()
        if request is not None and request.peer is not None:
            request.peer.notified(method, params)
            return
        self.send({"type": "notification", "method": method, "params": params})

    def log(self, level, logger, text):
        """Send a line of output to the log."""
        self.send({"type": "log", "level": level, "logger": logger, "text": text})


class RequestState:
    """One request: its id and the metadata that the client sent with it.

    `peer` is the client inside this interpreter that sent it, `server` the one that it asks; both
    are None for requests of the session's own client.
    """

    def __init__(self, request_id=None, meta=None, peer=None, server=None):
        self.id = request_id
        self.meta = meta if isinstance(meta, dict) else {}
        self.values = {}
        self.peer = peer
        self.server = server

    @property
    def progress_token(self):
        """The token for progress notifications, or None when the client wants none."""
        return self.meta.get("progressToken")


session = Session()
current = contextvars.ContextVar("berth_request", default=None)
