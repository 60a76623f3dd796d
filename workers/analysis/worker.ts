/**
 * The thread in which analysers run: one request at a time, each file announced before it is
 * looked at.
 *
 * @module
 */
import "./no_environment.ts";
import type { HostReply, RunRequest } from "./messages.ts";
import { loadAnalyser } from "./analysers.ts";
import { FileError } from "./files/file_error.ts";
import { IN_SCANS } from "./in_scans.ts";

interface WorkerScope {
  onmessage: ((event: MessageEvent<{ request: RunRequest; body: Uint8Array }>) => void) | null;
  postMessage(message: HostReply): void;
}

const scope = globalThis as unknown as WorkerScope;

function unpack(request: RunRequest, body: Uint8Array): Map<string, Uint8Array> {
  const files = new Map<string, Uint8Array>();
  let at = 0;
  for (const { path, size } of request.files) {
    files.set(path, body.subarray(at, at + size));
    at += size;
  }
  return files;
}

/** A scan of a server in Python begins: loads what its stages need. */
async function beginScan(): Promise<void> {
  await Promise.all(IN_SCANS.map(loadAnalyser));
}

async function run(request: RunRequest, body: Uint8Array): Promise<HostReply> {
  const { id, lang, entrypoint, options, threads } = request;
  const refused: { file: string; reason: string }[] = [];
  const current: (string | null)[] = [];
  try {
    if (lang === "python" && request.analyser === "quality") await beginScan();
    const analyse = await loadAnalyser(request.analyser);
    const result = await analyse({
      lang,
      entrypoint,
      options,
      threads,
      files: unpack(request, body),
      begin(file, thread = 0) {
        if (file === (current[thread] ?? null)) return;
        current[thread] = file;
        scope.postMessage({ type: "file", id, file, thread });
      },
      refuse: (file, reason) => refused.push({ file, reason: reason.slice(0, 2000) }),
    });
    return { type: "done", id, result, not_analysable: refused };
  } catch (error) {
    const reason = error instanceof Error ? `${error.name}: ${error.message}` : "Unknown error";
    const file = error instanceof FileError ? error.file : current[0] ?? null;
    return { type: "threw", id, file, reason: reason.slice(0, 2000) };
  }
}

scope.onmessage = async ({ data }) => scope.postMessage(await run(data.request, data.body));
scope.postMessage({ type: "ready" });
