import { assert, assertEquals } from "@std/assert";
import { gzipSync, zstdCompressSync } from "node:zlib";
import { hintFinder } from "../../../workers/analysis/secrets/hints.ts";
import { analyse, type SecretsResult } from "../../../workers/analysis/secrets/mod.ts";
import { isWords } from "../../../workers/analysis/secrets/words.ts";
import { analyseHere } from "../../helpers/analysis.ts";
import { zipOf } from "../../scan/advisories/zip_writer.ts";

import { PACKED, rarOf, TOKEN as GITHUB } from "./packed_archives.ts";

const LINE = `token = "${GITHUB}"\n`;

const bytes = (text: string) => new TextEncoder().encode(text);

async function scan(files: Record<string, string | Uint8Array>): Promise<string[]> {
  const { result } = await analyseHere<SecretsResult>(analyse, files);
  return result.secrets.map(({ kind, file, severity }) =>
    `${file} ${kind}${severity === "info" ? " (info)" : ""}`
  );
}

function tarOf(name: string, text: string): Uint8Array {
  const tar = new Uint8Array(512 * 4);
  tar.set(bytes(name), 0);
  tar.set(bytes(text.length.toString(8).padStart(11, "0")), 124);
  tar.set(bytes("0"), 156);
  tar.set(bytes("ustar"), 257);
  tar.set(bytes(text), 512);
  return tar;
}

Deno.test("secrets are found in archives inside the repository, also in archives of archives", async () => {
  const zip = zipOf([["a.txt", "nothing"], ["lib/config.py", LINE]]);
  const tar = new Uint8Array(gzipSync(tarOf("src/config.py", LINE)));
  assertEquals(
    await scan({
      "bundle.zip": zip,
      "data.json.gz": new Uint8Array(gzipSync(bytes(LINE))),
      "dist/app.tar.gz": tar,
      "outer.tgz": new Uint8Array(gzipSync(tarOf("x", "no"))),
    }),
    ["bundle.zip github-token", "data.json.gz github-token", "dist/app.tar.gz github-token"],
  );
  const { result } = await analyseHere<SecretsResult>(analyse, { "bundle.zip": zip });
  assert(result.secrets[0]!.detail.startsWith('In "lib/config.py", line 1. '));
  assertEquals(result.files_scanned, 2);
});

Deno.test("secrets are found in bzip2, xz, Zstandard, 7-Zip and RAR, also inside each other", async () => {
  const { "e.7z": encrypted, ...open } = PACKED;
  const archives: Record<string, Uint8Array> = {
    ...open,
    "app.rar": rarOf("src/config.py", bytes(LINE)),
    "nested.zip": zipOf([["inner.tar.xz", PACKED["d.tar.xz"]!]]),
    "nested.rar": rarOf("d.7z", PACKED["d.7z"]!),
  };
  for (const [name, archive] of Object.entries(archives)) {
    assertEquals(await scan({ [name]: archive }), [`${name} github-token`]);
  }
  assertEquals(await scan({ "e.7z": encrypted! }), ["e.7z not-searched (info)"]);
  const { result } = await analyseHere<SecretsResult>(analyse, { "a.rar": archives["app.rar"]! });
  assert(result.secrets[0]!.detail.startsWith('In "src/config.py", line 1. '));
});

Deno.test("a zip archive behind a program is opened, and the program is read too", async () => {
  const zip = zipOf([["config.py", LINE]]);
  const app = new Uint8Array([...bytes(`#!/usr/bin/env python3\n# ${LINE}`), ...zip]);
  assertEquals(await scan({ "app.pyz": app }), ["app.pyz github-token", "app.pyz github-token"]);
});

Deno.test("a text that begins as an archive would is read as a text", async () => {
  assertEquals(await scan({ "a.txt": `BZh ${LINE}`, "b.txt": `Rar! ${LINE}` }), [
    "a.txt github-token",
    "b.txt github-token",
  ]);
});

Deno.test("damaged archives of every kind are listed, and the rest is searched", async () => {
  const all = { ...PACKED, "app.rar": rarOf("a.py", bytes(LINE)) };
  for (const [name, archive] of Object.entries(all)) {
    const cut = archive.slice(0, archive.length - 24);
    const bent = archive.map((byte, at) => at === archive.length - 40 ? byte ^ 0xff : byte);
    // A bent letter of a stored file is another letter.
    for (const broken of name.endsWith(".rar") ? [cut] : [cut, bent]) {
      const found = await scan({ [name]: broken, "config.py": LINE });
      assert(found.includes("config.py github-token"), name);
      assert(found.some((each) => each.startsWith(name)), `${name}: ${found.join()}`);
    }
  }
});

Deno.test("bombs of other kinds are stopped by size, and by how far they unfold", async () => {
  const zeros = new Uint8Array(60_000_000);
  const zstd = new Uint8Array(zstdCompressSync(zeros));
  const gzip = new Uint8Array(gzipSync(zeros.subarray(0, 15_000_000)));
  assert(gzip.length * 200 < 15_000_000);
  assertEquals(
    await scan({ "a.zst": zstd, "b.gz": gzip, "c.rar": rarOf("a.gz", gzip) }),
    ["a.zst", "b.gz", "c.rar"].map((name) => `${name} not-searched (info)`),
  );
});

