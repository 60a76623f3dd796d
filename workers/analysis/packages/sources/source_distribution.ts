/**
 * Source distributions of pure Python, taken for what their wheel would be without running any of
 * their code: if their metadata is written down and their modules stand where their build backend
 * looks for them. All others are refused with the reason.
 *
 * @module
 */
import { asTable, itemsOf } from "../../manifests/requirement.ts";
import { parseToml } from "../../manifests/toml.ts";
import { readMetadata } from "../index_page.ts";
import { sourceFiles } from "./tar.ts";
import type { SetupList } from "./setup_list.ts";
import { WheelRefused } from "../zip.ts";

type Files = ReadonlyMap<string, Uint8Array>;
type Table = Record<string, unknown>;

/** Where the modules of a distribution are in it: a path, and where that is installed. */
interface Module {
  from: string;
  to: string;
}

const decoder = new TextDecoder();
/** Sources that something has to be made of. */
const COMPILED = /\.(?:c|cc|cpp|cxx|cu|f|f90|for|go|m|mm|pyx|rs|swg|i|zig)$/i;
const ROOTS = ["", "src/", "lib/", "python/"];
const MAX_FILE = 4 * 2 ** 20;

function textOf(files: Files, path: string): string | null {
  const content = files.get(path);
  return content === undefined || content.length > MAX_FILE ? null : decoder.decode(content);
}

function projectOf(files: Files): Table {
  const text = textOf(files, "pyproject.toml");
  if (text === null) return {};
  try {
    return asTable(parseToml(text)) ?? {};
  } catch {
    throw new WheelRefused("its pyproject.toml cannot be read");
  }
}

function tableIn(table: Table | null, ...path: string[]): Table | null {
  return path.reduce<Table | null>((at, key) => asTable(at?.[key]), table);
}

/** Finds a module or package of this name at one of the places where projects have them. */
function moduleNamed(files: Files, name: string, roots: readonly string[] = ROOTS): Module | null {
  for (const root of roots) {
    const from = `${root}${name}`;
    if (files.has(`${from}.py`)) return { from: `${from}.py`, to: `${name}.py` };
    if ([...files.keys()].some((path) => path.startsWith(`${from}/`) && path.endsWith(".py"))) {
      return { from: `${from}/`, to: `${name}/` };
    }
  }
  return null;
}

function found(module: Module | null): Module {
  if (module === null) throw new WheelRefused("its modules are not where its name says");
  return module;
}

function moduleOfProject(files: Files, metadata: string, given?: unknown): Module {
  const name = /^name:[ \t]*(\S{1,200})/im.exec(metadata)?.[1] ?? "";
  const module = typeof given === "string" ? given : name.replaceAll(/[-.]+/g, "_");
  return found(moduleNamed(files, module) ?? moduleNamed(files, module.toLowerCase()));
}

/** The folder that setuptools leaves in what it distributes; null where distutils made it. */
function eggInfo(files: Files): string | null {
  const [path] = [...files.keys()].filter((each) =>
    /^(?:\w+\/)?[^/]+\.egg-info\/PKG-INFO$/.test(each)
  );
  return path === undefined ? null : path.slice(0, path.lastIndexOf("/") + 1);
}

/** The modules that a `setup.py` lists, with all that is beside them. */
function modulesOfList(files: Files, { names, folders }: SetupList): Module[] {
  return names.map((name) => {
    const folder = folders.get(name);
    const root = folders.get("") ?? "";
    if (folder === undefined) return found(moduleNamed(files, name, [root ? `${root}/` : ""]));
    const from = folder === "" ? "" : `${folder}/`;
    const isThere = [...files.keys()].some((path) => path.startsWith(from) && path.endsWith(".py"));
    return found(from !== "" && isThere ? { from, to: `${name}/` } : null);
  });
}

function modulesOfSetuptools(
  files: Files,
  _project: Table,
  _metadata: string,
  list: SetupList | null,
): Module[] {
  const info = eggInfo(files);
  if (info === null && list !== null) return modulesOfList(files, list);
  const names = (info === null ? "" : textOf(files, `${info}top_level.txt`) ?? "").split(/\s+/)
    .filter((name) => /^[\w.-]+$/.test(name));
  if (names.length === 0) throw new WheelRefused("what it installs is not written down");
  const there = names.map((name) => moduleNamed(files, name)).filter((each) => each !== null);
  const taken = ({ from }: Module, path: string) => path === from || path.startsWith(from);
  // setuptools passes over a module that it was told of and does not find.
  const elsewhere = names.filter((name) => moduleNamed(files, name) === null).some((name) =>
    [...files.keys()].some((path) =>
      (path.endsWith(`/${name}.py`) || path.includes(`/${name}/`)) &&
      !there.some((module) => taken(module, path))
    )
  );
  return there.length === 0 || elsewhere ? [found(null)] : there;
}

/** Requirements as setuptools writes them: sections of extras and markers. */
function requirementsOfSetuptools(text: string): string[] {
  let marker = "";
  return text.split("\n").map((line) => line.trim()).flatMap((line) => {
    const [, extra, condition] = /^\[([^:\]]*)(?::(.*))?\]$/.exec(line) ?? [];
    if (extra !== undefined) {
      const parts = [condition ? `(${condition})` : "", extra ? `extra == "${extra}"` : ""];
      marker = parts.filter((part) => part !== "").join(" and ");
      return [];
    }
    return line === "" ? [] : [marker === "" ? line : `${line} ; ${marker}`];
  });
}

