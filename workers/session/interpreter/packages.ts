/**
 * Packages that a session's Python code imports: its host hands them over as messages, as the worker
 * may read nothing.
 *
 * @module
 */
import type { BootFile } from "./boot.ts";

export type { BootFile };
import type { Send } from "./send.ts";

/** Matches packages to what asked for them. */
export interface PackageBridge {
  /** Has the files of a package written; whether there is one of that name. */
  take(name: string): Promise<boolean>;
  /** `bytes`: its files, packed; null when there is none of that name. */
  done(request: number, bytes: Uint8Array | null): void;
  /** Packages that were asked for and are not there yet. */
  open(): number;
  /** Names of those whose files were written. */
  readonly taken: readonly string[];
  /** Writes the files of a package that a parked session had. */
  takeAgain(name: string, bytes: Uint8Array): void;
}

const HEAD_BYTES = 4;

/** The files of a package as setup packed them: length of a JSON head, the head, the contents. */
export function unpackPackage(bytes: Uint8Array): BootFile[] {
  const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
  let at = HEAD_BYTES + length;
  const head = new TextDecoder().decode(bytes.subarray(HEAD_BYTES, at));
  return (JSON.parse(head) as [path: string, bytes: number][]).map(([path, size]) => ({
    path,
    bytes: bytes.subarray(at, at += size),
  }));
}

/** Files in the form of a packed package: length of a JSON head, the head, the contents. */
export function packFiles(files: readonly BootFile[]): Uint8Array<ArrayBuffer> {
  const head = new TextEncoder().encode(
    JSON.stringify(files.map(({ path, bytes }) => [path, bytes.length])),
  );
  const size = files.reduce((sum, { bytes }) => sum + bytes.length, 0);
  const packed = new Uint8Array(HEAD_BYTES + head.length + size);
  new DataView(packed.buffer).setUint32(0, head.length, true);
  packed.set(head, HEAD_BYTES);
  let at = HEAD_BYTES + head.length;
  for (const { bytes } of files) {
    packed.set(bytes, at);
    at += bytes.length;
  }
  return packed;
}

/** A bridge that asks with `send` and has files written with `write`. */
export function createPackageBridge(
  send: Send,
  write: (files: BootFile[]) => void,
): PackageBridge {
  const waiting = new Map<number, { name: string; resolve: (found: boolean) => void }>();
  const taken: string[] = [];
  let last = 0;

  function writeTaken(name: string, bytes: Uint8Array): void {
    write(unpackPackage(bytes));
    taken.push(name);
  }

  return {
    taken,
    takeAgain: writeTaken,
    open: () => waiting.size,
    take(name) {
      const request = ++last;
      return new Promise((resolve) => {
        waiting.set(request, { name, resolve });
        send({ type: "package", request, name });
      });
    },
    done(request, bytes) {
      const asked = waiting.get(request);
      if (asked === undefined) return;
      waiting.delete(request);
      if (bytes !== null) writeTaken(asked.name, bytes);
      asked.resolve(bytes !== null);
    },
  };
}
