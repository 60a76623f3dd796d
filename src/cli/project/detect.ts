/**
 * What a folder is, as far as its files tell.
 *
 * @module
 */
import { type Detected, detectFiles } from "../../../workers/analysis/facts/detect.ts";
import { packageFacts } from "../../../workers/analysis/facts/packages.ts";
import { AppError } from "../../errors.ts";
import { parseRepositoryAddress } from "../../repository/address.ts";
import type { RepositoryFiles } from "../../repository/archive.ts";
import { findClone, nameOfFolder } from "./git.ts";

/** The repository's address, with ref and folder where the folder is not the root. */
async function repositoryOf(folder: string, declared: string | undefined) {
  const clone = await findClone(folder);
  const url = clone?.url ?? declared;
  if (url === undefined || url === null) return undefined;
  const tail = clone === null || clone.folder === ""
    ? ""
    : `/tree/${clone.branch ?? "HEAD"}/${clone.folder}`;
  try {
    parseRepositoryAddress(url + tail, null);
  } catch (error) {
    if (error instanceof AppError) return undefined;
    throw error;
  }
  return { type: "git" as const, url: url + tail };
}

/** Looks at `folder` (absolute), whose files are `files`. */
export async function detect(folder: string, files: RepositoryFiles): Promise<Detected> {
  const { repository } = packageFacts(files);
  return detectFiles(files, {
    name: nameOfFolder(folder),
    repository: await repositoryOf(folder, repository),
  });
}
