/**
 * Fields of objects that are called like a module that starts programs. They are the module only where
 * something puts it there, and then the audit has a finding that fails the scan.
 *
 * @module
 */
import { assert, assertEquals } from "@std/assert";
import { fails, scan } from "./scanned_servers.ts";
import { startingServer } from "./starting_servers.ts";

/** A class whose field has a module's name and says that it is text, and what reads it. */
const HOST = `from dataclasses import dataclass\n@dataclass\nclass Host:\n    os: str = ""\n`;
const READS = `def read(host: Host): return [host.os]\n`;

/** How a module comes to where a field of text seems to be read. */
const FIELDS: [string, string][] = [
  [
    "the class's default",
    `${HOST.replace('""', "os")}${READS}def t(X: str): return read(Host())[0].system(X)`,
  ],
  [
    "an argument of the class",
    `${HOST}${READS}def t(X: str): return read(Host(os=os))[0].system(X)`,
  ],
  [
    "an assignment",
    `${HOST}${READS}def t(X: str):\n    h = Host()\n    h.os = os\n    return read(h)[0].system(X)`,
  ],
  [
    "an assignment to the class",
    `${HOST}${READS}Host.os = os\ndef t(X: str): return read(Host())[0].system(X)`,
  ],
  [
    "setattr",
    `${HOST}${READS}def t(X: str):\n    h = Host()\n    setattr(h, "os", os)\n    return read(h)[0].system(X)`,
  ],
  [
    "an import in the class",
    `${HOST}    import os\n${READS}def t(X: str): return read(Host())[0].system(X)`,
  ],
  [
    "a property",
    `class Host:\n    os: str\n    @property\n    def os(self): return importlib.import_module("os")\n${READS}def t(X: str): return read(Host())[0].system(X)`,
  ],
  [
    "what looks up attributes",
    `${HOST}    def __getattribute__(self, n): return getattr(shutil, n)\n${READS}def t(X: str): return read(Host())[0].system(X)`,
  ],
  [
    "a default of how the class is made",
    `class Host:\n    def __init__(self, os=os): self.os = os\n    def go(self): return [self.os]\ndef t(X: str): return Host().go()[0].system(X)`,
  ],
  [
    "an argument of how the class is made",
    `class Host:\n    def __init__(self, os): self.os = os\n    def go(self): return [self.os]\ndef t(X: str): return Host(os=os).go()[0].system(X)`,
  ],
  [
    "a field of any kind",
    `${
      HOST.replace("os: str", "os: object")
    }${READS}def t(X: str): return read(Host(os=os))[0].system(X)`,
  ],
  [
    "another module that has it, under a false annotation",
    `${HOST}${READS}def t(X: str): return read(shutil)[0].system(X)`,
  ],
  [
    "an alias of one that has it",
    `${HOST}${READS}m = shutil\ndef t(X: str): return read(m)[0].system(X)`,
  ],
  [
    "one that is imported by a text",
    `${HOST}${READS}m = importlib.import_module("shutil")\ndef t(X: str): return read(m)[0].system(X)`,
  ],
  [
    "one from sys.modules",
    `${HOST}${READS}def t(X: str): return read(sys.modules["shutil"])[0].system(X)`,
  ],
  [
    "a lookup of a name that a caller says",
    `${HOST}${READS}def t(X: str): return read(Host(os=getattr(shutil, X)))[0].system(X)`,
  ],
  [
    "a table of another module's names",
    `${HOST}${READS}def t(X: str): return read(Host(**{k: v for k, v in vars(shutil).items() if k == "os"}))[0].system(X)`,
  ],
  [
    "a part of a library that has it",
    `from logging import handlers\n${HOST}${READS}def t(X: str): return read(handlers)[0].system(X)`,
  ],
  [
    "an attribute of a library that has it",
    `import tempfile\n${HOST}${READS}def t(X: str): return read(tempfile._shutil)[0].system(X)`,
  ],
  [
    "a loop over what is no object of the class",
    `${HOST}def t(X: str): return [h.os for h in map(importlib.import_module, ["shutil"])][0].system(X)`,
  ],
];

for (const [what, body] of FIELDS) {
  Deno.test(`a module that ${what} puts where a field of text is read fails the scan`, async () => {
    assert(fails(await scan({ "server.py": startingServer(body) })));
  });
}

Deno.test("a module that a second file puts into a field of text fails the scan", async () => {
  assert(fails(
    await scan({
      "server.py": startingServer(
        `from hosts import Host\nimport maker\n${READS}def t(X: str): return read(maker.make())[0].system(X)`,
      ),
      "hosts.py": HOST,
      "maker.py":
        "import os\nfrom hosts import Host\ndef make():\n    h = Host()\n    h.os = os\n    return h\n",
    }),
  ));
});

/** What honest servers have of the same shape. */
const HONEST: [string, string][] = [
  [
    "a field of a dataclass that is called like a module",
    `${HOST}    def row(self): return {"os": self.os}\ndef t(X: str): return Host(os=X).row()`,
  ],
  [
    "such fields of several objects",
    `${HOST}def rows(hosts: list[Host]): return [(h.os, Host(os=h.os)) for h in hosts]\ndef t(X: str): return rows([Host(os=X)])`,
  ],
  [
    "an attribute that is called like a module and set to a parameter",
    `class Host:\n    def __init__(self, os: str): self.os = os\n    def row(self): return [self.os]\ndef t(X: str): return Host(X).row()`,
  ],
  [
    "a field of a named tuple that is called like a module",
    `from typing import NamedTuple\nclass Row(NamedTuple):\n    os: str\n    subprocess: int = 0\ndef make() -> Row: return Row("x")\ndef t(X: str):\n    row = make()\n    return {"a": row.os, "b": row.subprocess}`,
  ],
  [
    "a field of a model's base that is called like a module",
    `from pydantic import BaseModel, Field\nclass Base(BaseModel):\n    os: str | None = Field(default=None)\nclass Host(Base):\n    ip: str = ""\ndef t(X: str):\n    host = Host(os=X)\n    return dict(os=host.os, text=[str(host.os)])`,
  ],
];

for (const [what, body] of HONEST) {
  Deno.test(`a server with ${what} passes the scan`, async () => {
    assertEquals((await scan({ "server.py": startingServer(body) })).grave, []);
  });
}
