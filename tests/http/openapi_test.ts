import { assert, assertEquals } from "@std/assert";
import { Validator } from "@seriousme/openapi-schema-validator";
import { createApp } from "../../src/http/app.ts";
import * as examples from "../../src/http/openapi/examples.ts";
import { ShownScan } from "../../src/http/scan_view.ts";
import { Profile } from "../../src/identity/schema.ts";
import { AuthorOwners, OwnAuthors } from "../../src/registry/ownership/owners_schema.ts";
import { PaymentEvent, Purchase, Sale } from "../../src/payments/schema.ts";
import { CreateServer, ServerDetail, ServerListed } from "../../src/registry/schema.ts";
import { Transfer } from "../../src/registry/ownership/transfer_schema.ts";
import { stubServices } from "./stub_services.ts";

interface Operation {
  operationId: string;
  summary?: string;
  parameters?: { name: string; in: string }[];
  requestBody?: { content: Record<string, { example?: unknown }> };
  responses: Record<string, {
    description: string;
    content?: Record<string, { example?: unknown }>;
    headers?: Record<string, unknown>;
  }>;
}

async function describe() {
  const app = createApp(stubServices().services);
  const response = await app.request("/api/v1/openapi.json");
  const document = await response.json();
  const operations: { path: string; method: string; operation: Operation }[] = [];
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(methods as Record<string, Operation>)) {
      operations.push({ path, method, operation });
    }
  }
  return { app, document, operations };
}

Deno.test("the API description is valid OpenAPI 3.1", async () => {
  const { document } = await describe();
  const validator = new Validator();
  const result = await validator.validate(structuredClone(document));
  assertEquals(result.errors ?? [], []);
  assert(result.valid);
  assertEquals(validator.version, "3.1");
});

Deno.test("the API description has every route, and only routes", async () => {
  const { app, operations } = await describe();
  const served = app.routes.filter(({ method }) => method !== "ALL")
    .map(({ method, path }) => `${method} ${path.replace(/:(\w+)/g, "{$1}")}`);
  const documented = operations.map(({ method, path }) => `${method.toUpperCase()} ${path}`);
  assertEquals([...new Set(served)].sort(), documented.sort());
});

Deno.test("the API description has examples of every body", async () => {
  const { operations } = await describe();
  for (const { operation } of operations) {
    assert(operation.summary, operation.operationId);
    const bodies = [
      ...Object.values(operation.requestBody?.content ?? {}),
      ...Object.values(operation.responses).flatMap(({ content }) =>
        content?.["application/json"] ? [content["application/json"]] : []
      ),
    ];
    for (const body of bodies) assert(body.example !== undefined, operation.operationId);
  }
});

Deno.test("the API description names the headers that responses carry", async () => {
  const { operations } = await describe();
  const expected: Record<string, string> = {
    "201": "Location",
    "202": "Location",
    "304": "ETag",
    "401": "WWW-Authenticate",
    "503": "Retry-After",
  };
  for (const { operation } of operations) {
    for (const [status, { headers }] of Object.entries(operation.responses)) {
      assert(headers?.["X-Request-Id"], `${operation.operationId} ${status}`);
      const name = expected[status];
      if (name !== undefined) assert(headers[name], `${operation.operationId} ${status} ${name}`);
    }
  }
});

Deno.test("the API description has every reference that it makes", async () => {
  const { document } = await describe();
  const references = JSON.stringify(document).matchAll(/"\$ref":"#\/components\/(\w+)\/(\w+)"/g);
  for (const [, kind, name] of references) assert(document.components[kind!][name!], name);
});

Deno.test("the API description holds nothing of the installation", async () => {
  const stub = stubServices();
  stub.services.publicUrl = "https://registry.example/berth";
  const app = createApp(stub.services);
  const document = await (await app.request("/api/v1/openapi.json")).json();
  assertEquals(document.servers[0].url, "/berth");
});

