/**
 * Packs a wheel into what sessions import from: the files that are of use, one after the other, with
 * a list of them in front, as setup packs those that every installation has.
 *
 * @module
 */
import { gzipSync } from "node:zlib";
import { normalName } from "../advisories/ecosystem.ts";
import { isForInterpreter, moduleName, neededModule, pythonModules } from "./compiled_parts.ts";
import { readMetadata } from "./index_page.ts";
import { createLinkage } from "./linkage.ts";
import type { SetupList } from "./sources/setup_list.ts";
import { requirementsOfSource, wheelOfSource } from "./sources/source_distribution.ts";
import { isSource } from "./sources/tar.ts";
import { isSame } from "./versions.ts";
import { WheelRefused, zipEntries } from "./zip.ts";

/** What came of a wheel. */
export type Packed =
  | {
    kind: "packed";
    /** Gzip, in base64. */
    content: string;
    /** Bytes without the compression. */
    size: number;
    /** Top-level modules. */
    modules: string[];
  }
  | { kind: "refused"; reason: string };

/** What a wheel was taken for, and what it may count on. */
export interface Wheel {
  name: string;
  version: string;
  /** Names of what the interpreter has for compiled modules, with spaces between them. */
  symbols: string;
  /** What the `setup.py` of a source distribution lists. */
  list?: SetupList | null;
}

const FOLDER = "/lib/packages/";
const USELESS =
  /\.(?:pyi|pyx|pxd|c|h|cpp|hpp|rst|pth|typed|pyc|dll|dylib|pyd|exe)$|(?:^|\/)(?:RECORD|WHEEL)$/;
const MAX_MODULES = 1_000;
/** Bytes of all that is kept of a wheel: so much of a node's disk, and of a session's memory. */
const MAX_BYTES = 128 * 2 ** 20;
/** As a reply holds it in base64. */
const MAX_CONTENT_BYTES = 40 * 2 ** 20;

/** Where a file of a wheel is installed; null for scripts, headers and data of other folders. */
function installedAt(path: string): string | null {
  const [, kind, rest] = /^[^/]+\.data\/([^/]+)\/(.+)$/.exec(path) ?? [];
  if (kind === undefined) return path;
  return kind === "purelib" || kind === "platlib" ? rest! : null;
}

function isLibrary(path: string): boolean {
  return /\.so(?:\.\d+)*$/.test(path);
}

/** Programs of Linux and macOS begin so; those of Windows are told by their names. */
const PROGRAMS = ["7f454c46", "cffaedfe", "cefaedfe", "cafebabe"].map((hex) =>
  Uint8Array.fromHex(hex)
);

/** Whether a file is a program, which no session can start. */
function isProgram(content: Uint8Array): boolean {
  return PROGRAMS.some((magic) => magic.every((byte, at) => content[at] === byte));
}

/**
 * Leaves of `files` what sessions import. Which compiled modules these are is read off them, not off
 * the wheel's name: what is stored under its digest follows from its bytes alone.
 */
function keepUseful(files: Map<string, Uint8Array>, symbols: ReadonlySet<string>): void {
  const fitting = new Set<string>();
  const lacking = new Set<string>();
  const python = pythonModules(files.keys());
  const lackOf = createLinkage(files, symbols);
  for (const [path, content] of files) {
    if (!isLibrary(path) || !isForInterpreter(content)) continue;
    const lack = lackOf(path);
    // Without the compiled one, the Python module of the same name is imported.
    if (lack === null) fitting.add(path);
    else if (python.has(moduleName(path))) lacking.add(path);
    else throw new WheelRefused(lack);
  }
  const others = [...files].filter(([path]) => !fitting.has(path) && !lacking.has(path));
  const needed = neededModule(new Map(others));
  if (needed !== null) {
    throw new WheelRefused(`it needs its compiled module ${needed.slice(0, 80)}`);
  }
  for (const path of [...files.keys()]) {
    const isUseless = USELESS.test(path) || isProgram(files.get(path)!);
    if (isLibrary(path) ? !fitting.has(path) : isUseless) files.delete(path);
  }
  if (others.some(([path]) => isLibrary(path)) && modulesOf(files).length === 0) {
    throw new WheelRefused("it is compiled for other machines alone");
  }
}

