import { assertEquals } from "@std/assert";
import { pbkdf2Sync } from "node:crypto";
import { callTool, openTestHosts, server, sessionInput } from "../../helpers/interpreter.ts";

const RUN = `
@tool
def run(code: str) -> str:
    names = {"__name__": "code"}
    exec(code, names)
    return str(names["result"])
`;

Deno.test("keys are derived from passwords as on CPython", async () => {
  await using hosts = await openTestHosts();
  const session = await hosts.open(
    sessionInput(server(`from hashlib import pbkdf2_hmac\n${RUN}`)),
  );
  assertEquals(session.load.kind, "loaded", JSON.stringify(session.load));
  const run = (code: string) => callTool(session, "run", { code });
  for (
    const [hash, password, salt, iterations, length] of [
      ["sha256", "word", "salt", 1, 32],
      ["sha1", "password", "salt", 4096, 20],
      ["sha512", "p".repeat(200), "", 3, 100],
      ["sha256", "", "s", 1000, 7],
      ["md5", "a", "b", 2, 16],
    ] as const
  ) {
    const expected = pbkdf2Sync(password, salt, iterations, length, hash).toString("hex");
    const call = `"${hash}", b"${password}", bytearray(b"${salt}"), ${iterations}, ${length}`;
    const code = `import hashlib\nresult = hashlib.pbkdf2_hmac(${call}).hex()`;
    assertEquals(await run(code), expected, call);
  }
  const fails = async (call: string) =>
    await run(`
import hashlib
try:
    result = hashlib.pbkdf2_hmac(${call})
except Exception as error:
    result = type(error).__name__`);
  assertEquals(await fails(`"none", b"a", b"b", 1`), "ValueError");
  assertEquals(await fails(`"sha1", b"a", b"b", 0`), "ValueError");
  assertEquals(await fails(`"sha1", b"a", b"b", 1, dklen=0`), "ValueError");
  assertEquals(await fails(`"sha1", "a", b"b", 1`), "TypeError");
  assertEquals(await fails(`"sha1", 5, b"b", 1`), "TypeError");
  assertEquals(await fails(`b"sha1", b"a", b"b", 1`), "TypeError");
  assertEquals(
    await run("import hashlib\nresult = len(hashlib.pbkdf2_hmac('sha256', b'a', b'b', 5))"),
    "32",
  );
});
