import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { callTool, openTestHosts, server, sessionInput } from "../../helpers/interpreter.ts";

Deno.test("a session gets packages when its server imports them", async () => {
  await using hosts = await openTestHosts();
  const session = await hosts.open(sessionInput(server(`
import sys
import pydantic
from pydantic import BaseModel, Field, TypeAdapter
class Point(BaseModel):
    x: int = Field(gt=1)
@tool
def core() -> str:
    return sys.modules["pydantic_core._pydantic_core"].__file__ + " " + str("pydantic" in sys.modules)
@tool
def late() -> str:
    import yaml, bs4, dateutil.parser, httpx, openai
    import importlib.metadata as metadata
    return " ".join([yaml.safe_dump({"a": 1}).strip(), bs4.BeautifulSoup("<b>x</b>", "html.parser").b.text,
        str(dateutil.parser.parse("2020-01-02").year), metadata.version("httpx")])
@tool
def point(p: Point) -> int:
    return p.x
`)));
  assertEquals(session.load.kind, "loaded", JSON.stringify(session.load));
  assertStringIncludes(await callTool(session, "core"), "emscripten.so True");
  assertEquals(await callTool(session, "late"), "a: 1 x 2020 0.28.1");
  assertEquals(await callTool(session, "point", { p: { x: 5 } }), "5");
  assert((await callTool(session, "point", { p: { x: 0 } })).includes("greater than 1"));
});
