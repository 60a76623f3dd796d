"""The settings of FastMCP. Those of transports, logs and workers have no effect here."""

import datetime
import json
import os
import pathlib
import types

_PREFIX = "FASTMCP_"
_DEFAULTS = {
    "home": pathlib.Path.home() / ".local/share/fastmcp",
    "test_mode": False,
    "log_enabled": True,
    "log_level": "INFO",
    "enable_rich_logging": True,
    "enable_rich_tracebacks": True,
    "deprecation_warnings": True,
    "client_raise_first_exceptiongroup_error": True,
    "client_init_timeout": None,
    "client_disconnect_timeout": 5.0,
    "client_log_level": None,
    "transport": "stdio",
    "host": "127.0.0.1",
    "port": 8000,
    "sse_path": "/sse",
    "message_path": "/messages/",
    "streamable_http_path": "/mcp",
    "debug": False,
    "mask_error_details": False,
    "strict_input_validation": False,
    "ssrf_trust_proxy": False,
    "server_dependencies": [],
    "json_response": False,
    "stateless_http": False,
    "http_host_origin_protection": False,
    "http_allowed_hosts": None,
    "http_allowed_origins": None,
    "server_auth": None,
    "include_tags": None,
    "exclude_tags": None,
    "include_fastmcp_meta": True,
    "mounted_components_raise_on_load_error": False,
    "show_cli_banner": True,
    "show_server_banner": True,
    "check_for_updates": "stable",
    "decorator_mode": "function",
}


class Settings:
    """What can be set for all servers of a program: by attribute, or by variables FASTMCP_…."""

    def __init__(self, **given):
        self.__dict__.update({key: _from_environment(key, it) for key, it in _DEFAULTS.items()})
        self.experimental = types.SimpleNamespace(enable_new_openapi_parser=False)
        self.docket = types.SimpleNamespace(
            name="fastmcp",
            url="memory://",
            worker_name=None,
            concurrency=10,
            redelivery_timeout=datetime.timedelta(seconds=300),
            reconnection_delay=datetime.timedelta(seconds=5),
        )
        self.__dict__.update(given)

    @property
    def server_auth_class(self):
        """The class that checks who calls: none, Berth does it."""
        return None

    @classmethod
    def normalize_log_level(cls, level):
        """Return a level in capitals."""
        return level.upper() if isinstance(level, str) else level

    def get_setting(self, attr):
        """Return a setting by its name; `a__b` is inside `a`."""
        found = self
        for part in attr.split("__"):
            if not hasattr(found, part):
                raise AttributeError(f"Setting {part} does not exist.")
            found = getattr(found, part)
        return found

    def set_setting(self, attr, value):
        """Change a setting by its name."""
        parent, _, name = attr.rpartition("__")
        setattr(self.get_setting(parent) if parent else self, name, value)

    def model_dump(self, **_):
        """Return all settings."""
        return dict(self.__dict__)


def _from_environment(key, default):
    text = os.environ.get(_PREFIX + key.upper())
    if text is None or text == "":
        return default
    if isinstance(default, bool):
        return text.strip().lower() in ("1", "true", "t", "yes", "y", "on")
    if isinstance(default, (int, float)):
        try:
            return type(default)(text)
        except ValueError:
            return default
    if isinstance(default, list):
        try:
            return json.loads(text)
        except ValueError:
            return [item.strip() for item in text.split(",")]
    return pathlib.Path(text) if isinstance(default, pathlib.Path) else text
