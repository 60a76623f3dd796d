/** Answers that are packed files: what a service makes of what was stored there. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import { concat } from "../../src/bytes.ts";
import { sealSecrets } from "../../src/egress/secrets.ts";
import { parseEgressPolicy } from "../../src/egress/policy.ts";
import type { EgressResponse } from "../../src/egress/types.ts";

const VALUE = "glpat-7Hq2Lm9Zx4Vb1Nc8Ks3W";
const HOST = "api.example.com";

const bytes = (text: string) => new TextEncoder().encode(text);

/** A ZIP file with one entry, as programs stream it: its head does not say how long it is. */
function zip(content: Uint8Array, { method = 8, flags = 8 } = {}): Uint8Array {
  const head = new DataView(new ArrayBuffer(30));
  head.setUint32(0, 0x504b0304);
  head.setUint16(6, flags, true);
  head.setUint16(8, method, true);
  head.setUint16(26, 5, true);
  return concat([
    new Uint8Array(head.buffer),
    bytes("a.txt"),
    method === 8 ? deflateRawSync(content) : content,
    bytes("PK\x07\x08"),
  ]);
}

/** A gzip file with all that its head may have. */
function withGzipHead(file: Uint8Array): Uint8Array {
  const head = file.slice(0, 10);
  head[3] = 2 + 4 + 8 + 16;
  return concat([head, bytes("\x03\0abcname\0comment\0\0\0"), file.subarray(10)]);
}

async function clean(body: Uint8Array) {
  const secret = { name: "API_KEY", placeholder: "glpat-placeholderPLACE0123", value: VALUE };
  const secrets = sealSecrets([{ ...secret, hosts: [HOST] }], parseEgressPolicy([], ["*"]))!;
  const request = {
    kind: "prepared" as const,
    method: "GET" as const,
    secure: true,
    host: HOST,
    port: 443,
    authority: HOST,
    path: "/",
    headers: [],
    body: null,
  };
  let released = false;
  const answer: EgressResponse = {
    kind: "response",
    status: 200,
    reason: "OK",
    headers: [],
    body,
    release: () => released = true,
  };
  const cleaned = await secrets.clean(request, answer);
  return { ...cleaned, released };
}

const WITH_VALUE = bytes(`the key is ${VALUE}, they say`);
const ENCODED = bytes(`data: ${btoa(`user:${VALUE}`)}`);
const PACKED: [string, Uint8Array][] = [
  ["gzip", gzipSync(WITH_VALUE)],
  ["gzip with a name, a comment and more", withGzipHead(gzipSync(WITH_VALUE))],
  ["gzip of an encoded value", gzipSync(ENCODED)],
  ["two gzip files in one", concat([gzipSync(bytes("first")), gzipSync(WITH_VALUE)])],
  [
    "gzip files with bytes between",
    concat([
      gzipSync(bytes("first")),
      new Uint8Array(512),
      gzipSync(WITH_VALUE),
    ]),
  ],
  ["zlib", deflateSync(WITH_VALUE)],
  ["zlib with a small window", deflateSync(WITH_VALUE, { windowBits: 9 })],
  ["a ZIP entry", zip(WITH_VALUE)],
  ["the second ZIP entry", concat([zip(bytes("first")), zip(WITH_VALUE)])],
  ["a ZIP file behind a program", concat([bytes("#!/bin/sh\n"), zip(WITH_VALUE)])],
  ["a ZIP file in a ZIP file", zip(zip(WITH_VALUE))],
  ["gzip in a stored ZIP entry", zip(gzipSync(WITH_VALUE), { method: 0 })],
  ["marked text of a document", zip(bytes(VALUE.replace("Lm9", "</w:t></w:r><w:r><w:t>Lm9")))],
];

Deno.test("an answer that has the value in a packed file is refused, and told", async () => {
  for (const [name, body] of PACKED) {
    const { outcome, reflected, released } = await clean(body);
    assert(outcome.kind === "error", name);
    assertStringIncludes(outcome.message, "has a packed file with the value of a secret", name);
    assertEquals([reflected, released], [["API_KEY"], true], name);
  }
});

const latin = (text: string) => Uint8Array.from(text, (one) => one.charCodeAt(0));
const UNSEARCHED: [string, Uint8Array][] = [
  ["bzip2", latin("BZh91AY&SY\x12\x34")],
  ["xz", latin("\xfd7zXZ\0\0\x04")],
  ["Zstandard", latin("\x28\xb5\x2f\xfd\0")],
  ["7z", latin("7z\xbc\xaf\x27\x1c\0\x04")],
  ["RAR", latin("Rar!\x1a\x07\x01\0")],
  ["objects of Git", latin("0008NAK\n0025\x01PACK\0\0\0\x02\0\0\0\x01")],
  ["an encrypted ZIP entry", zip(WITH_VALUE, { flags: 9 })],
  ["a ZIP entry packed in another way", zip(WITH_VALUE, { method: 12 })],
  ["gzip that is cut off", gzipSync(WITH_VALUE).subarray(0, -12)],
  ["more than an answer may have", gzipSync(new Uint8Array(17 * 1024 * 1024))],
  ["more layers than are unpacked", [1, 2, 3, 4].reduce<Uint8Array>((all) => zip(all), WITH_VALUE)],
];

Deno.test("an answer that is packed so that nothing finds the value is refused", async () => {
  for (const [name, body] of UNSEARCHED) {
    const { outcome, released } = await clean(body);
    assert(outcome.kind === "error", name);
    assertStringIncludes(outcome.message, "cannot be searched", name);
    assertEquals(released, true, name);
  }
});

Deno.test("a packed file without the value comes as it is, as do other bytes", async () => {
  const noise = crypto.getRandomValues(new Uint8Array(60_000));
  for (
    const body of [
      gzipSync(bytes("nothing")),
      zip(bytes("nothing")),
      concat([zip(bytes("one")), zip(gzipSync(bytes("two")))]),
      noise,
      bytes("x\x9cis how a text may begin"),
      bytes("BZh is no archive, nor is PK or Rar!"),
      new Uint8Array(0),
    ]
  ) {
    const { outcome, reflected } = await clean(body);
    assert(outcome.kind === "response");
    assertEquals(new Uint8Array(outcome.body), new Uint8Array(body));
    assertEquals(reflected, []);
  }
});

Deno.test("bytes that look like the heads of many packed files are soon refused", async () => {
  const head = latin("\x1f\x8b\x08\x08abcd\x02\x03");
  const body = concat(Array<Uint8Array>(400_000).fill(head));
  const start = performance.now();
  const { outcome } = await clean(body);
  assertEquals(outcome.kind, "error");
  assert(performance.now() - start < 20_000);
});
