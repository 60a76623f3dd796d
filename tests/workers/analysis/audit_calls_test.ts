import { assert, assertEquals } from "@std/assert";
import { analyse } from "../../../workers/analysis/audit/mod.ts";
import type { RawFinding } from "../../../workers/analysis/finding.ts";
import { analyseHere } from "../../helpers/analysis.ts";

async function found(source: string, path = "server.py"): Promise<string[]> {
  const files = { [path]: source };
  const { result } = await analyseHere<{ code: RawFinding[] }>(analyse, files);
  return result.code.map(({ rule, severity, line }) => `${rule} ${severity} ${line}`).sort();
}

Deno.test("audit finds what bandit finds and ruff cannot follow", async () => {
  for (
    const [source, expected] of [
      ["import xmlrpc.client", "py/xmlrpc-import medium 1"],
      ["from xmlrpc.client import Fault", "py/xmlrpc-import medium 1"],
      ["import wsgiref.handlers\nwsgiref.handlers.CGIHandler().run(a)", "py/cgi-handler medium 2"],
      ["run_it(cmd, shell=use_shell)", "py/shell-argument medium 1"],
      ["self.client.set_missing_host_key_policy(p.AutoAddPolicy())", "py/unknown-host-keys high 1"],
      ["httpx = lazy('httpx')\nc = httpx.Client(verify=False)", "py/request-unverified high 2"],
      ["filesystem.chmod(path, 0o777)", "py/file-mode high 1"],
      ["filesystem.chmod(path, 0o755)", "py/file-mode medium 1"],
      [
        "try:\n    from x import hashes\nexcept E:\n    hashes = None\nhashes.MD5()",
        "py/weak-hash",
      ],
      ["Cipher(DES(k), modes.ECB())", "py/weak-mode medium 1"],
      ["from Cryptodome.Cipher import ARC4\nARC4.new(k)", "py/weak-cipher medium 2"],
      ["import paramiko\nself.c.exec_command(x)", "py/remote-command medium 2"],
      ["import paramiko\nself.c.exec_command('ls')", "py/remote-command low 2"],
      ["from django.utils.safestring import mark_safe\nmark_safe('<b>')", "py/marked-safe low 2"],
      ['q = """declare @a int\nselect @a = x from %s\nwhere b""" % t', "py/sql-text medium"],
    ] as const
  ) {
    const all = await found(`${source}\n`);
    assert(all.some((each) => each.startsWith(expected)), `${source}: ${all.join(", ")}`);
  }
});

Deno.test("audit is calm about calls that only look alike", async () => {
  for (
    const source of [
      "import subprocess\nrun_it(cmd, shell=False)",
      "self.tool.exec_command(x)",
      "filesystem.chmod(path, 0o644)",
      "self.client.set_missing_host_key_policy(p.RejectPolicy())",
      "session.get(url, verify=True)",
      "import yaml\nyaml.load(x, Loader=yaml.SafeLoader)",
    ]
  ) {
    const own = (await found(`${source}\n`)).filter((each) => each.startsWith("py/"));
    assertEquals(own, [], source);
  }
});

Deno.test("audit says one thing once where ruff sees it too", async () => {
  const all = await found("import yaml, os\nyaml.load(x)\nos.chmod('f', 0o777)\n");
  assertEquals(all, ["S103 medium 3", "S506 medium 2"]);
});

Deno.test("audit takes names of system files in tests for what they are", async () => {
  assertEquals(await found("p = '/etc/passwd'\n"), ["py/system-files medium 1"]);
  const files = { "server.py": "x = 1\n", "tests/test_a.py": "p = '/etc/passwd'\n" };
  const { result } = await analyseHere<{ code: RawFinding[] }>(analyse, files);
  assertEquals(result.code.map(({ severity }) => severity), ["low"]);
});

Deno.test("audit looks for a query in its expression only, and takes drops lightly", async () => {
  assertEquals(await found('q = f"select {x}"\nfrom a import b\n'), []);
  assertEquals(await found('q = "drop table %s" % x\n'), ["py/sql-text low 1"]);
  const two = 'q = ("select a "\n     "from t where b = %s" % x)\n';
  assert((await found(two)).some((each) => each.startsWith("py/sql-text medium")));
});

Deno.test("audit survives modules with the names of an object's own methods", async () => {
  await found("import constructor, toString, __proto__\nconstructor.hasOwnProperty('a')\n");
});

Deno.test("audit takes a whole query for the purpose of a tool, a part of one for a flaw", async () => {
  const tool = (body: string) =>
    `from mcp.server.fastmcp import FastMCP\nmcp = FastMCP("x")\n@mcp.tool()\ndef t(q: str):\n    ${body}\n`;
  assertEquals(await found(tool("return cursor.execute(q)")), ["py/tool-to-sql medium 5"]);
  const parts = await found(tool("return cursor.execute('select * from t where a = ' + q)"));
  assert(parts.includes("py/tool-to-sql high 5"), parts.join());
});
