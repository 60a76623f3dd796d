import { assert, assertEquals } from "@std/assert";
import {
  clientOfDocument,
  createDocumentClients,
  type DocumentClient,
  isDocumentId,
} from "../../../src/issuer/clients/documents.ts";
import type { FetchedDocument } from "../../../src/issuer/clients/fetch_document.ts";

const ID = "https://app.example/oauth/client.json";
const DOCUMENT = {
  client_id: ID,
  client_name: "App",
  redirect_uris: ["http://127.0.0.1/callback"],
  grant_types: ["authorization_code", "refresh_token"],
  token_endpoint_auth_method: "none",
};

Deno.test("isDocumentId() knows addresses of documents by their only spelling", () => {
  for (const id of [ID, "https://app.example:8443/c", "https://app.example/c?v=1"]) {
    assert(isDocumentId(id), id);
  }
  for (
    const id of [
      "",
      "c1",
      "http://app.example/c",
      "https://app.example",
      "https://app.example/",
      "https://app.example/c#x",
      "https://app.example/c#",
      "https://user@app.example/c",
      "https://APP.example/c",
      "https://app.example:443/c",
      "https://app.example/a/../c",
      "https://app.example/a/%2e%2e/c",
      "https://app.example/a\\c",
      " https://app.example/c",
      "https://2130706433/c",
      `https://app.example/${"c".repeat(500)}`,
    ]
  ) assert(!isDocumentId(id), id);
});

Deno.test("clientOfDocument() takes public clients that name their own address", async (t) => {
  const found = clientOfDocument(ID, DOCUMENT);
  assert(found.kind === "found");
  assertEquals(found.client.client_id, ID);
  assertEquals(found.client.client_name, "App");
  const bad: [string, unknown][] = [
    ["another id", { ...DOCUMENT, client_id: `${ID}x` }],
    ["no id", { ...DOCUMENT, client_id: undefined }],
    ["a secret", { ...DOCUMENT, client_secret: "s" }],
    ["a method with a secret", {
      ...DOCUMENT,
      token_endpoint_auth_method: "client_secret_basic",
    }],
    ["a method with a key", { ...DOCUMENT, token_endpoint_auth_method: "private_key_jwt" }],
    ["a bad redirect", { ...DOCUMENT, redirect_uris: ["javascript:alert(1)"] }],
    ["a list", [DOCUMENT]],
    ["null", null],
  ];
  for (const [name, document] of bad) {
    await t.step(name, () => assertEquals(clientOfDocument(ID, document).kind, "unusable"));
  }
});

interface Bench {
  find: (id: string) => Promise<DocumentClient>;
  asked: string[];
  answer: FetchedDocument;
  allowed: boolean;
  now: number;
}

function bench(): Bench {
  const state: Bench = {
    find: () => Promise.reject(new Error("Not yet")),
    asked: [],
    answer: { kind: "fetched", document: DOCUMENT, cacheSeconds: 600 },
    allowed: true,
    now: Date.UTC(2026, 0, 1),
  };
  state.find = createDocumentClients({
    fetch(url) {
      state.asked.push(url);
      return Promise.resolve(state.answer);
    },
    now: () => state.now,
    allowFetch: () => Promise.resolve(state.allowed),
  });
  return state;
}

Deno.test("createDocumentClients() asks once for as long as the document says", async () => {
  const state = bench();
  await Promise.all(Array.from({ length: 10 }, () => state.find(ID)));
  await state.find(ID);
  assertEquals(state.asked, [ID]);
  state.now += 599_000;
  await state.find(ID);
  assertEquals(state.asked.length, 1);
  state.now += 2_000;
  await state.find(ID);
  assertEquals(state.asked.length, 2);
});

Deno.test("createDocumentClients() keeps a document for a sign-in even if told not to", async () => {
  const state = bench();
  state.answer = { kind: "fetched", document: DOCUMENT, cacheSeconds: 0 };
  await state.find(ID);
  state.now += 59_000;
  await state.find(ID);
  assertEquals(state.asked.length, 1);
});

Deno.test("createDocumentClients() keeps using a missing document for an hour", async () => {
  const state = bench();
  await state.find(ID);
  state.answer = { kind: "failed", fault: "gone" };
  state.now += 601_000;
  assertEquals((await state.find(ID)).kind, "found");
  state.now += 3_600_000;
  assertEquals((await state.find(ID)).kind, "unusable");
});

Deno.test("createDocumentClients() does not go on with one that became bad", async () => {
  const state = bench();
  await state.find(ID);
  state.answer = { kind: "fetched", document: { ...DOCUMENT, client_id: "x" }, cacheSeconds: 600 };
  state.now += 601_000;
  assertEquals((await state.find(ID)).kind, "unusable");
});

Deno.test("createDocumentClients() asks seldom for what fails, and not when not allowed", async () => {
  const state = bench();
  state.answer = { kind: "failed", fault: "down" };
  assertEquals(await state.find(ID), { kind: "unusable", fault: "down" });
  await state.find(ID);
  assertEquals(state.asked.length, 1);
  state.now += 31_000;
  state.allowed = false;
  assertEquals((await state.find(ID)).kind, "unusable");
  assertEquals(state.asked.length, 1);
  state.allowed = true;
  await state.find(ID);
  assertEquals(state.asked.length, 2);
});

Deno.test("createDocumentClients() looks up a few clients at once only", async () => {
  const release = Promise.withResolvers<void>();
  let running = 0;
  let most = 0;
  const full = Promise.withResolvers<void>();
  const find = createDocumentClients({
    async fetch() {
      most = Math.max(most, ++running);
      if (running === 8) full.resolve();
      await release.promise;
      running--;
      return { kind: "failed", fault: "slow" };
    },
    allowFetch: () => Promise.resolve(true),
  });
  const asked = Array.from({ length: 50 }, (_, i) => find(`${ID}?${i}`));
  await full.promise;
  await new Promise((resolve) => setTimeout(resolve, 10));
  release.resolve();
  const answers = await Promise.all(asked);
  assertEquals(most, 8);
  assertEquals(answers.filter(({ kind }) => kind === "unusable").length, 50);
});
