/**
 * Projects that lie in a server's repository and are not the server: what is known against their
 * packages is said, and cannot fail the scan.
 *
 * @module
 */
import type { Discovered, ScanInput } from "../stage.ts";
import { isGrave } from "../tally.ts";
import type { Hit, Judged } from "./judged.ts";
import type { Requirement } from "./manifest_schema.ts";

/** What is known of where a server's code lies. */
export type Placed = Partial<Pick<Discovered, "folders">>;

type Input = Pick<ScanInput, "lang" | "entrypoint"> & Placed;

/** The folder of a path with its slash; empty for the root. */
export function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/") + 1);
}

/**
 * Whether a requirement is of such a project: one in another language, or one in a folder of which
 * nothing may run. Never where the server starts programs, which may be of any project.
 */
export function isAside(
  { lang, entrypoint, folders = null }: Input,
  { ecosystem, file }: Pick<Requirement, "ecosystem" | "file">,
): boolean {
  if (lang !== "python" || folders === null) return false;
  if (ecosystem !== "PyPI") return true;
  const folder = folderOf(file);
  return !entrypoint.startsWith(folder) &&
    !folders.some((each) => `${each}/`.startsWith(folder));
}

/** A malicious package harms whoever installs the project. */
function isMalicious({ id, aliases }: Hit): boolean {
  return [id, ...aliases].some((each) => each.startsWith("MAL-"));
}

/** What hits requirements of such projects counts as medium at most. */
export function damped(input: Input, judged: readonly Judged[]): Judged[] {
  return judged.map((each) => {
    if (!isAside(input, each.requirement)) return each;
    const hits = each.hits.map((hit) =>
      isGrave(hit) && !isMalicious(hit)
        ? { ...hit, severity: "medium" as const, isAside: true }
        : hit
    );
    return { ...each, hits };
  });
}
