/**
 * What a server's packages change in the rest of its report.
 *
 * @module
 */
import type { Compatibility } from "./compatibility_schema.ts";
import type { Packages } from "./packages_schema.ts";

/** Modules whose package has another name. */
const PACKAGES_OF: Readonly<Record<string, string>> = {
  bs4: "beautifulsoup4",
  cv2: "opencv-python",
  dateutil: "python-dateutil",
  docx: "python-docx",
  dotenv: "python-dotenv",
  fitz: "pymupdf",
  jwt: "pyjwt",
  multipart: "python-multipart",
  pil: "pillow",
  sklearn: "scikit-learn",
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

/**
 * `packages` with those that the code imports, and that only this installation has: elsewhere the
 * server would not start. Of what is missing, it says whether the code imports it.
 *
 * @param installed Names of the packages that every session can import here.
 */
export function withUndeclared(
  packages: Packages,
  imports: readonly string[],
  installed: readonly string[],
): Packages {
  const imported = new Set(imports.map(packageOf));
  const missing = packages.missing.map((each) =>
    imported.has(each.name) ? { ...each, imported: true } : each
  );
  // Who declares nothing at all has been told so by the missing manifest.
  if (packages.files.length === 0) return { ...packages, missing };
  const known = new Set(installed);
  const asked = new Set([...packages.resolved, ...packages.missing].map(({ name }) => name));
  const undeclared = [...imported].filter((name) =>
    known.has(name) && !asked.has(name) && !BROUGHT_BY_SDK.has(name)
  );
  return { ...packages, missing, undeclared: undeclared.sort() };
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
