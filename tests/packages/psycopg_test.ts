import { assertEquals } from "@std/assert";
import type { TestPackage } from "../helpers/package_index.ts";
import { runWith } from "./sessions.ts";

/** The part of psycopg 3 that is Python, as far as it asks its compiled half for anything. */
const PSYCOPG: TestPackage = {
  name: "psycopg",
  version: "3.9.0",
  requires: ["psycopg-binary; extra == 'binary'"],
  extras: ["binary"],
  files: {
    "psycopg/errors.py": "class OperationalError(Exception): pass\n",
    "psycopg/pq/_enums.py": `
import enum
ConnStatus = enum.IntEnum("ConnStatus", {"OK": 0, "BAD": 1, "STARTED": 2})
PollingStatus = enum.IntEnum("PollingStatus", {"FAILED": 0, "OK": 3})
TransactionStatus = enum.IntEnum("TransactionStatus", {"UNKNOWN": 4})
PipelineStatus = enum.IntEnum("PipelineStatus", {"OFF": 0})
Ping = enum.IntEnum("Ping", {"NO_RESPONSE": 2})
`,
    "psycopg/pq/misc.py": `
from typing import NamedTuple
class ConninfoOption(NamedTuple):
    keyword: bytes
    envvar: bytes | None
    compiled: bytes | None
    val: bytes | None
    label: bytes
    dispchar: bytes
    dispsize: int
`,
    "psycopg/pq/__init__.py": `
from . import _enums, misc
try:
    from psycopg_c import pq as module
except Exception as error:
    raise ImportError(f"no pq wrapper available: {error}")
PGconn, Conninfo, Escaping = module.PGconn, module.Conninfo, module.Escaping
`,
    "psycopg/__init__.py": `
from . import errors, pq
OperationalError = errors.OperationalError
def connect(text):
    made = pq.PGconn.connect_start(text.encode())
    if made.status != pq._enums.ConnStatus.BAD:
        if made.connect_poll() == pq._enums.PollingStatus.FAILED:
            raise OperationalError(f"connection failed: {made.get_error_message('utf-8')}")
    return made
def settings(text):
    return {o.keyword.decode(): o.val.decode() for o in pq.Conninfo.parse(text.encode()) if o.val}
`,
  },
};

async function said(body: string, requirement = "psycopg[binary]"): Promise<string[]> {
  const result = await runWith([PSYCOPG], `${requirement}\n`, `import psycopg\n${body}`);
  assertEquals(result.resolved.missing, []);
  return result.said.split("\n");
}

Deno.test("psycopg 3 is imported without its compiled half, and connects to nothing", async () => {
  const lines = await said(`
@tool
def run() -> str:
    lines = []
    for text in ("host=db.example port=5433", "postgresql://u:p@other/x", ""):
        try:
            psycopg.connect(text)
        except psycopg.OperationalError as error:
            lines.append(str(error))
    made = psycopg.pq.PGconn.connect(b"dbname=x")
    try:
        made.exec_(b"select 1")
    except psycopg.OperationalError as error:
        lines.append(f"{error} {hasattr(made, '_nothing')} {made.db} {made.status}")
    return "\\n".join(lines)
`);
  const places = ['"db.example", port 5433', '"other", port 5432', '"localhost", port 5432'];
  assertEquals(lines, [
    ...places.map((place) =>
      `connection failed: connection to server at ${place} failed: ` +
      "sockets are not available in the sandbox"
    ),
    "the connection is closed False b'x' 1",
  ]);
});

Deno.test("settings of connections are read, and refused, as libpq does it", async () => {
  const cases: [text: string, read: string][] = [
    [
      "host = a  user=x\\ y password='it\\'s'",
      "{'user': 'x y', 'password': \"it's\", 'host': 'a'}",
    ],
    [
      "postgres://u%40x:p%2Fq@[::1]:5,h:6/d?application_name=a%26b&ssl=true",
      "{'user': 'u@x', 'password': 'p/q', 'dbname': 'd', 'host': '::1,h', 'port': '5,6', " +
      "'application_name': 'a&b', 'sslmode': 'require'}",
    ],
    ["postgresql://", "{}"],
    ["nonsense", 'missing "=" after "nonsense" in connection info string'],
    ["colour=red", 'invalid connection option "colour"'],
    ["host='a", "unterminated quoted string in connection info string"],
    ["postgresql://h/d?colour=red", 'invalid URI query parameter: "colour"'],
    ["postgresql://h/d?x", 'missing key/value separator "=" in URI query parameter: "x"'],
  ];
  const lines = await said(
    `
def read(text):
    try:
        return str(psycopg.settings(text))
    except psycopg.OperationalError as error:
        return str(error).strip()
@tool
def run() -> str:
    return "\\n".join(read(text) for text in ${JSON.stringify(cases.map(([text]) => text))})
`,
    "psycopg",
  );
  assertEquals(lines, cases.map(([, read]) => read));
});

Deno.test("values are written as SQL, and read, as libpq does it without a connection", async () => {
  const lines = await said(`
@tool
def run() -> str:
    escaping = psycopg.pq.Escaping()
    written = escaping.escape_bytea(bytes([0, 39, 65, 92, 255]))
    return "\\n".join(map(str, (
        escaping.escape_string(b"it's \\\\"),
        written,
        escaping.unescape_bytea(rb"a\\\\\\001"),
        escaping.unescape_bytea(rb"\\x00ff"),
    )))
`);
  assertEquals(lines, [
    String.raw`b"it''s \\\\"`,
    String.raw`b"\\\\000''A\\\\\\\\\\\\377"`,
    String.raw`b'a\\\x01'`,
    String.raw`b'\x00\xff'`,
  ]);
});
