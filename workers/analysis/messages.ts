/**
 * Every message between the service and an analysis host. The host takes only the types from here;
 * the service parses what the host says, since a host that read hostile source may say anything.
 *
 * @module
 */
import { z } from "zod";
import { MAX_THREADS } from "./host_bounds.ts";

/** The analysers, each a folder of `workers/analysis/`. */
const ANALYSERS = [
  "quality",
  "discovery",
  "manifests",
  "advisories",
  "secrets",
  "audit",
  "readme",
  "facts",
  "packages",
  "icon",
  "card",
] as const;
export type AnalyserName = (typeof ANALYSERS)[number];

/** A request to run one analyser; the frame's body is the files' contents in the listed order. */
export interface RunRequest {
  type: "run";
  id: number;
  analyser: AnalyserName;
  lang: string;
  entrypoint: string;
  options: Record<string, unknown>;
  /** Whether a scan goes on in this process: the engines of its language are loaded beside, then. */
  ahead?: boolean;
  /** Threads that may look at files side by side. With one, a crash is always laid at one door. */
  threads: number;
  files: { path: string; size: number }[];
}

const id = z.int().min(0);
const path = z.string().max(4096);
const reason = z.string().max(2000);

/** A file that could not be analysed, which is never the same as a clean one. */
export const NotAnalysable = z.object({ file: path, reason });
export type NotAnalysable = z.infer<typeof NotAnalysable>;

export const HostReply = z.discriminatedUnion("type", [
  /** Once, when the host can take work. */
  z.object({ type: z.literal("ready") }),
  /**
   * Before the work on a file, so that a crash or a hang can be laid at its door; null when a thread
   * has none. Each thread works on one file at a time.
   */
  z.object({
    type: z.literal("file"),
    id,
    file: path.nullable(),
    thread: z.int().min(0).max(MAX_THREADS - 1),
  }),
  /** The analyser's result. */
  z.object({
    type: z.literal("done"),
    id,
    result: z.unknown(),
    not_analysable: z.array(NotAnalysable).max(100_000),
  }),
  /** An engine threw. Its memory may be damaged, so the host must not be used again. */
  z.object({ type: z.literal("threw"), id, file: path.nullable(), reason }),
]);
export type HostReply = z.infer<typeof HostReply>;
