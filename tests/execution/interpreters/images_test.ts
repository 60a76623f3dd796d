import { assert, assertEquals, assertGreater, assertMatch, assertNotEquals } from "@std/assert";
import { NO_WALLS } from "../../../src/sandbox/walls.ts";
import {
  callTool,
  openTestHosts,
  processorSeconds,
  server,
  sessionInput,
  type TestHosts,
  testInterpreter,
  until,
} from "../../helpers/interpreter.ts";
import type { PlainSession } from "../../helpers/plain_json.ts";

const SOURCE = server(`
import sys
from pydantic import BaseModel, Field

class Point(BaseModel):
    x: int = Field(gt=0)

@tool
def check(x: str) -> str:
    try:
        return Point(x=x).model_dump_json()
    except ValueError as error:
        return str(error.errors()[0]["type"])

@tool
def run(code: str) -> str:
    names = {"Point": Point, "__name__": "code"}
    exec(code, names)
    return str(names["result"])
`);

function open(hosts: TestHosts): Promise<PlainSession> {
  return hosts.open(sessionInput(SOURCE, { imports: ["mcp", "pydantic"] }));
}

const run = (session: PlainSession, code: string) => callTool(session, "run", { code });

/** Whether the session began with pydantic in its memory: its files are not there. */
const FROM_IMAGE = `import os, pydantic\nresult = not os.path.exists(pydantic.__file__)`;

Deno.test("pydantic validates at once in every session of a host, and in another process", async () => {
  await using hosts = await openTestHosts({ warmSessions: 1, sessionsPerHost: 2 });
  const sessions = [await open(hosts), await open(hosts), await open(hosts)];
  assertEquals(new Set(sessions.map(({ pid }) => pid)).size, 2);
  for (const session of sessions) {
    assertEquals(session.load.kind, "loaded");
    assertEquals(await run(session, FROM_IMAGE), "True");
    assertEquals(await callTool(session, "check", { x: "3" }), '{"x":3}');
    assertEquals(await callTool(session, "check", { x: "0" }), "greater_than");
    assertEquals(await callTool(session, "check", { x: "q" }), "int_parsing");
  }
});

Deno.test("the rehearsal of a start leaves nothing to the session that waited for it", async () => {
  await using hosts = await openTestHosts({ warmSessions: 1, walls: NO_WALLS });
  await until(() => hosts.stats().warm === 1);
  const [pid] = hosts.stats().pids;
  await until(async () => {
    const before = await processorSeconds(pid!);
    await new Promise((resolve) => setTimeout(resolve, 500));
    return before === await processorSeconds(pid!);
  });
  const session = await open(hosts);
  assertEquals(session.pid, pid);
  const look = `
import os, pydantic, sys
result = os.listdir("/app"), sorted(each.__name__ for each in pydantic.BaseModel.__subclasses__())`;
  assertEquals(await run(session, look), "(['main.py'], ['Point', 'RootModel'])");
  assertEquals(await callTool(session, "check", { x: "3" }), '{"x":3}');
});

Deno.test("what the image has not is loaded when it is imported", async () => {
  await using hosts = await openTestHosts();
  const session = await open(hosts);
  const metadata = `
from importlib.metadata import distribution, version
result = version("pydantic"), version("Pydantic_Core"), distribution("pydantic").metadata["Name"]`;
  assertEquals(await run(session, metadata), "('2.14.4', '2.50.5', 'pydantic')");
  // Another compiled library, and other packages that require pydantic.
  const jiter = `import jiter\nresult = jiter.from_json(b'{"a": [1.5]}')`;
  assertEquals(await run(session, jiter), "{'a': [1.5]}");
  const settings = `
from pydantic_settings import BaseSettings
class Settings(BaseSettings):
    size: int = 4
result = Settings().size`;
  assertEquals(await run(session, settings), "4");
  assertEquals(await run(session, FROM_IMAGE), "True");
  const rest = `
import inspect, pydantic.v1, pydantic
result = pydantic.v1.VERSION, "class BaseModel" in inspect.getsource(pydantic.BaseModel)`;
  assertEquals(await run(session, rest), "('1.10.27', True)");
  assertEquals(await run(session, FROM_IMAGE), "False");
  assertMatch(await run(session, "import pydantic.nothing"), /No module named 'pydantic.nothing'/);
});

