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
  const own = ownModules(paths);
  const modules = new Set(packages.resolved.flatMap((each) => each.modules));
  const asked = [...packages.resolved, ...packages.missing].map(({ name }) => name);
  const undeclared = imports.filter((module) =>
    !STANDARD.has(module) && !module.startsWith("_") && !BROUGHT_BY_BERTH.has(module) &&
    !own.has(module) && !modules.has(module)
  ).map(packageOf).filter((name) =>
    !BROUGHT_BY_SDK.has(name) && !asked.some((each) => mayHave(each, name))
  );
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

/** What no profile has, but for what was resolved for this server. */
export function withResolved(
  compatibility: Compatibility | null,
  packages: Packages | undefined,
): Compatibility | null {
  if (compatibility?.missing === undefined || packages === undefined) return compatibility;
  const modules = new Set(packages.resolved.flatMap((each) => each.modules));
  const missing = compatibility.missing.filter(({ construct }) =>
    !modules.has(WITHOUT.exec(construct)?.[1] ?? "")
  );
  // An audit that did not finish knows of nothing that is missing either.
  const full = compatibility.full || (missing.length === 0 && compatibility.missing.length > 0);
  return { ...compatibility, missing, full };
}
