/** What scans are given in tests. */
import { sha256Of } from "../../src/bytes.ts";
import type { ScanInput } from "../../src/scan/stage.ts";

/** A scan of `files`, a Python server whose entrypoint is `server.py` unless `changes` say else. */
export async function scanInput(
  files: Record<string, string | Uint8Array>,
  changes: Partial<ScanInput> = {},
): Promise<ScanInput> {
  const encoder = new TextEncoder();
  const entries = Object.entries(files).map(([path, content]): [string, Uint8Array] => [
    path,
    typeof content === "string" ? encoder.encode(content) : content,
  ]).sort(([a], [b]) => (a < b ? -1 : 1));
  const archive = encoder.encode(JSON.stringify(files));
  return {
    repository: {
      owner: "acme",
      name: "weather",
      url: "https://github.com/acme/weather",
      ref: null,
      folder: "",
      commit: "1".repeat(40),
      archive,
      sha256: await sha256Of(archive),
      files: new Map(entries),
      bytes: entries.reduce((sum, [, content]) => sum + content.length, 0),
      isPrivate: false,
    },
    lang: "python",
    entrypoint: "server.py",
    tools: null,
    serverName: "weather",
    ...changes,
  };
}
