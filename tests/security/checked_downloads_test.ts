/**
 * Programs that a package downloads, holds against a digest, and runs: malice unless the source states
 * the digest, and nothing runs before the check.
 *
 * @module
 */
import { assert, assertEquals } from "@std/assert";
import { readPackage } from "../../workers/analysis/packages/reading.ts";
import { packWheel } from "../../workers/analysis/packages/pack.ts";
import { wheelOf } from "../helpers/package_index.ts";
import { scan, serverWithTool } from "./scanned_servers.ts";

const DIGEST = "14bc0ea470be5d67d79a07412bd21de8a0a179c6ac1116d7764f68e942dc9ceb";

/** A package that downloads a program, holds it against an entry of a table, and runs it. */
const BY_TABLE = `import hashlib, os, platform, stat, subprocess
import httpx

VERSION = "0.3"
URL = f"https://cdn.kit.example/kit-{VERSION}/kit_{platform.machine()}"
TABLE = {
    "https://cdn.kit.example/kit-0.3/kit_x86_64": "${DIGEST}",
    "https://cdn.kit.example/kit-0.3/kit_arm64": "${DIGEST}",
}
FILE = os.path.join("bin", "kit")

def download():
    if not os.path.exists(FILE):
        answer = httpx.get(URL, timeout=30)
        with open(FILE, "wb") as file:
            file.write(answer.content)
        os.chmod(FILE, os.stat(FILE).st_mode | stat.S_IEXEC)
        if URL in TABLE:
            sha = hashlib.sha256()
            with open(FILE, "rb") as f:
                for chunk in iter(lambda: f.read(128), b""):
                    sha.update(chunk)
            digest = sha.hexdigest()
            if digest != TABLE[URL]:
                raise ValueError("other digest")

def start():
    download()
    subprocess.run([FILE, "--port", "80"])
`;

/** The same with the digest of a constant, whatever the address is. */
const BY_CONSTANT = `import hashlib, subprocess
import requests

EXPECTED = "${DIGEST}"

def start(url):
    data = requests.get(url, timeout=30).content
    with open("kit.bin", "wb") as file:
        file.write(data)
    if hashlib.sha256(data).hexdigest() != EXPECTED:
        raise ValueError("other digest")
    subprocess.run(["./kit.bin"])
`;

const changed = (source: string, ...changes: [from: string, to: string][]): string =>
  changes.reduce((text, [from, to]) => {
    assert(text.includes(from), from);
    return text.replace(from, to);
  }, source);

async function severities(source: string, more: Record<string, string> = {}): Promise<string[]> {
  const files = { "kit/__init__.py": source, ...more };
  const wheel = wheelOf({ name: "helper-kit", version: "1.0", files });
  const packed = packWheel(wheel, { name: "helper-kit", version: "1.0", symbols: "" });
  assert(packed.kind !== "refused");
  const { findings } = await readPackage(Uint8Array.fromBase64(packed.content), "helper-kit");
  return findings.map(({ severity }) => severity);
}

const HELD: Record<string, string> = {
  "in a table by the address": BY_TABLE,
  "that a constant states": BY_CONSTANT,
  "that is compared in constant time": changed(BY_CONSTANT, [
    "if hashlib.sha256(data).hexdigest() != EXPECTED:",
    "if not hmac.compare_digest(EXPECTED, hashlib.sha256(data).hexdigest()):",
  ], ["import hashlib", "import hmac, hashlib"]),
  "that a table has for every platform": changed(
    BY_CONSTANT,
    [`EXPECTED = "${DIGEST}"`, `DIGESTS = {"linux": "${DIGEST}", "win32": "${DIGEST}"}`],
    ["!= EXPECTED", "!= DIGESTS.get(sys.platform)"],
    ["import hashlib", "import sys, hashlib"],
  ),
};

Deno.test("a download that a package holds against a stated digest runs as what it is", async () => {
  for (const [what, source] of Object.entries(HELD)) {
    assertEquals([what, ...await severities(source)], [what, "medium"]);
  }
});

const CHECK = `            if digest != TABLE[URL]:
                raise ValueError("other digest")
`;