Deno.test("nothing that a session does to built-ins or pydantic is seen by the next", async () => {
  await using hosts = await openTestHosts({ sessionsPerHost: 2 });
  const first = await open(hosts);
  const poison = `
import builtins, pydantic, pydantic_core, sys
builtins.poisoned = len
pydantic.BaseModel.poisoned = True
pydantic_core.ValidationError = None
sys.modules["annotated_types"].Gt = None
class Poison(pydantic.BaseModel):
    y: int
builtins.kept = Poison
pydantic._internal._config.config_defaults.clear()
result = True`;
  assertEquals(await run(first, poison), "True");
  const look = `
import builtins, gc, pydantic, pydantic_core, sys
result = (
    hasattr(builtins, "poisoned"), hasattr(pydantic.BaseModel, "poisoned"),
    pydantic_core.ValidationError is None, sys.modules["annotated_types"].Gt is None,
    sorted(each.__name__ for each in pydantic.BaseModel.__subclasses__()),
)`;
  assertMatch(await run(first, look), /^\(True, True, True, True, .*'Poison'/);
  const second = await open(hosts);
  assertEquals(second.pid, first.pid);
  // Nothing is left of the models that the image was made with.
  assertEquals(await run(second, look), "(False, False, False, False, ['Point', 'RootModel'])");
  assertEquals(await callTool(second, "check", { x: "0" }), "greater_than");
});

Deno.test("a session's own variables count, also where a package reads them once", async () => {
  await using hosts = await openTestHosts();
  const imports = ["pydantic"];
  for (const [value, said] of [["0", "False"], ["1", "True"]] as const) {
    const environment = { PYDANTIC_ERRORS_INCLUDE_URL: value };
    const session = await hosts.open(sessionInput(SOURCE, { imports, environment }));
    const told = `
try:
    Point(x=0)
except ValueError as error:
    result = "errors.pydantic.dev" in str(error)`;
    assertEquals(await run(session, told), said);
  }
});

Deno.test("random numbers and addresses differ between sessions of an image", async () => {
  await using hosts = await openTestHosts();
  const draw = `
import os, random, secrets, ssl, tempfile, uuid
result = [
    ssl.RAND_bytes(8),
    random.random(), random.Random().random(), random.SystemRandom().random(), secrets.token_hex(),
    uuid.uuid4(), uuid.uuid1().node, os.urandom(8), next(tempfile._get_candidate_names()),
    # Many: one may lie where an object of the image has been freed since.
    *([id(each) for each in [make() for _ in range(200)]] for make in (list, dict, object)),
]
result = "\\n".join(map(str, result))`;
  const [first, second] = [await open(hosts), await open(hosts)];
  const [one, other] = [await run(first!, draw), await run(second!, draw)];
  for (const [i, line] of one.split("\n").entries()) {
    assertNotEquals(line, other.split("\n")[i], `value ${i}`);
  }
});

Deno.test("clocks of a session go on where those of its image were", async () => {
  await using hosts = await openTestHosts();
  const session = await open(hosts);
  const { folder } = await testInterpreter();
  const image = await Deno.readFile(`${folder}/image-pydantic`);
  const clock = /"clock":([\d.]+)/.exec(new TextDecoder("latin1").decode(image))![1];
  const times = `
import asyncio, time
before = time.monotonic(), time.perf_counter(), asyncio.get_event_loop().time()
time.sleep(0.01)
after = time.monotonic(), time.perf_counter(), asyncio.get_event_loop().time()
result = *before, *after, time.time()`;
  const read = (await run(session, times)).slice(1, -1).split(", ").map(Number);
  for (const at of read.slice(0, 3)) assertGreater(at, Number(clock) / 1000);
  read.slice(3, 6).forEach((at, i) => assertGreater(at, read[i]!));
  assert(Math.abs(read[6]! - Date.now() / 1000) < 60);
});

Deno.test("weak references, finalisers and the event loop work in a session of an image", async () => {
  await using hosts = await openTestHosts();
  const session = await hosts.open(sessionInput(
    server(`
import asyncio, gc, weakref
from pydantic import BaseModel, TypeAdapter

class Node(BaseModel):
    next: "Node | None" = None

@tool
async def live() -> str:
    seen = []
    node = Node(next=Node())
    weak = weakref.WeakValueDictionary({"node": node})
    weakref.finalize(node, seen.append, "finalised")
    node.next.next = node
    del node
    gc.collect()
    loop = asyncio.get_running_loop()
    loop.call_later(0.001, seen.append, "later")
    task = asyncio.create_task(asyncio.sleep(0.01, "slept"))
    await asyncio.wait_for(asyncio.shield(task), 5)
    return str([*seen, task.result(), list(weak), TypeAdapter(list[int]).validate_json("[1]")])
`),
    { imports: ["pydantic"] },
  ));
  for (let i = 0; i < 3; i++) {
    assertEquals(await callTool(session, "live"), "['finalised', 'later', 'slept', [], [1]]");
  }
  // Long enough for the collector to look at all that the image has.
  const busy = `
from pydantic import create_model
result = sum(create_model(f"M{i}", x=(int, i))(x="1").x for i in range(300))`;
  const other = await open(hosts);
  assertEquals(await run(other, busy), "300");
});

Deno.test("the restricted profile gets no image", async () => {
  await using hosts = await openTestHosts();
  const source = server(`
from pydantic import Field
import sys

@tool
def loaded(size: int = Field(3, gt=0)) -> str:
    return str(sorted(name for name in sys.modules if name.startswith("pydantic_core")))
`);
  const input = sessionInput(source, { imports: ["pydantic"], profile: "restricted" });
  assertEquals(await callTool(await hosts.open(input), "loaded"), "[]");
});

Deno.test("an image of another snapshot, or a damaged one, ends the session and says why", async () => {
  const { folder, ...prepared } = await testInterpreter();
  const copy = await Deno.makeTempDir();
  try {
    for await (const { name } of Deno.readDir(folder)) {
      await Deno.copyFile(`${folder}/${name}`, `${copy}/${name}`);
    }
    await Deno.chmod(copy, 0o755);
    const image = await Deno.readFile(`${copy}/image-pydantic`);
    const at = new TextDecoder("latin1").decode(image).indexOf('"base":"') + 8;
    const foreign = image.slice();
    foreign[at] = foreign[at]! ^ 1;
    const cases: [Uint8Array, RegExp][] = [
      [foreign, /another snapshot/],
      [image.subarray(0, image.length - 4096), /cut short/],
      [image.subarray(0, 0), /cut short/],
    ];
    for (const [bytes, message] of cases) {
      await Deno.writeFile(`${copy}/image-pydantic`, bytes);
      await using hosts = await openTestHosts({ interpreter: { folder: copy, ...prepared } });
      const { load } = await open(hosts);
      assertEquals(load.kind, "raised");
      if (load.kind === "raised") assertMatch(load.message, message);
      // Other servers run.
      assertEquals((await hosts.open(sessionInput(server("")))).load.kind, "loaded");
    }
  } finally {
    await Deno.remove(copy, { recursive: true });
  }
});
