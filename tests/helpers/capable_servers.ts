/**
 * Servers whose scan finds that their tools run what their callers write.
 *
 * @module
 */
import type { Capabilities, Runs } from "../../src/scan/capabilities_schema.ts";
import type { ScanInput } from "../../src/scan/stage.ts";
import type { SecurityReport } from "../../src/scan/schema.ts";
import { reportOn } from "./registry.ts";

/** Capabilities with a place for each kind. */
export function capabilitiesOf(kinds: readonly Runs[]): Capabilities {
  return {
    runs: kinds.map((kind, at) => ({
      kind,
      tools: [`run_${kind}`],
      file: "server.py",
      line: at + 3,
    })),
    hosts: [],
    files: false,
    keys: [],
  };
}

/**
 * A scan that passes, and finds what the server's name says: `sql-code-store` runs SQL and code,
 * `network-files-store` names a host and uses files.
 */
export function namedScan(request: ScanInput): Promise<SecurityReport> {
  const words = request.serverName.split("-");
  const kinds = (["sql", "commands", "code"] as const).filter((kind) => words.includes(kind));
  const capabilities = {
    ...capabilitiesOf(kinds),
    hosts: words.includes("network") ? ["api.example.com"] : [],
    files: words.includes("files"),
  };
  return Promise.resolve({ ...reportOn(request), capabilities });
}