function modulesOfHatch(files: Files, project: Table, metadata: string): Module[] {
  const build = tableIn(project, "tool", "hatch", "build");
  const wheel = tableIn(build, "targets", "wheel");
  const odd = ["hooks", "only-include", "force-include", "sources", "include"];
  if (odd.some((key) => build?.[key] !== undefined || wheel?.[key] !== undefined)) {
    throw new WheelRefused("its build is more than a copy of its modules");
  }
  const packages = itemsOf(wheel?.packages).filter((each) => typeof each === "string");
  if (packages.length === 0) return [moduleOfProject(files, metadata)];
  return packages.map((path) => {
    const at = path.lastIndexOf("/") + 1;
    return found(moduleNamed(files, path.slice(at), [path.slice(0, at)]));
  });
}

function modulesOfPoetry(files: Files, project: Table, metadata: string): Module[] {
  const poetry = tableIn(project, "tool", "poetry");
  if (poetry?.build !== undefined) {
    throw new WheelRefused("its build is more than a copy of its modules");
  }
  const packages = itemsOf(poetry?.packages).map(asTable);
  if (packages.length === 0) return [moduleOfProject(files, metadata)];
  return packages.map((each) => {
    const { include, from = "" } = each ?? {};
    if (typeof include !== "string" || typeof from !== "string" || /[*/]/.test(include)) {
      throw new WheelRefused("its modules are listed in a way that is not known");
    }
    return found(moduleNamed(files, include.replace(/\.py$/, ""), [from ? `${from}/` : ""]));
  });
}

/** By build backend: where the modules are. */
const BACKENDS: Record<
  string,
  (files: Files, project: Table, metadata: string, list: SetupList | null) => Module[]
> = {
  "setuptools.build_meta": modulesOfSetuptools,
  "setuptools.build_meta:__legacy__": modulesOfSetuptools,
  "hatchling.build": modulesOfHatch,
  "poetry.core.masonry.api": modulesOfPoetry,
  "flit_core.buildapi": (files, project, metadata) => [
    moduleOfProject(files, metadata, tableIn(project, "tool", "flit", "module")?.name),
  ],
};

function backendOf(project: Table) {
  const system = tableIn(project, "build-system");
  const { "build-backend": name = "setuptools.build_meta", "backend-path": own } = system ?? {};
  if (own !== undefined) throw new WheelRefused("it builds itself");
  const modules = typeof name === "string" && Object.hasOwn(BACKENDS, name)
    ? BACKENDS[name]!
    : null;
  if (modules === null) {
    throw new WheelRefused(`its build backend ${String(name).slice(0, 80)} is not known`);
  }
  return { modules, isSetuptools: modules === modulesOfSetuptools };
}

function metadataIn(files: Files): string {
  const text = textOf(files, "PKG-INFO");
  if (text === null) throw new WheelRefused("it has no metadata");
  return text;
}

/**
 * What a source distribution requires; null when its metadata does not say what it is.
 *
 * @param list What its `setup.py` lists, which counts where setuptools has left nothing.
 * @throws {WheelRefused} When there is more to do than to copy its modules.
 */
export function requirementsOfSource(
  bytes: Uint8Array,
  list: SetupList | null,
): string[] | null {
  const { files, isSetuptools } = readSource(bytes, list);
  const lines = readMetadata(metadataIn(files));
  if (lines === null || lines.length > 0 || !isSetuptools) return lines;
  const info = eggInfo(files);
  if (info === null) return list?.requires ?? [];
  return requirementsOfSetuptools(textOf(files, `${info}requires.txt`) ?? "");
}

/** A source distribution, and where its modules are. */
function readSource(bytes: Uint8Array, list: SetupList | null) {
  const files = sourceFiles(bytes);
  const code = [...files.keys()].find((path) => COMPILED.test(path));
  if (code !== undefined) {
    throw new WheelRefused(`it has code to be compiled: ${code.slice(0, 80)}`);
  }
  const project = projectOf(files);
  const { modules, isSetuptools } = backendOf(project);
  return { files, isSetuptools, modules: modules(files, project, metadataIn(files), list) };
}

/**
 * The files that the wheel of a source distribution would have.
 *
 * @throws {WheelRefused} As {@link requirementsOfSource}.
 */
export function wheelOfSource(
  bytes: Uint8Array,
  { name, version, list }: { name: string; version: string; list: SetupList | null },
): Map<string, Uint8Array> {
  const { files, isSetuptools, modules } = readSource(bytes, list);
  const installed = new Map<string, Uint8Array>();
  for (const { from, to } of modules) {
    for (const [path, content] of files) {
      const isIn = from.endsWith("/") ? path.startsWith(from) : path === from;
      if (isIn) installed.set(to + path.slice(from.length), content);
    }
  }
  const info = `${name.replaceAll("-", "_")}-${version}.dist-info/`;
  installed.set(`${info}METADATA`, files.get("PKG-INFO")!);
  const given = isSetuptools ? eggInfo(files) : null;
  const points = given === null ? undefined : files.get(`${given}entry_points.txt`);
  if (points !== undefined) installed.set(`${info}entry_points.txt`, points);
  return installed;
}
