/**
 * Reads `workers/python/requirements.lock`, a requirements file of pip with digests.
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
      throw new SetupError(`requirements.lock has a line without version and digests: ${line}`);
    }
    return { name: match[1]!, version: match[2]!, digests: digests as string[] };
  });
}

/** The file name of a pure-Python wheel of this package. */
export function wheelName(requirement: Requirement): string {
  const name = requirement.name.toLowerCase().replace(/[-_.]+/g, "_");
  return `${name}-${requirement.version}-py3-none-any.whl`;
}