function moduleOf(path: string): string | null {
  const at = path.indexOf("/");
  const first = at < 0 ? path : path.slice(0, at);
  if (at >= 0) return /\.(?:dist-info|data|libs)$/.test(first) ? null : first;
  return /\.(?:py|so)$/.test(first) ? first.split(".")[0]! : null;
}

function modulesOf(files: ReadonlyMap<string, Uint8Array>): string[] {
  return [...new Set([...files.keys()].map(moduleOf))].filter((each) => each !== null).sort();
}

function headerOf(text: string, name: string): string {
  return new RegExp(`^${name}:[ \\t]*(.{1,300})$`, "im").exec(text)?.[1]?.trim() ?? "";
}

/** Checks that a wheel is of the package and version that it was taken for. */
function checkMetadata(
  files: ReadonlyMap<string, Uint8Array>,
  wheel: { name: string; version: string },
): void {
  const found = [...files].filter(([path]) => /^[^/]+\.dist-info\/METADATA$/.test(path));
  const text = found.length === 1 ? new TextDecoder().decode(found[0]![1]) : "";
  const name = normalName("PyPI", headerOf(text, "Name"));
  if (name !== wheel.name || !isSame(headerOf(text, "Version"), wheel.version)) {
    throw new WheelRefused("its metadata is of another package");
  }
}

/** What a wheel's own metadata requires; null when it has none. */
export function metadataIn(bytes: Uint8Array, list: SetupList | null = null): string[] | null {
  if (isSource(bytes)) return requirementsOfSource(bytes, list);
  const entry = zipEntries(bytes).find(({ path }) => /^[^/]+\.dist-info\/METADATA$/.test(path));
  return entry === undefined ? null : readMetadata(new TextDecoder().decode(entry.read()));
}

function filesOf(bytes: Uint8Array): Map<string, Uint8Array> {
  const files = new Map<string, Uint8Array>();
  for (const entry of zipEntries(bytes)) {
    const path = installedAt(entry.path);
    if (path === null) continue;
    if (files.has(path)) throw new WheelRefused("it has two files of one name");
    files.set(path, entry.read());
  }
  return files;
}

function pack(
  bytes: Uint8Array,
  wheel: Wheel,
): Extract<Packed, { kind: "packed" }> {
  const files = isSource(bytes)
    ? wheelOfSource(bytes, { ...wheel, list: wheel.list ?? null })
    : filesOf(bytes);
  checkMetadata(files, wheel);
  keepUseful(files, new Set(wheel.symbols.split(" ")));
  const place = `${FOLDER}${wheel.name}/`;
  const list = [...files].map(([path, content]) => [`${place}${path}`, content.length]);
  const head = new TextEncoder().encode(JSON.stringify(list));
  const length = new Uint8Array(4);
  new DataView(length.buffer).setUint32(0, head.length, true);
  const size = [...files.values()].reduce((sum, each) => sum + each.length, head.length + 4);
  if (size > MAX_BYTES) {
    throw new WheelRefused(`it is larger than ${MAX_BYTES / 2 ** 20} MiB when unpacked`);
  }
  const whole = new Uint8Array(size);
  let at = 0;
  for (const part of [length, head, ...files.values()]) {
    whole.set(part, at);
    at += part.length;
  }
  const content = new Uint8Array(gzipSync(whole, { level: 6 }));
  if (content.length > MAX_CONTENT_BYTES) {
    throw new WheelRefused(`it is larger than ${MAX_CONTENT_BYTES / 2 ** 20} MiB`);
  }
  const modules = modulesOf(files);
  if (modules.length > MAX_MODULES) throw new WheelRefused("it has too many modules");
  return { kind: "packed", content: content.toBase64(), size, modules };
}

/** Why a file is not taken, for people. */
export function reasonOf(bytes: Uint8Array, error: unknown): string {
  const reason = error instanceof WheelRefused ? error.message : "it cannot be read";
  return isSource(bytes) ? `its source distribution is not built: ${reason}` : reason;
}

/** Packs a wheel, or says why it is not taken. */
export function packWheel(
  bytes: Uint8Array,
  wheel: Wheel,
): Packed {
  try {
    return pack(bytes, wheel);
  } catch (error) {
    return { kind: "refused", reason: reasonOf(bytes, error) };
  }
}
