/**
 * `go.mod` (https://go.dev/ref/mod#go-mod-file) and `Cargo.lock`.
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

const GO_REQUIRE = /^"?([^\s"]+)"?\s+(v\d\S*)$/;

function readGoMod(text: string, { file }: ReadContext): Requirement[] {
  const found: Requirement[] = [];
  let block = "";
  text.split(/\r\n?|\n/).forEach((raw, index) => {
    const line = raw.replace(/\/\/.*$/, "").trim();
    const opened = /^(\w+)\s*\($/.exec(line);
    if (opened) block = opened[1]!;
    else if (line === ")") block = "";
    else {
      const wanted = block === "require" ? line : /^require\s+(.+)$/.exec(line)?.[1];
      if (!wanted) return;
      const match = GO_REQUIRE.exec(wanted);
      if (match === null) {
        throw new ManifestUnreadable(`line ${index + 1} is no requirement`, index + 1);
      }
      // OSV writes Go's versions without "v"; "+incompatible" is no part of their order.
      const version = match[2]!.replace(/^v/, "").replace(/\+incompatible$/, "");
      const allowed = { kind: "exact", version } as const;
      const base = { name: match[1]!, allowed, text: wanted, file, line: index + 1, locked: true };
      found.push(requirement({ ecosystem: "Go", ...base }));
    }
  });
  return found;
}

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

/** `go.mod`. */
export const goMod: ManifestReader = { matches: (name) => name === "go.mod", read: readGoMod };

/** `Cargo.lock`. */
export const cargoLock: ManifestReader = {
  matches: (name) => name === "Cargo.lock",
  read: readCargoLock,
};
