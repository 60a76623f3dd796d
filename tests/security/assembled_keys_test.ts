/**
 * Credentials that no line of a server holds whole. Each form is a server whose audit has a finding
 * that fails the scan; texts of the same shape that open nothing have none.
 *
 * @module
 */
import { assert, assertEquals } from "@std/assert";
import { scan } from "./scanned_servers.ts";

/** Made of parts, so that scanners of this repository do not stop at them. */
const KEYS: Record<string, string> = {
  "a key of OpenAI": ["sk-", "proj-", "aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5bC7dE9fG1hJ3"].join(""),
  "a token of GitHub": ["ghp", "_", "aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5"].join(""),
  "a key of AWS": ["AKIA", "Q3EGR7T5XZLP2M4N"].join(""),
};

const codes = (text: string) => [...text].map((each) => each.charCodeAt(0));
const reversed = (text: string) => [...text].reverse().join("");
const bytesOf = (text: string) => Uint8Array.from(codes(text));

/** Ways to write a text otherwise, as statements that give `K` its value. */
const FORMS: Record<string, (key: string) => string> = {
  "a sum": (key) => `K = "${key.slice(0, 3)}" + "${key.slice(3, 9)}" + "${key.slice(9)}"`,
  "a sum of names": (key) => `A = "${key.slice(0, 3)}"\nB = "${key.slice(3)}"\nK = A + B`,
  "neighbours": (key) => `K = ("${key.slice(0, 7)}"\n     "${key.slice(7)}")`,
  "join": (key) => `K = "".join(["${key.slice(0, 7)}", "${key.slice(7)}"])`,
  "join of a name": (key) => `P = ("${key.slice(0, 7)}", "${key.slice(7)}")\nK = "".join(P)`,
  "a formatted text": (key) => `A = "${key.slice(7)}"\nK = f"${key.slice(0, 7)}{A}"`,
  "format": (key) => `K = "{}{}".format("${key.slice(0, 7)}", "${key.slice(7)}")`,
  "a percent sign": (key) => `K = "%s%s" % ("${key.slice(0, 7)}", "${key.slice(7)}")`,
  "bytes": (key) => `K = (b"${key.slice(0, 7)}" + b"${key.slice(7)}").decode()`,
  "a list of bytes": (key) => `K = bytes([${codes(key)}]).decode()`,
  "characters": (key) => `K = "".join(chr(c) for c in [${codes(key)}])`,
  "characters that are mapped": (key) => `K = "".join(map(chr, [${codes(key)}]))`,
  "an exclusive or": (key) =>
    `K = "".join(chr(c ^ 7) for c in [${codes(key).map((each) => each ^ 7)}])`,
  "Base64": (key) => {
    const encoded = bytesOf(key).toBase64();
    return `import base64\nK = base64.b64decode("${encoded.slice(0, 9)}" + "${encoded.slice(9)}")`;
  },
  "hexadecimal digits": (key) => `K = bytes.fromhex("${bytesOf(reversed(key)).toHex()}")[::-1]`,
  "a slice backwards": (key) => `K = "${reversed(key)}"[::-1]`,
  "reversed()": (key) => `K = "".join(reversed("${reversed(key)}"))`,
  "a slice": (key) => `K = "zz${key}zz"[2:-2]`,
  "replace": (key) => `K = "${key.slice(0, 9)}@@${key.slice(9)}".replace("@@", "")`,
  "a text that grows": (key) =>
    `K = "${key.slice(0, 7)}"\nK += "${key.slice(7, 11)}"\nK += "${key.slice(11)}"`,
  "a table": (key) =>
    `P = {"a": "${key.slice(0, 7)}", "b": "${key.slice(7)}"}\nK = P["a"] + P["b"]`,
  "a class": (key) =>
    `class P:\n    A = "${key.slice(0, 7)}"\n    B = "${key.slice(7)}"\nK = P.A + P.B`,
  "a default": (key) =>
    `import os\nK = os.environ.get("K") or "${key.slice(0, 7)}" + "${key.slice(7)}"`,
};

function server(body: string): Record<string, string> {
  return {
    "server.py":
      `from mcp.server.fastmcp import FastMCP\n${body}\nmcp = FastMCP("s")\n@mcp.tool()\ndef t(x: str) -> str: return x\nmcp.run()\n`,
  };
}

for (const [what, key] of Object.entries(KEYS)) {
  for (const [way, write] of Object.entries(FORMS)) {
    Deno.test(`${what} that is put together by ${way} fails the scan`, async () => {
      const { grave } = await scan(server(write(key)));
      assert(grave.some(({ rule }) => rule === "py/assembled-secret"));
      assert(!grave.some(({ title }) => title.includes(key.slice(4))), "the key is shown");
    });
  }
}

/** What other encodings of a key of AWS are: of 32, 85 and shifted characters. */
Deno.test("keys in rarer encodings fail the scan", async () => {
  const encoded = [
    `base64.b32decode("${["IFFUSQ", "KRGNCUOURXKQ2VQWSMKAZE2NCO"].join("")}")`,
    `codecs.decode("${["NXVN", "D3RTE7G5KMYC2Z4A"].join("")}", "rot13")`,
  ];
  for (const each of encoded) {
    const { grave } = await scan(server(`import base64, codecs\nK = ${each}`));
    assert(grave.some(({ rule }) => rule === "py/assembled-secret"), each);
  }
});

Deno.test("passwords that are put together fail the scan", async () => {
  const [first, second] = ["xK9vQ2mZ", "r7LpT4w"];
  for (
    const body of [
      `DB_PASSWORD = "${first}" + "${second}"`,
      `DB_PASSWORD = "".join(["${first}", "${second}"])`,
      `DB_PASSWORD = "${reversed(first + second)}"[::-1]`,
      `connect(password="${first}" + "${second}")`,
    ]
  ) {
    const { grave } = await scan(server(`def connect(password): pass\n${body}`));
    assert(grave.some(({ rule }) => rule === "py/assembled-secret"), body);
  }
});

/** Texts that are put together and open nothing. */
const HONEST: readonly string[] = [
  `K = "sk-" + "your-key-here"`,
  `import os\nK = "-".join(["sk", os.environ["X"]])`,
  `MSG = "Use a key that starts with sk-" + " and keep it secret"`,
  `URL = "https://api.example.com/" + "v1" + "/chat/completions"`,
  `DIGEST = "".join(["e3b0c44298fc1c149afbf4c8996fb924", "27ae41e4649b934ca495991b7852b855"])`,
  `K = "ghp_" + "x" * 36`,
  `def ok(k): return k.startswith("sk-" + "proj-")`,
  `import re\nR = re.compile("sk-" + "[A-Za-z0-9]{48}")`,
  `ID = "-".join(["6ba7b810", "9dad", "11d1", "80b4", "00c04fd430c8"])`,
  `Q = " ".join(["select * from users", "where password = :p"])`,
  `PASSWORD_LABEL = "Enter " + "your password"`,
  `A = "abcdefghijklmnopqrstuvwxyz" + "ABCDEFGHIJKLMNOPQRSTUVWXYZ" + "0123456789"`,
  `W = "hello world, this is text"[::-1]`,
  `API_KEY_HEADER = "X-" + "Api-" + "Key"`,
  `BASE = "https://a.example"\nTOKEN_URL = BASE + "/oauth/token"\nAUTH_URL = f"{BASE}/authorize"`,
  `T = "access_token" + "=" + "{token}"`,
];

for (const body of HONEST) {
  Deno.test(`a text that opens nothing passes the scan: ${body.split("\n").at(-1)}`, async () => {
    assertEquals((await scan(server(body))).grave, []);
  });
}
