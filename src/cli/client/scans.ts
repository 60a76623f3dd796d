/**
 * Waiting for a scan at the registry.
 *
 * @module
 */
import { z } from "zod";
import { StageProgress } from "../../scan/schema.ts";
import type { Cli } from "../cli.ts";
import { CliError, EXIT } from "../failure.ts";
import { createProgress } from "../output/progress.ts";
import { type Api, apiFailure } from "./api.ts";
import { readEvents } from "./events.ts";

/** A scan, of which this much is used. */
export const Scan = z.object({
  id: z.string(),
  server: z.string(),
  state: z.enum(["running", "stored", "refused"]),
  stages: z.array(StageProgress),
  outcome: z.object({ status: z.enum(["passed", "failed", "error"]) }).nullable(),
  failure: z.unknown(),
  failure_status: z.number().nullable(),
});
export type Scan = z.infer<typeof Scan>;

const ScanAnswer = z.object({ scan: Scan });
/** Streams that end early are opened again this often before it is polled. */
const MAX_STREAMS = 5;
const POLL_MS = 2000;

/** The last state that a stream of events tells of; null when it ends before the scan does. */
async function follow(
  response: Response,
  update: (scan: Scan) => void,
): Promise<Scan | null> {
  for await (const { data } of readEvents(response)) {
    const parsed = Scan.safeParse(JSON.parse(data));
    if (!parsed.success) continue;
    update(parsed.data);
    if (parsed.data.state !== "running") return parsed.data;
  }
  return null;
}

/** Waits until the scan at `path` (below `/api/v1`) has ended, showing its progress. */
async function waitForEnd(cli: Cli, api: Api, path: string): Promise<Scan> {
  const progress = createProgress(cli);
  const signal = cli.context.interrupted();
  const update = (scan: Scan) => progress.update(scan.stages);
  try {
    for (let turn = 0; turn < MAX_STREAMS; turn++) {
      const response = await api.send(path, {
        headers: { accept: "text/event-stream" },
        auth: "required",
        signal,
      });
      const ended = await follow(response, update).catch(() => null);
      signal.throwIfAborted();
      if (ended !== null) return ended;
    }
    for (;;) {
      const { data } = await api.read(path, ScanAnswer, { auth: "required", signal });
      update(data.scan);
      if (data.scan.state !== "running") return data.scan;
      await cli.context.sleep(POLL_MS, signal);
    }
  } finally {
    progress.finish();
  }
}

/**
 * Waits for the scan that `response` (202) began.
 *
 * @throws {CliError} When the scan was refused: as if the request itself had been.
 */
export async function waitForScan(cli: Cli, api: Api, response: Response): Promise<Scan> {
  await response.body?.cancel();
  const location = response.headers.get("location");
  const [, path] = /(\/scans\/[\w-]+)$/.exec(location ?? "") ?? [];
  if (path === undefined) {
    throw new CliError(EXIT.failure, "The registry did not return the address of the scan");
  }
  const scan = await waitForEnd(cli, api, path);
  if (scan.state === "refused") {
    throw await apiFailure(Response.json(scan.failure, { status: scan.failure_status ?? 500 }));
  }
  return scan;
}
