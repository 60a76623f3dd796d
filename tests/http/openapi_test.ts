import { assert, assertEquals } from "@std/assert";
import { Validator } from "@seriousme/openapi-schema-validator";
import { createApp } from "../../src/http/app.ts";
import * as examples from "../../src/http/openapi/examples.ts";
import { ShownScan } from "../../src/http/scan_view.ts";
import { Profile } from "../../src/identity/schema.ts";
import { AuthorOwners, OwnAuthors } from "../../src/registry/owners_schema.ts";
import { PaymentEvent, Purchase, Sale } from "../../src/payments/schema.ts";
import { CreateServer, ServerDetail, ServerListed } from "../../src/registry/schema.ts";
import { Transfer } from "../../src/registry/transfer_schema.ts";
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