Deno.test("the examples have the shapes that the schemas give", () => {
  CreateServer.parse(examples.CREATE_EXAMPLE);
  ServerListed.parse(examples.LISTED_EXAMPLE);
  ServerDetail.parse(examples.DETAIL_EXAMPLE);
  ShownScan.parse(examples.SCAN_EXAMPLE);
  Profile.parse(examples.PROFILE_EXAMPLE);
  Transfer.parse(examples.TRANSFER_EXAMPLE);
  AuthorOwners.parse(examples.OWNERS_EXAMPLE);
  OwnAuthors.parse(examples.AUTHORS_EXAMPLE);
  PaymentEvent.parse(examples.EVENT_EXAMPLE);
  Purchase.parse(examples.PURCHASE_EXAMPLE);
  Sale.parse(examples.SALE_EXAMPLE);
});

interface Found {
  at: string;
  schema: Record<string, unknown>;
}

/** Every object of `value`, with its place in the document. */
function objectsIn(value: unknown, at = ""): Found[] {
  if (typeof value !== "object" || value === null) return [];
  const inside = Object.entries(value).flatMap(([key, item]) => objectsIn(item, `${at}/${key}`));
  return Array.isArray(value) ? inside : [{ at, schema: { ...value } }, ...inside];
}

// What ECMA-262 without flags, RE2 and the engines of Python, Java, .NET and Rust read alike: plain
// ASCII, groups, classes, bounds. No flags, look-arounds, references, nor escapes of one engine.
const PORTABLE =
  /^\^(?:[A-Za-z0-9 _@:/,=~!#%&;<>"'`-]|\\[.+*?()[\]{}^$|/-]|\[\^?(?:[A-Za-z0-9 _.+:()@,=*?$/-]|\\[\\\]-])+\]|\((?!\?)|\(\?:|[)|.+*?]|\{[0-9]+(?:,[0-9]*)?\})*\$$/;

Deno.test("every pattern of the API description is one that all generators read", async () => {
  const { document } = await describe();
  const patterns = objectsIn(document).filter(({ schema }) => typeof schema["pattern"] === "string")
    .map(({ at, schema }) => ({ at, pattern: schema["pattern"] as string }));
  assert(patterns.length > 10, String(patterns.length));
  for (const { at, pattern } of patterns) {
    assert(PORTABLE.test(pattern), `${at}: ${pattern}`);
    const plain = new RegExp(pattern);
    const unicode = new RegExp(pattern, "u");
    assertEquals(plain.source, unicode.source, at);
  }
  for (const bad of ["^[^\\0]+$", "^a$/u", "^\\p{L}$", "^(?=a)$", "^\\u0041$", "^\\w$", "a"]) {
    assert(!PORTABLE.test(bad), bad);
  }
  const source = "import json, re, sys\nfor one in json.load(sys.stdin): re.compile(one)";
  const python = new Deno.Command("python3", {
    args: ["-c", source],
    stdin: "piped",
    stderr: "piped",
  }).spawn();
  const writer = python.stdin.getWriter();
  await writer.write(new TextEncoder().encode(JSON.stringify(patterns.map((p) => p.pattern))));
  await writer.close();
  const { success, stderr } = await python.output();
  assert(success, new TextDecoder().decode(stderr));
});

Deno.test("the examples of the API description fit their patterns", async () => {
  const { document } = await describe();
  for (const { at, schema } of objectsIn(document)) {
    const { pattern, example } = schema;
    if (typeof pattern !== "string" || typeof example !== "string") continue;
    assert(new RegExp(pattern).test(example), `${at}: ${example}`);
  }
});

Deno.test("numbers in the query are described as numbers, with their bounds and defaults", async () => {
  const { operations } = await describe();
  const limits = operations.flatMap(({ operation }) => operation.parameters ?? [])
    .filter(({ name }) => name === "limit");
  assert(limits.length >= 4);
  for (const parameter of limits) {
    const { schema } = parameter as unknown as { schema: Record<string, unknown> };
    assertEquals([schema["type"], schema["minimum"]], ["integer", 1]);
    assert(Number.isInteger(schema["maximum"]) && Number.isInteger(schema["default"]));
  }
});
