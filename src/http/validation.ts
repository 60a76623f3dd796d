/**
 * Turns what a schema says about a request into a failure for people and programs.
 *
 * @module
 */
import type { Context } from "hono";
import type { z } from "zod";
import type { AppError, FieldError } from "../errors.ts";
import { issueText } from "../issues.ts";
import { invalidFields } from "./failures.ts";

const MAX_ERRORS = 100;
const MAX_PATH = 200;

type Issue = z.core.$ZodIssue;
type Target = "json" | "query" | "param" | "header" | "cookie" | "form";

const PLACES: Partial<Record<Target, string>> = {
  json: "request body",
  query: "query",
  form: "form",
};

function fieldErrors(issue: Issue): FieldError[] {
  const path = issue.path.map(String);
  function at(...more: string[]): string {
    return [...path, ...more].join(".").slice(0, MAX_PATH);
  }
  if (issue.code === "unrecognized_keys") {
    return issue.keys.slice(0, MAX_ERRORS).map((key) => ({ path: at(key), message: "is unknown" }));
  }
  return [{ path: at(), message: issueText(issue) }];
}

/** The first fault of each field: what is empty need not be told what else it is not. */
function firstOfEach(errors: FieldError[]): FieldError[] {
  const paths = new Set<string>();
  return errors.filter(({ path }) => paths.size < paths.add(path).size);
}

/**
 * The 400 of a request whose `target` does not have the shape it must have.
 *
 * @param repeated Names of query parameters that came more than once: no parameter is a list.
 */
export function invalidRequest(
  target: Target,
  issues: readonly Issue[],
  repeated: readonly string[] = [],
): AppError {
  const all = [
    ...repeated.map((path) => ({ path, message: "must not be repeated" })),
    ...issues.slice(0, MAX_ERRORS).flatMap(fieldErrors),
  ];
  const errors = firstOfEach(all).slice(0, MAX_ERRORS);
  return invalidFields(PLACES[target] ?? "request", errors);
}

/** For `OpenAPIHono`'s `defaultHook`. @throws {AppError} When validation failed. */
export function refuseInvalid(
  result: { success: boolean; target: string; error?: { issues: readonly Issue[] } },
  c: Context,
): void {
  if (result.success) return;
  const repeated = result.target !== "query"
    ? []
    : Object.entries(c.req.queries()).filter(([, values]) => values.length > 1)
      .map(([name]) => name.slice(0, MAX_PATH));
  throw invalidRequest(result.target as Target, result.error?.issues ?? [], repeated);
}
