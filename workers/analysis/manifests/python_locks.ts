/**
 * Lock files of Python: `poetry.lock`, `uv.lock`, `pdm.lock`, `pylock.toml` (PEP 751) and
 * `Pipfile.lock`.
 *
 * @module
 */
import { allowedBy } from "./pep508.ts";
import {
  asTable,
  entriesOf,
  itemsOf,
  type ManifestReader,
  ManifestUnreadable,
  parseJson,
  type ReadContext,
  type Requirement,
  requirement,
} from "./requirement.ts";
import { parseToml } from "./toml.ts";

/** Whether a package's source is the repository itself or another folder of it. */
function isLocal(source: Record<string, unknown> | null): boolean {
  return ["editable", "virtual", "directory", "path"].some((key) => source?.[key] !== undefined) ||
    source?.type === "directory";
}

function fromElsewhere(entry: Record<string, unknown>): string | null {
  const source = asTable(entry.source) ?? asTable(entry.vcs) ?? asTable(entry.archive);
  const from = source?.git ??
    (source?.type === "git" || source?.type === "url" ? source.url : null) ??
    asTable(entry.vcs)?.url ?? entry.git;
  return typeof from === "string" ? from : null;
}

function readToml(text: string, { file }: ReadContext): Requirement[] {
  const root = parseToml(text);
  const list = root.package ?? root.packages;
  if (list !== undefined && !Array.isArray(list)) {
    throw new ManifestUnreadable("it has no packages");
  }
  return itemsOf(list).flatMap((item) => {
    const entry = asTable(item);
    const name = entry?.name;
    if (entry === null || typeof name !== "string") {
      throw new ManifestUnreadable("a package has no name");
    }
    if (isLocal(asTable(entry.source)) || entry.path !== undefined) return [];
    const from = fromElsewhere(entry);
    const line = { find: `name = "${name}"` };
    const base = { ecosystem: "PyPI", name, file, line, locked: true } as const;
    if (from !== null) return [requirement({ ...base, allowed: { kind: "elsewhere", from } })];
    if (typeof entry.version !== "string") return [];
    return [requirement({ ...base, allowed: { kind: "exact", version: entry.version } })];
  });
}

function readPipfileLock(text: string, { file }: ReadContext): Requirement[] {
  const root = asTable(parseJson(text));
  if (root === null) throw new ManifestUnreadable("it is not an object");
  return entriesOf(root).filter(([section]) => section !== "_meta").flatMap(([, packages]) =>
    entriesOf(packages).map(([name, value]) => {
      const entry = asTable(value);
      const from = entry?.git ?? entry?.file ?? entry?.path;
      const allowed = typeof from === "string"
        ? { kind: "elsewhere", from } as const
        : allowedBy(typeof entry?.version === "string" ? entry.version : "");
      if (allowed === null) {
        throw new ManifestUnreadable(`the version of "${name}" cannot be read`);
      }
      const line = { find: `"${name}": {` };
      return requirement({ ecosystem: "PyPI", name, allowed, file, line, locked: true });
    })
  );
}

/** The lock files that are TOML, also uv's for one script (`server.py.lock`). */
export const pythonTomlLocks: ManifestReader = {
  matches: (name) => /^(?:poetry|uv|pdm)\.lock$|\.py\.lock$|^pylock(?:\.[^.]+)?\.toml$/.test(name),
  read: readToml,
};

/** `Pipfile.lock`. */
export const pipfileLock: ManifestReader = {
  matches: (name) => name === "Pipfile.lock",
  read: readPipfileLock,
};

/** `Pipfile`. */
export const pipfile: ManifestReader = {
  matches: (name) => name === "Pipfile",
  read(text, { file }) {
    const root = parseToml(text);
    const sections = Object.entries(root).filter(([name]) =>
      !["source", "requires", "scripts", "pipenv"].includes(name)
    );
    return sections.flatMap(([, packages]) =>
      entriesOf(packages).map(([name, value]) => {
        const table = asTable(value);
        const from = table?.git ?? table?.path ?? table?.file;
        const version = typeof value === "string" ? value : table?.version ?? "*";
        const allowed = typeof from === "string"
          ? { kind: "elsewhere", from } as const
          : allowedBy(version === "*" ? "" : String(version));
        if (allowed === null) {
          throw new ManifestUnreadable(`the version of "${name}" cannot be read`);
        }
        return requirement({ ecosystem: "PyPI", name, allowed, file, line: { find: name } });
      })
    );
  },
};
