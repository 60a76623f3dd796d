/**
 * The message that gives an interpreter its server.
 *
 * @module
 */
import type { LoadOptions } from "../../../workers/session/bodies.ts";
import type { SlotCommand } from "./slot.ts";
import { listOf } from "./parking.ts";
import type { CodeInput } from "./types.ts";

/** Where the repository's files are for Python. */
const ROOT = "/app";

/** Message and body that hand over a server's files, packages and environment. */
export function opening(
  { entrypoint, profile, environment, files, scanned = null, packages }: CodeInput,
  { memoryMb, image }: { memoryMb: number; image: string | null },
): { message: SlotCommand; body: Uint8Array[] } {
  const options: LoadOptions = {
    root: ROOT,
    entrypoint,
    profile,
    environment,
    scanned,
    memory_mb: memoryMb,
    packages: packages?.told ?? null,
  };
  const message = {
    type: "open",
    options: JSON.stringify(options),
    files: listOf(files),
    image,
    packages: packages?.files ?? {},
  } as const;
  return { message, body: [...files.values()] };
}
