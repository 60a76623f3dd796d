/**
 * What a server asks for: the requirements of the project that its entrypoint belongs to, and what
 * that project's lock file says. Groups for development, tests and extras are left out.
 *
 * @module
 */
import { normalName } from "../advisories/ecosystem.ts";
import type { SourceFiles } from "../analyser.ts";
import { MAX_MANIFEST_BYTES } from "../manifests/bounds.ts";
import { poetryRanges } from "../manifests/poetry_ranges.ts";
import { asTable, entriesOf, itemsOf } from "../manifests/requirement.ts";
import { includedRequirements, requirementsTxt } from "../manifests/requirements_txt.ts";
import { blockOf } from "../manifests/script_metadata.ts";
import { decodeManifest } from "../manifests/text.ts";
import { parseToml } from "../manifests/toml.ts";
import { analyse as readSetups } from "../requirements/mod.ts";
import type { AnalyserInput } from "../analyser.ts";
import { DOCKERFILES, installedByDockerfile } from "./dockerfile.ts";
import { type Locked, readLocks } from "./locks.ts";
import { holds, readRequirement } from "./requirement.ts";
import type { Need } from "./types.ts";

/** What a server asks for. */
export interface Declared {
  needs: Need[];
  locked: Locked;
  /** Files that said so. */
  files: string[];
  /** Packages from addresses, which are not fetched. */
  elsewhere: { name: string; text: string }[];
}

/** Requirements of one server. */
const MAX_NEEDS = 500;

class Reader {
  readonly needs: Need[] = [];
  readonly elsewhere: Declared["elsewhere"] = [];
  readonly files = new Set<string>();
  readonly #sources: SourceFiles;

  constructor(sources: SourceFiles) {
    this.#sources = sources;
  }

  text(path: string): string | null {
    const content = this.#sources.get(path);
    if (content === undefined || content.length > MAX_MANIFEST_BYTES) return null;
    return decodeManifest(content);
  }

  /** Adds a requirement as it is written; what cannot be read is stage 3's to tell. */
  add(file: string, text: string, more: { specs?: string[]; marker?: string } = {}): void {
    const written = readRequirement(text.trim());
    if (written === null || !holds(`${more.marker ?? written.marker}`, [])) return;
    if (this.needs.length + this.elsewhere.length >= MAX_NEEDS) return;
    this.files.add(file);
    const { name } = written.need;
    if (written.address) this.elsewhere.push({ name, text: text.trim().slice(0, 200) });
    else this.needs.push({ ...written.need, specs: more.specs ?? written.need.specs, by: "" });
  }

  addAll(file: string, list: unknown): void {
    for (const item of itemsOf(list)) if (typeof item === "string") this.add(file, item);
  }

  /** Runs a reader of one file; a file that cannot be read says nothing here. */
  attempt(body: () => void): void {
    try {
      body();
    } catch {
      // Stage 3 reports it.
    }
  }

  context(file: string) {
    return { file, textOf: (path: string) => this.text(path), alsoRead: () => {} };
  }
}

function readPoetry(reader: Reader, file: string, table: unknown): void {
  for (const [name, value] of entriesOf(table)) {
    if (name.toLowerCase() === "python") continue;
    for (const each of Array.isArray(value) ? value : [value]) {
      const facts = asTable(each);
      if (facts?.optional === true) continue;
      const version = typeof each === "string" ? each : facts?.version;
      const marker = typeof facts?.markers === "string" ? facts.markers : "";
      const extras = itemsOf(facts?.extras).filter((extra) => typeof extra === "string");
      const text = `${name}[${extras.join(",")}]`.replace("[]", "");
      if (typeof version !== "string") {
        if (facts !== null) reader.add(file, `${text} @ elsewhere`, { marker });
        continue;
      }
      const specs = poetryRanges(version);
      if (specs !== null) reader.add(file, text, { specs, marker });
    }
  }
}

/** Packages that `tool.uv.sources` takes from elsewhere than the index. */
function uvSources(tool: Record<string, unknown> | null): Set<string> {
  const sources = entriesOf(asTable(tool?.uv)?.sources).filter(([, value]) => {
    const table = asTable(Array.isArray(value) ? value[0] : value);
    return ["git", "url", "path", "workspace"].some((key) => table?.[key] !== undefined);
  });
  return new Set(sources.map(([name]) => normalName("PyPI", name)));
}

function readPyproject(reader: Reader, file: string, text: string): void {
  const root = parseToml(text);
  const tool = asTable(root.tool);
  const project = asTable(root.project);
  const apart = uvSources(tool);
  for (const item of itemsOf(project?.dependencies)) {
    if (typeof item !== "string") continue;
    const name = readRequirement(item.trim())?.need.name;
    if (name !== undefined && apart.has(name)) reader.add(file, `${name} @ elsewhere`);
    else reader.add(file, item);
  }
  const dynamic = asTable(asTable(tool?.setuptools)?.dynamic);
  const hook = asTable(
    asTable(asTable(asTable(asTable(tool?.hatch)?.metadata)?.hooks)?.requirements_txt),
  );
  const paths = [asTable(dynamic?.dependencies)?.file, hook?.files, hook?.filename].flat();
  for (const { text, file: from } of includedRequirements(paths, reader.context(file))) {
    reader.add(from, text);
  }
  if (project?.dependencies === undefined) {
    readPoetry(reader, file, asTable(tool?.poetry)?.dependencies);
  }
}

