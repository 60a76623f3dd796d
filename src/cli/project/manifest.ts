/**
 * `berth.json`: what an author publishes. Its members are those of a creation.
 *
 * @module
 */
import { join } from "node:path";
import type { FieldError } from "../../errors.ts";
import { AppError } from "../../errors.ts";
import { invalidRequest } from "../../http/validation.ts";
import { CreateServer } from "../../registry/schema.ts";
import { parseRepositoryAddress } from "../../repository/address.ts";
import { CliError, EXIT } from "../failure.ts";
import { readIfThere } from "../../files.ts";

/** Name of the file. */
export const MANIFEST = "berth.json";

/** What is wrong with a manifest, all of it at once. */
export function manifestFaults(content: unknown): FieldError[] {
  const parsed = CreateServer.safeParse(content);
  if (!parsed.success) return invalidRequest("json", parsed.error.issues).errors;
  const { url } = parsed.data.repository;
  try {
    // Which hosts a registry serves is its own affair.
    parseRepositoryAddress(url, null);
    return [];
  } catch (error) {
    if (error instanceof AppError) return error.errors;
    throw error;
  }
}

function placeOf(text: string, error: unknown): string {
  const position = /position (\d+)/.exec(String(error))?.[1];
  if (position === undefined) return "";
  const before = text.slice(0, Number(position)).split("\n");
  return ` (line ${before.length}, column ${before.at(-1)!.length + 1})`;
}

/** The manifest in `folder`, whatever is in it. */
export async function readManifest(folder: string): Promise<Record<string, unknown>> {
  const path = join(folder, MANIFEST);
  const text = await readIfThere(path);
  if (text === null) {
    throw new CliError(EXIT.failure, `No ${MANIFEST} in ${folder}`, {
      hint: "berth init",
    });
  }
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch (error) {
    throw new CliError(EXIT.failure, `${path} is not valid JSON${placeOf(text, error)}`);
  }
  if (typeof content === "object" && content !== null && !Array.isArray(content)) {
    // For editors; registries do not know it.
    const { $schema: _, ...rest } = content as Record<string, unknown>;
    return rest;
  }
  throw new CliError(EXIT.failure, `${path} is not a JSON object`);
}

/** A failure that lists `faults`. */
export function invalidManifest(faults: FieldError[]): CliError {
  const count = faults.length === 1 ? "1 error" : `${faults.length} errors`;
  return new CliError(EXIT.failure, `${MANIFEST} has ${count}`, {
    lines: faults.map(({ path, message }) => `${path || "(whole)"}: ${message}`),
    body: { status: "error", detail: `${MANIFEST} has ${count}`, errors: faults },
    hint: "Fix the errors above and try again",
  });
}