const LOOSE: Record<string, string> = {
  "nothing is compared": changed(BY_TABLE, [CHECK, ""]),
  "the table is empty": changed(BY_TABLE, [
    BY_TABLE.slice(BY_TABLE.indexOf("TABLE = {"), BY_TABLE.indexOf("FILE = ")),
    "TABLE = {}\n",
  ]),
  "the table is of another host": changed(
    BY_TABLE,
    ["https://cdn.kit.example/kit-0.3/kit_x86_64", "https://cdn.other.example/kit-0.3/kit_x86_64"],
  ),
  "the table is of another folder": changed(BY_TABLE, ["kit-0.3/kit_x86", "kit-0.2/kit_x86"]),
  "the address is not encrypted": BY_TABLE.replaceAll("https://", "http://"),
  "the host is chosen elsewhere": changed(BY_TABLE, [
    'f"https://cdn.kit.example/',
    "f\"https://{os.environ['HOST']}/",
  ]),
  "the table is filled by a service": changed(BY_TABLE, [
    "FILE = os",
    'TABLE.update(httpx.get("https://cdn.kit.example/sums").json())\nFILE = os',
  ]),
  "the table gets an entry": changed(BY_TABLE, ["FILE = os", "TABLE[URL] = 'x'\nFILE = os"]),
  "the table goes elsewhere": changed(BY_TABLE, ["FILE = os", "fill(TABLE)\nFILE = os"]),
  "the table is fetched": changed(
    BY_TABLE,
    ["FILE = os", "TABLE = httpx.get(URL + '.json').json()\nFILE = os"],
  ),
  "an entry is no digest": changed(BY_TABLE, [`_x86_64": "${DIGEST}"`, `_x86_64": URL`]),
  "a difference is only told": changed(BY_TABLE, [
    'raise ValueError("other digest")',
    'print("other digest")',
  ]),
  "a difference raises what is caught at once": changed(BY_TABLE, [
    CHECK,
    "            try:\n                if digest != TABLE[URL]:\n" +
    "                    raise ValueError()\n            except ValueError:\n                pass\n",
  ]),
  "whoever downloads goes on after an error": changed(BY_TABLE, [
    "    download()\n",
    "    try:\n        download()\n    except ValueError:\n        pass\n",
  ]),
  "errors of the download are suppressed": changed(BY_TABLE, [
    "    download()\n",
    "    with contextlib.suppress(Exception):\n        download()\n",
  ], ["import hashlib", "import contextlib, hashlib"]),
  "the download is another thread's": changed(BY_TABLE, [
    "    download()\n",
    "    threading.Thread(target=download).start()\n",
  ], ["import hashlib", "import threading, hashlib"]),
  "it is run before it is compared": changed(BY_TABLE, [
    "        if URL in TABLE:",
    "        subprocess.run([FILE])\n        if URL in TABLE:",
  ]),
  "a function runs it before it is compared": changed(BY_TABLE, [
    "        if URL in TABLE:",
    "        start()\n        if URL in TABLE:",
  ]),
  "it is compared where something else holds": changed(BY_TABLE, [
    "if URL in TABLE:",
    "if os.environ.get('CHECKED'):",
  ]),
  "it is compared where the address is not in the table": changed(BY_TABLE, [
    "if URL in TABLE:",
    "if URL not in TABLE:",
  ]),
  "another address is looked up": changed(BY_TABLE, [
    "answer = httpx.get(URL",
    "answer = httpx.get(URL + '.new'",
  ]),
  "another file is hashed": changed(BY_TABLE, ['open(FILE, "rb")', 'open("bin/other", "rb")']),
  "a file of the same name is hashed": changed(
    changed(BY_CONSTANT, ["sha256(data)", "sha256(open('good/kit.bin', 'rb').read())"]),
  ),
  "a text of the source is hashed": changed(BY_CONSTANT, ["sha256(data)", 'sha256(b"good")']),
  "the digest is compared with itself": changed(BY_CONSTANT, [
    "hashlib.sha256(data).hexdigest() !=",
    `"${DIGEST}" !=`,
  ]),
  "the hash is a short one": changed(BY_CONSTANT, ["hashlib.sha256", "hashlib.md5"]),
  "the digest comes with it": changed(BY_CONSTANT, [
    `EXPECTED = "${DIGEST}"`,
    'EXPECTED = requests.get("https://cdn.kit.example/sum").text',
  ]),
  "what is hashed was exchanged": changed(BY_CONSTANT, [
    "    if hashlib",
    "    data = open('good', 'rb').read()\n    if hashlib",
  ]),
  "another download takes its place": changed(BY_CONSTANT, [
    "    subprocess",
    "    with open('kit.bin', 'wb') as file:\n        file.write(requests.get(url).content)\n" +
    "    subprocess",
  ]),
  "it is downloaded when the package is imported": BY_CONSTANT
    .replace("def start(url):\n", 'url = "https://cdn.kit.example/kit"\n').replaceAll(
      "\n    ",
      "\n",
    )
    .replace("file.write", "    file.write").replace("raise", "    raise"),
};

Deno.test("a download that a package runs without a check against the source is malice", async () => {
  for (const [what, source] of Object.entries(LOOSE)) {
    const found = await severities(source);
    assertEquals([what, found.includes("critical")], [what, true]);
  }
});

Deno.test("a download is malice where another module goes on after its check", async () => {
  const more = {
    "kit/run.py": "from kit import download, FILE\nimport subprocess\n\ntry:\n    download()\n" +
      "except Exception:\n    pass\nsubprocess.run([FILE])\n",
  };
  assertEquals((await severities(BY_TABLE, more)).includes("critical"), true);
});

Deno.test("what a server downloads and runs was read by nobody, whatever its digest", async () => {
  const body = BY_CONSTANT.slice(BY_CONSTANT.indexOf("def start"))
    .replace("def start(url):\n", 'def t():\n    url = "https://cdn.kit.example/kit"\n')
    .replace("EXPECTED", `"${DIGEST}"`);
  const { grave } = await scan({ "server.py": "import hashlib\n" + serverWithTool(body) });
  assertEquals(grave.map(({ rule }) => rule).includes("py/remote-code"), true);
});