/** `install_requires` of a `setup.cfg`. */
function readSetupCfg(reader: Reader, file: string, text: string): void {
  let section = "";
  let key = "";
  for (const line of text.split(/\r\n?|\n/)) {
    if (/^\s*([#;]|$)/.test(line)) continue;
    const header = /^\[([^\]]{1,100})\]/.exec(line)?.[1];
    if (header !== undefined) {
      section = header.trim();
      key = "";
      continue;
    }
    const given = /^\s/.test(line) ? null : /^([\w.-]{1,100})\s*[=:]\s*(.*)$/.exec(line);
    if (given !== null) key = given[1]!.toLowerCase();
    const value = (given === null ? line : given[2]!).replace(/\s#.*$/, "").trim();
    if (section === "options" && key === "install_requires" && value !== "") {
      reader.add(file, value);
    }
  }
}

function readPipfile(reader: Reader, file: string, text: string): void {
  for (const [name, value] of entriesOf(parseToml(text).packages)) {
    const version = typeof value === "string" ? value : asTable(value)?.version;
    if (typeof version !== "string") reader.add(file, `${name} @ elsewhere`);
    else reader.add(file, version === "*" ? name : `${name}${version}`);
  }
}

function readScript(reader: Reader, file: string): boolean {
  const text = reader.text(file);
  const block = text === null ? null : blockOf(text.split(/\r\n?|\n/));
  if (block === null) return false;
  const { dependencies } = parseToml(block.join("\n"));
  if (!Array.isArray(dependencies)) return false;
  reader.files.add(file);
  reader.addAll(file, dependencies);
  return true;
}

/** Folders of `file`, innermost first, each with its slash; the root as an empty text. */
function foldersOf(file: string): string[] {
  const parts = file.split("/").slice(0, -1);
  return [...parts.map((_, at) => `${parts.slice(0, parts.length - at).join("/")}/`), ""];
}

async function readFolder(reader: Reader, input: AnalyserInput, folder: string): Promise<void> {
  const pyproject = reader.text(`${folder}pyproject.toml`);
  if (pyproject !== null) {
    reader.attempt(() => readPyproject(reader, `${folder}pyproject.toml`, pyproject));
  }
  const cfg = reader.text(`${folder}setup.cfg`);
  if (cfg !== null) reader.attempt(() => readSetupCfg(reader, `${folder}setup.cfg`, cfg));
  const setup = `${folder}setup.py`;
  const content = input.files.get(setup);
  if (content !== undefined && reader.needs.length === 0) {
    const { requirements } = await readSetups({ ...input, files: new Map([[setup, content]]) });
    for (const { text } of requirements) reader.add(setup, text);
  }
  const pipfile = reader.text(`${folder}Pipfile`);
  if (pipfile !== null && reader.needs.length === 0) {
    reader.attempt(() => readPipfile(reader, `${folder}Pipfile`, pipfile));
  }
}

const REQUIREMENTS = ["requirements.txt", "requirements/base.txt", "requirements/main.txt"];

/** A file of requirements, the first that there is, counts for what the project does not ask for. */
function readRequirements(reader: Reader, folder: string, names = REQUIREMENTS): void {
  const known = new Set(reader.needs.map(({ name }) => name));
  for (const name of names) {
    const file = `${folder}${name}`;
    const text = reader.text(file);
    if (text === null) continue;
    reader.attempt(() => {
      for (const each of requirementsTxt.read(text, reader.context(file))) {
        if (known.has(each.name)) continue;
        if (each.allowed.kind === "elsewhere") reader.add(file, `${each.name} @ elsewhere`);
        else reader.add(each.file, each.text);
      }
    });
    return;
  }
}

/** What an image of the server gets: a Dockerfile counts where nothing else says what is needed. */
function readDockerfile(reader: Reader, folder: string): void {
  for (const file of DOCKERFILES.map((name) => `${folder}${name}`)) {
    const text = reader.text(file);
    if (text === null) continue;
    const { requirements, files } = installedByDockerfile(text);
    for (const each of requirements) reader.add(file, each);
    // Paths of the image: the file has the same name in the repository.
    for (const each of files) readRequirements(reader, folder, [each.split("/").at(-1)!]);
    return;
  }
}

/** What the entrypoint's script, or the project that it belongs to, asks for. */
export async function readDeclared(input: AnalyserInput): Promise<Declared> {
  const reader = new Reader(input.files);
  let isScript = false;
  reader.attempt(() => {
    isScript = readScript(reader, input.entrypoint);
  });
  let folder: string | null = null;
  for (const each of isScript ? [] : foldersOf(input.entrypoint)) {
    await readFolder(reader, input, each);
    readRequirements(reader, each);
    if (reader.files.size > 0) {
      folder = each;
      break;
    }
  }
  const { locked, file, names } = isScript
    ? readLocks(reader, [`${input.entrypoint}.lock`])
    : readLocks(reader, foldersOf(input.entrypoint));
  if (file !== null) {
    // A lock file alone is what is installed.
    if (folder === null && !isScript && reader.needs.length === 0) {
      for (const name of names) reader.add(file, name);
    }
    reader.files.add(file);
  }
  for (const each of isScript ? [] : foldersOf(input.entrypoint)) {
    if (reader.files.size === 0) readDockerfile(reader, each);
  }
  return {
    needs: reader.needs,
    locked,
    files: [...reader.files].sort(),
    elsewhere: reader.elsewhere,
  };
}
