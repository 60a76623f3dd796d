import { assertEquals } from "@std/assert";
import plugin from "./layers.ts";

const ROOT = new URL("../../", import.meta.url).pathname;

function faults(file: string, source: string): string[] {
  return Deno.lint.runPlugin(plugin, `${ROOT}${file}`, source).map((d) => d.message);
}

const ALLOWED: [string, string][] = [
  ["main.ts", 'import "./src/services.ts";'],
  ["src/http/app.ts", 'import "../registry/create.ts"; import { Hono } from "hono";'],
  ["src/registry/create.ts", 'import "../database/client.ts"; import "../errors.ts";'],
  ["src/registry/create.ts", 'import "../identity/caller.ts"; import "../names/users.ts";'],
  ["src/issuer/clients/fetch_document.ts", 'import { dial } from "../../egress/dial.ts";'],
  ["src/execution/sessions/sessions.ts", 'import "../../workers/session/bodies.ts";'],
  ["tests/workers/session_test.ts", 'import "../../src/errors.ts";'],
  ["tests/http/app_test.ts", 'import "../../src/http/app.ts"; Deno.env.get("CI");'],
];

const REFUSED: [string, string][] = [
  ["src/registry/create.ts", 'import "../http/app.ts";'],
  ["src/registry/create.ts", 'import { Hono } from "hono";'],
  ["src/names/users.ts", 'import type { Caller } from "../identity/caller.ts";'],
  ["src/identity/caller.ts", 'import { findServer } from "../registry/store.ts";'],
  ["src/egress/dial.ts", 'import "../execution/execution.ts";'],
  ["src/http/app.ts", 'import { page } from "../web/web.ts";'],
  ["src/database/client.ts", 'import { x } from "../registry/store.ts";'],
  ["src/errors.ts", 'export * from "./database/client.ts";'],
  ["src/http/app.ts", 'import "../../main.ts";'],
  ["workers/session/host.ts", 'import type { Config } from "../../src/config.ts";'],
  ["src/scan/pipeline.ts", 'import "../../tests/helpers/x.ts";'],
  ["src/scan/pipeline.ts", 'Deno.env.get("HOME");'],
  ["src/scan/pipeline.ts", "Deno.exit(1);"],
];

Deno.test("layers lint lets imports go down, and tests go anywhere", () => {
  for (const [file, source] of ALLOWED) {
    assertEquals(faults(file, source), [], `${file}: ${source}`);
  }
});

Deno.test("layers lint refuses imports that go up, and process access outside entry files", () => {
  for (const [file, source] of REFUSED) {
    assertEquals(faults(file, source).length, 1, `${file}: ${source}`);
  }
});
