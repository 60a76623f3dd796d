/**
 * What a server's packages change in the rest of its report.
 *
 * @module
 */
import standardLibrary from "./standard_library.json" with { type: "json" };
import type { Compatibility } from "./compatibility_schema.ts";
import type { Packages } from "./packages_schema.ts";

/** Modules whose package has another name. */
const PACKAGES_OF: Readonly<Record<string, string>> = {
  attr: "attrs",
  bs4: "beautifulsoup4",
  crypto: "pycryptodome",
  cv2: "opencv-python",
  dateutil: "python-dateutil",
  dns: "dnspython",
  docx: "python-docx",
  dotenv: "python-dotenv",
  fitz: "pymupdf",
  git: "gitpython",
  jwt: "pyjwt",
  markdown_it: "markdown-it-py",
  multipart: "python-multipart",
  openssl: "pyopenssl",
  pil: "pillow",
  serial: "pyserial",
  sklearn: "scikit-learn",
  websocket: "websocket-client",
  yaml: "pyyaml",
};
/** What is installed with the SDKs, which every server may count on. */
const BROUGHT_BY_SDK: ReadonlySet<string> = new Set([
  "anyio",
  "click",
  "httpx",
  "httpx-sse",
  "pydantic",
  "pydantic-core",
  "pydantic-settings",
  "pyjwt",
  "python-dotenv",
  "python-multipart",
  "rich",
  "sse-starlette",
  "starlette",
  "typer",
]);

/** The package that a module is of, by its name. */
export function packageOf(module: string): string {
  const lower = module.toLowerCase();
  return Object.hasOwn(PACKAGES_OF, lower) ? PACKAGES_OF[lower]! : lower.replaceAll("_", "-");
}

const STANDARD: ReadonlySet<string> = new Set(standardLibrary);
/** What sessions have of Berth and its interpreter, for every server. */
const BROUGHT_BY_BERTH: ReadonlySet<string> = new Set([
  "certifi",
  "charset_normalizer",
  "fastmcp",
  "hypercorn",
  "idna",
  "js",
  "mcp",
  "mcp_types",
  "nest_asyncio",
  "pyodide",
  "requests",
  "typing_extensions",
  "typing_inspection",
  "annotated_types",
  "urllib3",
  "uvicorn",
  "uvloop",
]);

/** Names that modules of the repository may have: of its files, and of the folders they are in. */
function ownModules(paths: Iterable<string>): ReadonlySet<string> {
  const own = new Set<string>();
  for (const path of paths) {
    if (!path.endsWith(".py")) continue;
    for (const part of path.slice(0, -3).split("/")) own.add(part);
  }
  return own;
}

/** Whether a package that is asked for may have a module: namespaces are shared by many. */
function mayHave(asked: string, wanted: string): boolean {
  return asked === wanted || asked.endsWith(`-${wanted}`) || asked.split("-").includes(wanted);
}

/** Tells the modules that neither the repository nor anything that every server has may bring. */
function strangersTo(packages: Packages, paths: Iterable<string>): (module: string) => boolean {
  const own = ownModules(paths);
  const modules = new Set(packages.resolved.flatMap((each) => each.modules));
  return (module) =>
    !STANDARD.has(module) && !module.startsWith("_") && !BROUGHT_BY_BERTH.has(module) &&
    !own.has(module) && !modules.has(module) && !BROUGHT_BY_SDK.has(packageOf(module));
}

/**
 * `packages` with those that the code imports and nothing asks for: elsewhere the server would not
 * start. Of what is missing, it says whether the code imports it.
 *
 * @param paths Files of the repository.
 */
export function withUndeclared(
  packages: Packages,
  imports: readonly string[],
  paths: Iterable<string>,
): Packages {
  const imported = new Set(imports.map(packageOf));
  const missing = packages.missing.map((each) =>
    imported.has(each.name) ? { ...each, imported: true } : each
  );
  // What nobody could resolve may be asked for all the same.
  if (packages.problem !== null) return { ...packages, missing };
  const isStrange = strangersTo(packages, paths);
  const asked = [...packages.resolved, ...packages.missing].map(({ name }) => name);
  const undeclared = imports.filter(isStrange).map(packageOf)
    .filter((name) => !asked.some((each) => mayHave(each, name)));
  return { ...packages, missing, undeclared: [...new Set(undeclared)].sort() };
}

function isWhole({ problem, unreached, kept }: Packages): boolean {
  return kept === true || problem === null && unreached !== true;
}

/**
 * What a scan resolved; where it could not finish, what an earlier one resolved for the same content,
 * if that is more: a server that runs goes on with what it has while the index is away.
 */
export function orKept(found: Packages, before: Packages | undefined): Packages {
  if (isWhole(found) || before === undefined) return found;
  if (!isWhole(before) && before.resolved.length <= found.resolved.length) return found;
  const { problem, unreached, duration_ms } = found;
  return {
    ...before,
    undeclared: [],
    problem: problem ?? "a source of packages did not answer",
    kept: true,
    duration_ms,
    ...(unreached === undefined ? {} : { unreached }),
  };
}

const WITHOUT = /^(?:binary wheel|C extension) \((\w+)\)$/;

/** A package that a function imports. */
const LATE = /^package \((\w+)\)$/;

/** Tells the modules that a function imports and no session of the server has. */
function lateMissing(
  packages: Packages | undefined,
  { paths, installed }: { paths: Iterable<string>; installed: ReadonlySet<string> },
): (module: string) => boolean {
  // What nobody could resolve may be there all the same.
  if (packages === undefined || packages.problem !== null) return () => false;
  const isStrange = strangersTo(packages, paths);
  const missing = new Set(packages.missing.map(({ name }) => name));
  const resolved = packages.resolved.map(({ name }) => name);
  return (module) => {
    const name = packageOf(module);
    if (!isStrange(module) || installed.has(name)) return false;
    return missing.has(name) || !resolved.some((each) => mayHave(each, name));
  };
}

/**
 * What no profile has, but for what was resolved for this server or is there for all.
 *
 * @param there Files of the repository, and the packages that every session can import.
 */
export function withResolved(
  compatibility: Compatibility | null,
  packages: Packages | undefined,
  there: { paths: Iterable<string>; installed: ReadonlySet<string> },
): Compatibility | null {
  if (compatibility?.missing === undefined) return compatibility;
  const modules = new Set(packages?.resolved.flatMap((each) => each.modules));
  const isLacking = lateMissing(packages, there);
  const missing = compatibility.missing.filter(({ construct }) => {
    const late = LATE.exec(construct)?.[1];
    return late === undefined ? !modules.has(WITHOUT.exec(construct)?.[1] ?? "") : isLacking(late);
  });
  // An audit that did not finish knows of nothing that is missing either.
  const full = compatibility.full || (missing.length === 0 && compatibility.missing.length > 0);
  return { ...compatibility, missing, full };
}
