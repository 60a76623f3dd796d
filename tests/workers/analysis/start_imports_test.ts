import { assertEquals } from "@std/assert";
import { scannedCode } from "../../../workers/analysis/audit/python/unscanned.ts";
import { loadProject } from "../../../workers/analysis/project.ts";
import { analyseHere } from "../../helpers/analysis.ts";

/** What a scan of `files` says that the server imports whenever it starts. */
async function importsOf(files: Record<string, string>): Promise<string[]> {
  let imports: string[] = [];
  await analyseHere(async (input) => {
    imports = (await scannedCode(await loadProject(input), [])).imports;
    return null;
  }, files);
  return imports;
}

Deno.test("a scan notes the top-level modules that a server imports whenever it starts", async () => {
  const imports = await importsOf({
    "server.py": `
import os.path, httpx as client
from pydantic.fields import Field
from . import relative
try:
    import orjson
except ImportError:
    import json
class Settings:
    import tomllib
import shapes
if True:
    import yaml
`,
    "shapes.py": "from starlette import requests\nimport httpx\n",
  });
  assertEquals(
    imports,
    "httpx json orjson os pydantic shapes starlette tomllib yaml".split(" "),
  );
});

Deno.test("a scan does not note what a server imports later, never, or in files that do not run", async () => {
  const imports = await importsOf({
    "server.py": `
import os
from typing import TYPE_CHECKING
import typing as t
if TYPE_CHECKING:
    import pydantic
if t.TYPE_CHECKING and os:
    if os.name:
        import fastapi
def later():
    import sqlalchemy
    class Inner:
        import openai
lazy = lambda: __import__("rich")
`,
    "tests/test_server.py": "import click\n",
    "unused.py": "import jinja2\n",
  });
  assertEquals(imports, ["os", "typing"]);
});

Deno.test("a scan notes modules in packages, and names that may be such", async () => {
  let modules: string[] = [];
  await analyseHere(async (input) => {
    modules = (await scannedCode(await loadProject(input), [])).modules;
    return null;
  }, {
    "server.py": `
import os.path, xml.etree.ElementTree as tree
from sqlalchemy import orm, text
from jinja2.sandbox import SandboxedEnvironment
from rich.console import *
from . import near
import httpx
def later():
    import yaml.loader
from ${"x".repeat(150)} import ${"y".repeat(150)}
`,
  });
  assertEquals(modules, [
    "jinja2.sandbox",
    "jinja2.sandbox.SandboxedEnvironment",
    "os.path",
    "rich.console",
    "sqlalchemy.orm",
    "sqlalchemy.text",
    "xml.etree.ElementTree",
  ]);
});
