"""Settings of a connection as libpq knows them, and the texts that state them."""

import re
import urllib.parse

_DEFAULTS = {
    "port": "5432",
    "sslmode": "prefer",
    "channel_binding": "prefer",
    "gssencmode": "disable",
    "krbsrvname": "postgres",
    "gssdelegation": "0",
    "options": "",
    "sslsni": "1",
    "sslcompression": "0",
    "sslnegotiation": "postgres",
    "ssl_min_protocol_version": "TLSv1.2",
    "target_session_attrs": "any",
    "load_balance_hosts": "disable",
}
_VARIABLES = {
    "service": "PGSERVICE",
    "user": "PGUSER",
    "password": "PGPASSWORD",
    "passfile": "PGPASSFILE",
    "channel_binding": "PGCHANNELBINDING",
    "connect_timeout": "PGCONNECT_TIMEOUT",
    "dbname": "PGDATABASE",
    "host": "PGHOST",
    "hostaddr": "PGHOSTADDR",
    "port": "PGPORT",
    "client_encoding": "PGCLIENTENCODING",
    "options": "PGOPTIONS",
    "application_name": "PGAPPNAME",
    "sslmode": "PGSSLMODE",
    "sslnegotiation": "PGSSLNEGOTIATION",
    "sslcompression": "PGSSLCOMPRESSION",
    "sslcert": "PGSSLCERT",
    "sslkey": "PGSSLKEY",
    "sslcertmode": "PGSSLCERTMODE",
    "sslrootcert": "PGSSLROOTCERT",
    "sslcrl": "PGSSLCRL",
    "sslcrldir": "PGSSLCRLDIR",
    "sslsni": "PGSSLSNI",
    "requirepeer": "PGREQUIREPEER",
    "require_auth": "PGREQUIREAUTH",
    "min_protocol_version": "PGMINPROTOCOLVERSION",
    "max_protocol_version": "PGMAXPROTOCOLVERSION",
    "ssl_min_protocol_version": "PGSSLMINPROTOCOLVERSION",
    "ssl_max_protocol_version": "PGSSLMAXPROTOCOLVERSION",
    "gssencmode": "PGGSSENCMODE",
    "krbsrvname": "PGKRBSRVNAME",
    "gsslib": "PGGSSLIB",
    "gssdelegation": "PGGSSDELEGATION",
    "target_session_attrs": "PGTARGETSESSIONATTRS",
    "load_balance_hosts": "PGLOADBALANCEHOSTS",
}
_WITHOUT_VARIABLE = (
    "fallback_application_name", "keepalives", "keepalives_idle",
    "keepalives_interval", "keepalives_count", "tcp_user_timeout", "sslpassword", "replication",
    "scram_client_key", "scram_server_key",
)  # fmt: skip
SETTINGS = {
    name: (_VARIABLES.get(name), _DEFAULTS.get(name)) for name in (*_VARIABLES, *_WITHOUT_VARIABLE)
}
"""By name: the variable that states it, and its default."""

_SCHEMES = ("postgresql://", "postgres://")
_NAME = re.compile(r"\s*([^\s=]*)(\s*=\s*)?")
_QUOTED = re.compile(r"'((?:[^'\\]|\\.)*)'", re.DOTALL)
_PLAIN = re.compile(r"(?:[^\s\\]|\\.)*", re.DOTALL)
_ADDRESS = re.compile(
    r"[^:]+://(?:(?P<user>[^:@/?]*)(?::(?P<password>[^@/?]*))?@)?"
    r"(?P<hosts>[^/?]*)(?:/(?P<dbname>[^?]*))?(?:\?(?P<query>.*))?",
    re.DOTALL,
)
_HOST = re.compile(r"(?P<host>\[[^\]]*\]|[^:\[\]]*)(?::(?P<port>[^:]*))?")


def parse(text):
    """Return what a text states; ValueError says what is wrong with it."""
    found = _of_address(text) if text.startswith(_SCHEMES) else _of_words(text)
    for name in found:
        if name not in SETTINGS:
            raise ValueError(f'invalid connection option "{name}"\n')
    return found


def _of_words(text):
    found, at = {}, 0
    while text[at:].strip():
        named = _NAME.match(text, at)
        name, equals = named.groups()
        if not equals:
            raise ValueError(f'missing "=" after "{name}" in connection info string\n')
        quoted = text.startswith("'", named.end())
        value = (_QUOTED if quoted else _PLAIN).match(text, named.end())
        if value is None:
            raise ValueError("unterminated quoted string in connection info string\n")
        found[name] = re.sub(r"\\(.)", r"\1", value[1] if quoted else value[0], flags=re.DOTALL)
        at = value.end()
    return found


def _of_address(text):
    address = _ADDRESS.fullmatch(text)
    hosts = [_HOST.fullmatch(host) for host in address["hosts"].split(",")]
    if None in hosts:
        raise ValueError(f'unexpected character in host of URI: "{text}"\n')
    found = {name: address[name] for name in ("user", "password", "dbname")}
    found["host"] = ",".join(host["host"].strip("[]") for host in hosts)
    found["port"] = ",".join(host["port"] or "" for host in hosts).strip(",")
    for pair in filter(None, (address["query"] or "").split("&")):
        name, equals, value = pair.partition("=")
        if not equals:
            raise ValueError(f'missing key/value separator "=" in URI query parameter: "{name}"\n')
        name = urllib.parse.unquote(name)
        if name not in SETTINGS and name != "ssl":
            raise ValueError(f'invalid URI query parameter: "{name}"\n')
        found[name] = value
    if found.pop("ssl", None) == "true":
        found["sslmode"] = "require"
    return {name: urllib.parse.unquote(value) for name, value in found.items() if value}
