/**
 * Whether a manifest is right about its folder.
 *
 * @module
 */
import type { FieldError } from "../../errors.ts";
import type { RepositoryFiles } from "../../repository/archive.ts";
import type { CreateServer } from "../../registry/schema.ts";
import type { CliContext } from "../context.ts";
import { detect } from "./detect.ts";
import { loader } from "../lazy.ts";

const load = loader<{
  "scan/local": typeof import("../scan/local.ts");
}>();

/** What is wrong, and what is only odd. */
export interface CheckResult {
  faults: FieldError[];
  notes: FieldError[];
}

/** Holds `manifest` against the files beside it. */
export async function checkAgainstFolder(
  context: CliContext,
  manifest: CreateServer,
  folder: string,
  files: RepositoryFiles,
): Promise<CheckResult> {
  const faults: FieldError[] = [];
  const notes: FieldError[] = [];
  const { entrypoint, lang, tools } = manifest;
  if (!files.has(entrypoint)) {
    faults.push({ path: "entrypoint", message: `file ${entrypoint} not found` });
  } else {
    const { findTools } = await load("scan/local");
    const found = await findTools(context, { files, lang, entrypoint });
    for (const name of tools?.names ?? []) {
      if (!found.includes(name)) {
        faults.push({ path: "tools.names", message: `"${name}" was not found in the source` });
      }
    }
    const undeclared = tools === undefined
      ? []
      : found.filter((name) => !tools.names.includes(name));
    for (const name of undeclared) {
      notes.push({ path: "tools.names", message: `"${name}" is in the source but not reported` });
    }
  }
  const seen = await detect(folder, files);
  if (seen.version !== "0.1.0" && seen.version !== manifest.version) {
    notes.push({
      path: "version",
      message: `${manifest.version} here, ${seen.version} in the package`,
    });
  }
  if (seen.license !== undefined && seen.license !== manifest.license) {
    notes.push({
      path: "license",
      message: `${manifest.license} here, ${seen.license} in the files`,
    });
  }
  return { faults, notes };
}
