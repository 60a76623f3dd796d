/**
 * What measurements over many servers share: the table of public servers, one audit.
 *
 * @module
 */
import { analyse } from "../../workers/analysis/audit/mod.ts";
import type { RawFinding } from "../../workers/analysis/finding.ts";
import { filesBelow } from "./folders.ts";

/** A row of the table: `repository` is `owner/name`, `folder` that of the server in it. */
export interface Server {
  repository: string;
  folder: string;
  entrypoint: string;
  /** Names of its tools; `<dynamic>` among them when some are computed. */
  tools: string[];
}

/** Reads a tab-separated table with the columns of {@link Server}. */
export function readServers(table: string): Server[] {
  const [head = "", ...rows] = Deno.readTextFileSync(table).trim().split("\n");
  const columns = head.split("\t");
  return rows.map((row) => {
    const cells = row.split("\t");
    const of = (column: string) => cells[columns.indexOf(column)] ?? "";
    const folder = of("project_folder");
    return {
      repository: of("repository"),
      folder: folder === "." || folder === "-" ? "" : folder,
      entrypoint: of("entrypoint"),
      tools: of("tools").split(",").filter((name) => name !== ""),
    };
  });
}

/** Files of a server below `root`, which holds a folder `owner__name` for each repository. */
export function serverFiles(
  root: string,
  { repository, folder, entrypoint }: Server,
): { files: Map<string, Uint8Array>; entrypoint: string } {
  const below = folder === "" ? "" : `/${folder}`;
  const files = filesBelow(`${root}/${repository.replace("/", "__")}${below}`);
  return {
    files,
    entrypoint: folder === "" ? entrypoint : entrypoint.slice(folder.length + 1),
  };
}

/** Stage 5 of a Python server, without a process. */
export async function auditServer(
  files: Map<string, Uint8Array>,
  entrypoint: string,
): Promise<{ code: RawFinding[]; mcp: RawFinding[] }> {
  return await analyse({
    lang: "python",
    entrypoint,
    files,
    options: {},
    threads: 1,
    begin: () => {},
    refuse: () => {},
  }) as { code: RawFinding[]; mcp: RawFinding[] };
}
