import { assertEquals } from "@std/assert";
import { AppError } from "../../src/errors.ts";
import * as database from "../../src/database/failures.ts";
import * as execution from "../../src/execution/failures.ts";
import * as http from "../../src/http/failures.ts";
import * as identity from "../../src/identity/failures.ts";
import * as names from "../../src/names/failures.ts";
import * as payments from "../../src/payments/failures.ts";
import * as registry from "../../src/registry/failures.ts";
import * as repository from "../../src/repository/failures.ts";
import * as web from "../../src/web/failures.ts";
import plugin from "./failures.ts";

const ROOT = new URL("../../", import.meta.url).pathname;
const INLINE = [
  'throw new AppError("conflict", "Taken");',
  'throw forbidden("owner", "Not yours");',
  'throw new ExecutionError(-32600, "invalid_request", "Not this way");',
];

function faults(file: string, source: string): number {
  return Deno.lint.runPlugin(plugin, `${ROOT}${file}`, source).length;
}

Deno.test("failures lint refuses failures that a feature makes outside its list", () => {
  for (const source of INLINE) {
    for (const file of ["src/registry/servers/create.ts", "src/http/plumbing/methods.ts"]) {
      assertEquals(faults(file, source), 1, `${file}: ${source}`);
    }
  }
});

Deno.test("failures lint lets lists, tests and checks of a failure's kind be", () => {
  for (const source of INLINE) {
    for (const file of ["src/registry/failures.ts", "src/errors.ts", "tests/http/app_test.ts"]) {
      assertEquals(faults(file, source), 0, `${file}: ${source}`);
    }
  }
  assertEquals(faults("src/http/callers.ts", "if (error instanceof AppError) throw error;"), 0);
});

/** Stands for every argument: a text, a number, a date, an object with lists. */
const ANY = Object.assign(["x"], {
  toISOString: () => "2026-05-01T00:00:00.000Z",
  slice: () => ["x"],
  issues: [],
  summary: { critical_issues: 1 },
  recommendations: [],
  pricing: { amount: 1, currency: "USD" },
  code: "conflict",
  message: "Text",
  policy: "public",
});

Deno.test("failures read as sentences without their last period, and none is made twice", () => {
  const lists = { database, execution, http, identity, names, payments, registry, repository, web };
  const owners = new Map<string, string>();
  for (const [feature, list] of Object.entries(lists)) {
    for (const [name, make] of Object.entries(list)) {
      // A class of failures, not a failure.
      if (/^[A-Z]/.test(name)) continue;
      const error = (make as (...given: unknown[]) => unknown)(ANY, ANY, ANY);
      if (!(error instanceof AppError)) continue;
      // All of its text is that of a reader.
      if (error.message === `${ANY}`) continue;
      const label = `${feature}.${name}: ${error.message}`;
      assertEquals(/^["A-Z]/.test(error.message) || error.message.startsWith("x"), true, label);
      assertEquals(
        /[.:;!?]$|to be had|\bgrave\b|\(s\)|meanwhile/.test(error.message),
        false,
        label,
      );
      const text = `${error.code} ${error.message} ${error.details.hint ?? ""}`;
      assertEquals(owners.get(text), undefined, `${label} is ${owners.get(text)} too`);
      owners.set(text, label);
    }
  }
  assertEquals(owners.size > 110, true);
});
