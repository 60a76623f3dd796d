/**
 * What a folder is, as far as its files tell.
 *
 * @module
 */
import { AppError } from "../../errors.ts";
import { hostOf, parseRepositoryAddress } from "../../repository/address.ts";
import type { RepositoryFiles } from "../../repository/archive.ts";
import type { Language } from "../../scan/schema.ts";
import { findClone, nameOfFolder } from "./git.ts";
import { licenceOf } from "./licence.ts";
import { packageFacts } from "./packages.ts";

/** Members of a manifest that could be found out. */
export interface Detected {
  name?: string;
  version: string;
  description?: string;
  lang?: Language;
  license?: string;
  entrypoint?: string;
  repository?: { type: "git"; url: string };
}

const LANGUAGE_OF: Record<string, Language> = {
  py: "python",
  ts: "typescript",
  mts: "typescript",
  js: "javascript",
  mjs: "javascript",
  go: "go",
  rs: "rust",
};
const NAMES = ["server", "main", "app", "index", "__main__", "cli"];
/** What starts a server, in any of the languages. */
const STARTS = /FastMCP\s*\(|\.run\s*\(|new McpServer\s*\(|mcp\.NewServer|ServerHandler/;
const DECLARES = /@\w+\.tool\b|\.tool\s*\(|registerTool\s*\(|AddTool|#\[tool/;

function languageOf(path: string): Language | undefined {
  return LANGUAGE_OF[path.split(".").at(-1)!];
}

function scoreOf(path: string, content: string): number {
  const stem = path.split("/").at(-1)!.split(".")[0]!;
  const named = NAMES.indexOf(stem);
  return (STARTS.test(content) ? 100 : 0) + (DECLARES.test(content) ? 50 : 0) +
    (named >= 0 ? 20 - named : 0) - 5 * path.split("/").length -
    (/(^|\/)(tests?|examples?|docs?)\//.test(path) ? 60 : 0);
}

/** The file that most looks as if it starts a server. */
function findEntrypoint(files: RepositoryFiles, lang: Language | undefined): string | undefined {
  const decoder = new TextDecoder();
  const scored = [...files]
    .filter(([path]) => lang === undefined ? languageOf(path) : languageOf(path) === lang)
    .filter(([path]) => !/(^|[/_.])test|\.d\.ts$/.test(path))
    .map(([path, content]) => ({ path, score: scoreOf(path, decoder.decode(content)) }))
    .sort((a, b) => b.score - a.score || (a.path < b.path ? -1 : 1));
  return scored[0]?.path;
}

/** The first sentence-like paragraph of the README. */
function readmeLine(files: RepositoryFiles): string | undefined {
  const [, content] = [...files].find(([path]) => /^readme(\.(md|rst|txt))?$/i.test(path)) ?? [];
  if (content === undefined) return undefined;
  const paragraphs = new TextDecoder().decode(content).split(/\r?\n\s*\r?\n/)
    .map((paragraph) => paragraph.replace(/\s+/g, " ").trim());
  const found = paragraphs.find((paragraph) => /^[A-Za-z][^|<>]{10,}/.test(paragraph));
  return found?.replace(/\[([^\]]+)\]\([^)]*\)/g, "$1").replace(/[*_`]/g, "").slice(0, 1000);
}

/** The repository's address, with ref and folder where the folder is not the root. */
async function repositoryOf(folder: string, declared: string | undefined) {
  const clone = await findClone(folder);
  const url = clone?.url ?? declared;
  if (url === undefined || url === null) return undefined;
  const tail = clone === null || clone.folder === ""
    ? ""
    : `/tree/${clone.branch ?? "HEAD"}/${clone.folder}`;
  try {
    parseRepositoryAddress(url + tail, [hostOf(url)]);
  } catch (error) {
    if (error instanceof AppError) return undefined;
    throw error;
  }
  return { type: "git" as const, url: url + tail };
}

/** What `files` are, as far as they tell by themselves. */
export function detectFiles(
  files: RepositoryFiles,
  named: { name?: string | undefined; repository?: Detected["repository"] | undefined },
): Detected {
  const facts = packageFacts(files);
  const entrypoint = facts.entrypoints[0] ?? findEntrypoint(files, facts.lang);
  const found = {
    name: facts.name?.slice(0, 64) ?? named.name,
    description: facts.description ?? readmeLine(files),
    lang: facts.lang ?? (entrypoint === undefined ? undefined : languageOf(entrypoint)),
    license: facts.license ?? licenceOf(files) ?? undefined,
    entrypoint,
    repository: named.repository,
  };
  const present = Object.entries(found).filter(([, value]) => value !== undefined && value !== "");
  return { version: facts.version ?? "0.1.0", ...Object.fromEntries(present) };
}

/** Looks at `folder` (absolute), whose files are `files`. */
export async function detect(folder: string, files: RepositoryFiles): Promise<Detected> {
  const { repository } = packageFacts(files);
  return detectFiles(files, {
    name: nameOfFolder(folder),
    repository: await repositoryOf(folder, repository),
  });
}