Deno.test("an archive that is not searched whole is listed, and no bomb goes off", async () => {
  const bomb = new Uint8Array(gzipSync(new Uint8Array(80_000_000)));
  const cut = zipOf([["a.txt", LINE], ["b.txt", LINE]]).slice(0, -30);
  let deep: Uint8Array = bytes(LINE);
  for (let depth = 0; depth < 5; depth++) deep = new Uint8Array(gzipSync(deep));
  const found = await scan({
    "bomb.gz": bomb,
    "cut.zip": cut,
    "deep.gz": deep,
    "packed.7z": new Uint8Array([0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c]),
  });
  assertEquals(
    found,
    ["bomb.gz", "cut.zip", "deep.gz", "packed.7z"].map((name) => `${name} not-searched (info)`),
  );
});

Deno.test("five megabytes of a file are searched, and the rest is said to be not", async () => {
  const filler = "just words and nothing else\n".repeat(170_000);
  assertEquals(await scan({ "big.txt": filler + LINE + filler }), [
    "big.txt github-token",
    "big.txt not-searched (info)",
  ]);
});

Deno.test("secrets are found encoded: Base64, hexadecimal digits, escapes, percent-encoding", async () => {
  const hex = [...bytes(LINE)].map((byte) => byte.toString(16).padStart(2, "0"));
  const base64 = bytes(LINE).toBase64();
  for (
    const text of [
      `data = "${base64}"`,
      `data: |\n  ${base64.slice(0, 40)}\n  ${base64.slice(40)}\n`,
      `data = "${bytes(base64).toBase64()}"`,
      `data = "${hex.join("")}"`,
      `data = b"${hex.map((digits) => `\\x${digits}`).join("")}"`,
      `open("https://api.acme.dev/?header=Authorization%3A%20token%20${
        GITHUB.replace("_", "%5F")
      }")`,
      `DSN=postgres%3A%2F%2Fapp%3Ak9Vx2mQ8%40db.acme.dev%2Fapp`,
    ]
  ) {
    const found = await scan({ "src/app.py": text });
    assertEquals(found.length, 1, text);
    assert(!found[0]!.endsWith("(info)"), text);
  }
});

Deno.test("what is there to test with or to explain is told by several signs", async () => {
  const key = ["-----BEGIN PRIV", "ATE KEY-----\n", "MIIEpAIBAAKCAQEA7vX2Jk0nq3wP5TzYh1sRr8uG"]
    .join("");
  const basic = `headers = {"Authorization": "Basic ${bytes("ada:k9Vx2mQ8pz").toBase64()}"}`;
  for (const path of ["tests/app.py", "docs/a.md", "README.md", "e2e_tests/key"]) {
    assertEquals(await scan({ [path]: key }), [`${path} private-key (info)`]);
    assertEquals(await scan({ [path]: basic }), []);
    assertEquals(await scan({ [path]: LINE }), [`${path} github-token`]);
    assertEquals(await scan({ [path]: 'api_key = "a8f5f167f44f4964e6c998dee827110c"' }), []);
  }
  assertEquals(await scan({ "src/app.py": basic }), ["src/app.py authorization"]);
  const shown = (key: string) => `def f():\n    """Use it so:\n\n    api_key = "${key}"\n    """\n`;
  assertEquals(await scan({ "src/app.py": shown("2YotnFZFEjr1zCsicMWpAA") }), []);
  assertEquals(await scan({ "src/app.py": '>>> f(api_key="2YotnFZFEjr1zCsicMWpAA")\n' }), []);
  assertEquals(await scan({ "src/app.py": shown(GITHUB) }), ["src/app.py github-token"]);
  const assigned = shown("2YotnFZFEjr1zCsicMWpAA").replace('"""', 'text = """');
  assertEquals(await scan({ "src/app.py": assigned }), ["src/app.py generic-api-key"]);
});

Deno.test("hashes of passwords, names, well-known values and packed programs are no secrets", async () => {
  for (
    const text of [
      '"password": "pbkdf2_sha256$10000$LUyhxJjuLwXF$f6Zbpnx1L5dPze8m0itBaHMDyZ/n6JyhuavQy2RrBIM="',
      'dependencies = [("auth", "0012_alter_user_first_name_max_length")]',
      'OID = ("2.5.4.35", ATTRIBUTE, "userPassword", "RFC4519")',
      'unit_key = "heightOfGeoidAboveWGS84Units"',
      '"Sec-WebSocket-Key": "x3JJHMbDL1EzLkh9GBhXDw=="',
      'engine = create_engine("postgresql://scott:tiger@localhost/test")',
      'url = "mongodb://app:secretword@db:27017/"',
      'jwt = "eyJhbGciOiJub25lIn0.eyJ1c2VyIjoiYWRtaW4ifQ."',
      '"Authorization": "Basic dXNlcm5hbWU6cGFzc3dvcmQ="',
      "aes_key: aes256-cts-hmac-sha1-96",
    ]
  ) assertEquals(await scan({ "src/app.py": text }), [], text);
  const packed = `${"function a(){return 1}".repeat(300)};var token="Zf3D0LXCM3EIMbgJpUNnkRt"`;
  assertEquals(await scan({ "static/app.js": packed }), []);
});

Deno.test("isWords() tells names from random texts", () => {
  for (
    const text of ["alter_user_email_max_length", "dbmdz/bert-large-finetuned", "myAppServer2"]
  ) {
    assert(isWords(text), text);
  }
  for (
    const text of ["aquv92aveuyhkyqt1g9qdiyq3wled3", "Zf3D0LXCM3EIMbgJpUNnkRt", "a8f5f167f44f"]
  ) {
    assert(!isWords(text), text);
  }
});

Deno.test("hintFinder() finds each of the words that occur, also inside each other", () => {
  const find = hintFinder(["she", "he", "hers", "his", "x.y"]);
  assertEquals([...find("ushers é")].sort(), ["he", "hers", "she"]);
  assertEquals([...find("x.yhi")], ["x.y"]);
  assertEquals([...find("")], []);
});
