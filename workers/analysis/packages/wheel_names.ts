/**
 * File names of wheels (PEP 427) and the platforms they are for (PEP 425).
 *
 * @module
 */
import { normalName } from "../advisories/ecosystem.ts";

/** Of which package and version a file is, and for which machine. */
export interface WheelName {
  /** In normal form. */
  name: string;
  version: string;
  fit: Fit;
}

/**
 * `python`: it runs anywhere. `compiled`: for the interpreter's platform. `part`: for Linux, but for
 * this version of Python, so that its Python files fit. `foreign`: the same for another platform or an
 * older version. `source`: a source distribution. `none`: of no use.
 */
export type Fit = "python" | "compiled" | "part" | "foreign" | "source" | "none";

const NAME =
  /^([A-Za-z0-9][\w.]{0,199})-([\w.!+]{1,200})(?:-\d\w{0,80})?-([\w.]+)-([\w.]+)-([\w.]+)\.whl$/;
const SOURCE_NAME = /^([A-Za-z0-9][\w.-]{0,199})-(\d[\w.!+]{0,199})\.tar\.gz$/;
const PLATFORMS = new Set([
  "pyodide_2026_0_wasm32",
  "pyemscripten_2026_0_wasm32",
  "emscripten_5_0_3_wasm32",
]);
const LINUX = /^(?:many|musl)?linux.*_x86_64$/;
/** Wheels for Windows have Python files that load its libraries. */
const UNIX = /^(?:(?:many|musl)?linux|macosx)_/;
const MINOR = 14;

/** Whether a tag is one of pure Python that this version reads. */
function isPython(tag: string): boolean {
  if (tag === "py3" || tag === `cp3${MINOR}`) return true;
  const minor = /^(?:py|cp)3(\d{1,2})$/.exec(tag)?.[1];
  return minor !== undefined && tag.startsWith("py") && Number(minor) <= MINOR;
}

/** Whether compiled code of these tags fits the interpreter, platform aside. */
function isBinary(python: string, abi: string): boolean {
  if (abi === "none") return isPython(python);
  if (python === `cp3${MINOR}`) return abi === `cp3${MINOR}` || abi === "abi3";
  const minor = /^cp3(\d{1,2})$/.exec(python)?.[1];
  return abi === "abi3" && minor !== undefined && Number(minor) <= MINOR;
}

/** Whether compiled code of these tags is for an interpreter whose Python files this one reads. */
function isOlder(python: string, abi: string): boolean {
  const minor = /^cp3(\d{1,2})$/.exec(python)?.[1];
  return isBinary(python, abi) ||
    minor !== undefined && Number(minor) <= MINOR && /^(?:none|abi3|cp3\d{1,2}[a-z]?)$/.test(abi);
}

function fitOf(pythons: string[], abis: string[], platforms: string[]): Fit {
  const pairs = pythons.flatMap((python) => abis.map((abi) => [python, abi] as const));
  if (platforms.includes("any")) {
    return pairs.some(([python, abi]) => abi === "none" && isPython(python)) ? "python" : "none";
  }
  const isOfVersion = pairs.some(([python, abi]) => isBinary(python, abi));
  if (isOfVersion && platforms.some((platform) => PLATFORMS.has(platform))) return "compiled";
  if (isOfVersion && platforms.some((platform) => LINUX.test(platform))) return "part";
  const isReadable = pairs.some(([python, abi]) => isOlder(python, abi));
  return isReadable && platforms.some((platform) => UNIX.test(platform)) ? "foreign" : "none";
}

/** Reads the file name of a wheel or source distribution; null when it is neither. */
export function readFileName(file: string): WheelName | null {
  const [, name, version] = SOURCE_NAME.exec(file) ?? [];
  if (name === undefined || file.length > 400) return readWheelName(file);
  return { name: normalName("PyPI", name), version: version!, fit: "source" };
}

/** Reads a file name; null when it is no wheel's. */
export function readWheelName(file: string): WheelName | null {
  if (file.length > 400) return null;
  const [, name, version, python, abi, platform] = NAME.exec(file) ?? [];
  if (name === undefined) return null;
  return {
    name: normalName("PyPI", name),
    version: version!,
    fit: fitOf(python!.split("."), abi!.split("."), platform!.split(".")),
  };
}
