/**
 * `Cargo.lock`.
 *
 * @module
 */
import {
  asTable,
  itemsOf,
  type ManifestReader,
  ManifestUnreadable,
  type ReadContext,
  type Requirement,
  requirement,
} from "./requirement.ts";
import { parseToml } from "./toml.ts";

function readCargoLock(text: string, { file }: ReadContext): Requirement[] {
  return itemsOf(parseToml(text).package).flatMap((item) => {
    const { name, version, source } = asTable(item) ?? {};
    if (typeof name !== "string" || typeof version !== "string") {
      throw new ManifestUnreadable("a package has no name or version");
    }
    // Packages without a source are the repository's own.
    if (typeof source !== "string") return [];
    const allowed = source.startsWith("registry+") || source.startsWith("sparse+")
      ? { kind: "exact", version } as const
      : { kind: "elsewhere", from: source } as const;
    const line = { find: `name = "${name}"\nversion = "${version}"` };
    return [requirement({ ecosystem: "crates.io", name, allowed, file, line, locked: true })];
  });
}

/** `Cargo.lock`. */
export const cargoLock: ManifestReader = {
  matches: (name) => name === "Cargo.lock",
  read: readCargoLock,
};
