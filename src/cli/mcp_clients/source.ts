/**
 * The scanned source of a server, in a folder here.
 *
 * @module
 */
import { dirname, join } from "node:path";
import { readArchive, type RepositoryFiles } from "../../repository/archive.ts";
import { MAX_ARCHIVE_BYTES } from "../../repository/fetch_limits.ts";
import { sha256Of } from "../../bytes.ts";
import type { Api } from "../client/api.ts";
import type { Server } from "../client/server.ts";
import { CliError, EXIT } from "../failure.ts";

async function readBounded(response: Response): Promise<Uint8Array> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > MAX_ARCHIVE_BYTES) throw new CliError(EXIT.failure, "The archive is too large");
    chunks.push(chunk);
  }
  return await new Blob(chunks).bytes();
}

/**
 * Downloads exactly what the scan looked at.
 *
 * @throws {CliError} When the bytes are not those that the report names.
 */
export async function downloadSource(api: Api, server: Server): Promise<RepositoryFiles> {
  const response = await api.send(`/servers/${server.name}/archive`, { timeoutMs: 120_000 });
  const bytes = await readBounded(response);
  const digest = await sha256Of(bytes);
  if (digest !== server.source.archive_sha256) {
    throw new CliError(
      EXIT.failure,
      `The archive is not the one that was scanned: SHA-256 ${digest}, not ` +
        server.source.archive_sha256,
      { hint: "A new version may have just been published. Try again" },
    );
  }
  return await readArchive(bytes, server.source.folder);
}

/** Whether `folder` has anything in it. */
export async function isOccupied(folder: string): Promise<boolean> {
  try {
    for await (const _ of Deno.readDir(folder)) return true;
    return false;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}

/** Writes files below `folder`; their paths were checked when the archive was read. */
export async function writeSource(folder: string, files: RepositoryFiles): Promise<void> {
  for (const [path, content] of files) {
    const place = join(folder, path);
    await Deno.mkdir(dirname(place), { recursive: true });
    // Not through a link that somebody put there.
    await Deno.remove(place).catch(() => {});
    await Deno.writeFile(place, content, { createNew: true });
  }
}
