/**
 * `pyproject.toml`: PEP 621 dependencies, dependency groups (PEP 735), build requirements, and
 * Poetry's and PDM's own tables.
 *
 * @module
 */
import { normalName } from "../advisories/ecosystem.ts";
import { allowedBy, parseSpecifier } from "./pep508.ts";
import { mayApply } from "./markers.ts";
import { poetryRanges } from "./poetry_ranges.ts";
import { includedRequirements } from "./requirements_txt.ts";
import {
  type Allowed,
  asTable,
  entriesOf,
  itemsOf,
  type ManifestReader,
  ManifestUnreadable,
  type ReadContext,
  type Requirement,
  requirement,
} from "./requirement.ts";
import { parseToml } from "./toml.ts";

/** Where uv takes a package from in place of the index (`tool.uv.sources`). */
type Sources = ReadonlyMap<string, { from: string | null }>;

function sourcesOf(uv: Record<string, unknown> | null): Sources {
  return new Map(
    entriesOf(uv?.sources).flatMap(([name, value]) => {
      const table = asTable(Array.isArray(value) ? value[0] : value);
      const from = table?.git ?? table?.url;
      const isLocal = table?.workspace === true || typeof table?.path === "string";
      if (typeof from !== "string" && !isLocal) return [];
      return [[normalName("PyPI", name), { from: typeof from === "string" ? from : null }]];
    }),
  );
}

/** Requirements with uv's sources: folders of the repository are left out. */
function withSources(requirements: readonly Requirement[], sources: Sources): Requirement[] {
  return requirements.flatMap((requirement) => {
    const source = sources.get(requirement.name);
    if (source === undefined) return [requirement];
    if (source.from === null) return [];
    return [{ ...requirement, allowed: { kind: "elsewhere", from: source.from } as const }];
  });
}

function specifiers(list: unknown, file: string): Requirement[] {
  return itemsOf(list).flatMap((item) => {
    // Groups may include other groups; those are read by themselves.
    if (typeof item !== "string") return [];
    const parsed = parseSpecifier(item.trim());
    if (parsed === null) {
      throw new ManifestUnreadable(
        `${JSON.stringify(item.slice(0, 80))} is not a valid dependency`,
      );
    }
    const { name, allowed, applies } = parsed;
    const place = { text: item, file, line: { find: item } };
    return applies ? [requirement({ ecosystem: "PyPI", name, allowed, ...place })] : [];
  });
}

function poetryAllowed(value: unknown): Allowed | null {
  if (typeof value === "string") {
    const ranges = poetryRanges(value);
    if (ranges === null) return null;
    const [only] = ranges;
    return ranges.length === 1 ? allowedBy(only!) : { kind: "range", ranges };
  }
  const table = asTable(value);
  const from = table?.git ?? table?.url ?? table?.path;
  if (typeof from === "string") return { kind: "elsewhere", from };
  return typeof table?.version === "string" ? poetryAllowed(table.version) : null;
}

function poetryTable(value: unknown, file: string): Requirement[] {
  return entriesOf(value).filter(([name]) => name.toLowerCase() !== "python").flatMap(
    ([name, versions]) =>
      (Array.isArray(versions) ? versions : [versions]).flatMap((version) => {
        const marker = asTable(version)?.markers;
        if (typeof marker === "string" && !mayApply(marker)) return [];
        const allowed = poetryAllowed(version);
        if (allowed === null) {
          throw new ManifestUnreadable(`the version of "${name}" cannot be read`);
        }
        const shown = typeof version === "string" ? ` ${version}` : "";
        const text = `${name}${shown}`;
        return requirement({ ecosystem: "PyPI", name, allowed, text, file, line: { find: name } });
      }),
  );
}

/** Files whose lines setuptools, or a hook of Hatch, makes dependencies of. */
function dynamicFiles(tool: Record<string, unknown> | null): unknown[] {
  const dynamic = asTable(asTable(tool?.setuptools)?.dynamic);
  const hooks = asTable(asTable(asTable(tool?.hatch)?.metadata)?.hooks);
  const hook = asTable(hooks?.requirements_txt);
  const named = [
    asTable(dynamic?.dependencies)?.file,
    ...entriesOf(dynamic?.["optional-dependencies"]).map(([, extra]) => asTable(extra)?.file),
    hook?.files,
    hook?.filename,
    ...entriesOf(hook?.["optional-dependencies"]).map(([, files]) => files),
  ];
  return named.flatMap((files) => Array.isArray(files) ? files : [files]);
}

function read(text: string, context: ReadContext): Requirement[] {
  const { file } = context;
  const root = parseToml(text);
  const project = asTable(root.project);
  const tool = asTable(root.tool);
  const poetry = asTable(tool?.poetry);
  const own = project?.name ?? poetry?.name;
  if (typeof own === "string") context.declares?.(own);
  const groups = entriesOf(poetry?.group).map(([, group]) => asTable(group)?.dependencies);
  const found = [
    ...specifiers(project?.dependencies, file),
    ...entriesOf(project?.["optional-dependencies"]).flatMap(([, list]) => specifiers(list, file)),
    ...entriesOf(root["dependency-groups"]).flatMap(([, list]) => specifiers(list, file)),
    ...entriesOf(asTable(tool?.pdm)?.["dev-dependencies"]).flatMap(([, l]) => specifiers(l, file)),
    ...specifiers(asTable(tool?.uv)?.["dev-dependencies"], file),
    ...[poetry?.dependencies, poetry?.["dev-dependencies"], ...groups]
      .flatMap((table) => poetryTable(table, file)),
    ...includedRequirements(dynamicFiles(tool), context),
  ];
  return withSources(found, sourcesOf(asTable(tool?.uv)));
}

/** `pyproject.toml`. */
export const pyprojectToml: ManifestReader = {
  matches: (name) => name === "pyproject.toml",
  read,
};
