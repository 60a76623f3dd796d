/**
 * Getting one server.
 *
 * @module
 */
import { z } from "zod";
import { SecurityReport } from "../../scan/schema.ts";
import { CliError, EXIT, usageError } from "../failure.ts";
import { type Api, ApiFailure } from "./api.ts";

const NAME = /^[a-z0-9]+(-[a-z0-9]+)*$/;

/** A server, of which this much is used. */
export const Server = z.object({
  name: z.string(),
  version: z.string(),
  description: z.string(),
  author: z.string(),
  lang: z.string(),
  license: z.string(),
  entrypoint: z.string(),
  repository: z.object({ type: z.string(), url: z.string() }),
  tools: z.object({ count: z.number(), names: z.array(z.string()) }),
  pricing: z.object({ currency: z.string(), amount: z.number() }),
  /** Absent from older registries. */
  variables: z.array(z.object({
    name: z.string(),
    required: z.boolean(),
    secret: z.boolean(),
    description: z.string().nullable(),
    default: z.string().nullable(),
    choices: z.array(z.string()),
    hosts: z.array(z.string()),
    delivery: z.string(),
    /** Where users sign in for it; absent from older registries. */
    oauth: z.looseObject({ service: z.string().optional() }).nullish(),
    from: z.enum(["author", "scan"]),
  })).optional(),
  security_report: SecurityReport,
  /** Absent from older registries. */
  visibility: z.string().optional(),
  /** Absent from older registries. */
  capability_decision: z.object({
    state: z.enum(["waiting", "allowed", "refused"]),
    reason: z.string().nullable(),
  }).nullish(),
  source: z.object({ commit: z.string(), archive_sha256: z.string(), folder: z.string() }),
  created_at: z.string(),
  updated_at: z.string(),
});
export type Server = z.infer<typeof Server>;

/** A response with a server. */
export const ServerAnswer = z.object({ server: Server });

/** `name`, which must be one that a server can have. */
export function checkName(name: string): string {
  if (name.length <= 64 && NAME.test(name)) return name;
  throw usageError(
    `"${name}" is not a valid server name`,
    "Names are lowercase words joined by hyphens. Find servers with berth search WORD",
  );
}

/** Gets the server; `body` is the whole answer. */
export async function getServer(
  api: Api,
  name: string,
): Promise<{ body: unknown; server: Server }> {
  try {
    const { body, data } = await api.read(`/servers/${checkName(name)}`, ServerAnswer);
    return { body, server: data.server };
  } catch (error) {
    if (!(error instanceof ApiFailure) || error.status !== 404) throw error;
    throw new CliError(EXIT.failure, error.message, {
      body: error.body,
      hint: `Find similar servers with berth search ${name}`,
    });
  }
}
