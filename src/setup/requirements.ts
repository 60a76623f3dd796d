/**
 * Reads the lock files in `workers/python/`: requirements files of pip with digests.
 *
 * @module
 */
import { SetupError } from "./files.ts";

/** One pinned package. */
export interface Requirement {
  name: string;
  version: string;
  /** Every accepted SHA-256 of its wheel, hex. */
  digests: string[];
}

const LINE = /^([A-Za-z0-9][A-Za-z0-9._-]*)==([A-Za-z0-9][A-Za-z0-9.!+_-]*)((?:\s+--hash=\S+)+)$/;
const DIGEST = /^--hash=sha256:([0-9a-f]{64})$/;

/**
 * The packages of a lock file.
 *
 * @throws {SetupError} When a line is not a pinned version with digests.
 */
export function parseRequirements(text: string): Requirement[] {
  const lines = text.replaceAll("\\\n", " ").split("\n").map((line) => line.trim());
  return lines.filter((line) => line !== "" && !line.startsWith("#")).map((line) => {
    const match = LINE.exec(line);
    const hashes = match?.[3]?.trim().split(/\s+/) ?? [];
    const digests = hashes.map((part) => DIGEST.exec(part)?.[1]);
    if (match === null || digests.includes(undefined)) {
      throw new SetupError(`The lock file has a line without a version and digests: ${line}`);
    }
    return { name: match[1]!, version: match[2]!, digests: digests as string[] };
  });
}

/** How the file names of this package's wheels begin. */
export function wheelPrefix(requirement: Requirement): string {
  const name = requirement.name.toLowerCase().replace(/[-_.]+/g, "_");
  return `${name}-${requirement.version}-`;
}

/** Whether a file name is that of a wheel of this package, for whatever interpreter. */
export function isWheelOf(requirement: Requirement, file: string): boolean {
  return file.endsWith(".whl") && file.toLowerCase().startsWith(wheelPrefix(requirement));
}
