/**
 * The MCP messages that Berth answers or looks into itself; all others are the server's.
 *
 * @module
 */
import { z } from "zod";
import type { Revision } from "./revisions.ts";

/** Levels of log messages, least urgent first (RFC 5424). */
export const LOGGING_LEVELS = [
  "debug",
  "info",
  "notice",
  "warning",
  "error",
  "critical",
  "alert",
  "emergency",
] as const;
export type LoggingLevel = (typeof LOGGING_LEVELS)[number];

const meta = z.record(z.string(), z.unknown()).nullish();

/** Parameters of `initialize`; the specification's own clients send only two of them. */
export const InitializeParams = z.looseObject({
  protocolVersion: z.string().max(64).nullish(),
  capabilities: z.record(z.string(), z.unknown()).nullish(),
  clientInfo: z.looseObject({ name: z.string(), version: z.string().nullish() }).nullish(),
  _meta: meta,
});
export type InitializeParams = z.infer<typeof InitializeParams>;

export const SetLevelParams = z.looseObject({ level: z.enum(LOGGING_LEVELS) });

/** Characters of the URI that a client watches. */
export const SUBSCRIBED_URI_MAX = 8192;

export interface ServerInfo {
  name: string;
  version: string;
  instructions: string | null;
  capabilities: Record<string, unknown>;
  /** For people. */
  title?: string | null | undefined;
  description?: string | null | undefined;
  website_url?: string | null | undefined;
  icons?: Record<string, unknown>[] | null | undefined;
}

/** Name and face of a server. */
export interface Implementation {
  name: string;
  version: string;
  title?: string;
  description?: string;
  websiteUrl?: string;
  icons?: Record<string, unknown>[];
}

export interface InitializeResult {
  protocolVersion: Revision;
  capabilities: Record<string, unknown>;
  serverInfo: Implementation;
  instructions?: string;
}

const LISTED = ["tools", "resources", "prompts"];

/**
 * What the server can, and logging, which Berth does for all. Servers may add tools, resources and
 * prompts at any time and say so, whatever they declare: the SDKs let them.
 */
function capabilitiesOf(info: ServerInfo): Record<string, unknown> {
  const capabilities: Record<string, unknown> = { ...info.capabilities, logging: {} };
  for (const name of LISTED) {
    const declared = capabilities[name];
    if (typeof declared === "object" && declared !== null) {
      capabilities[name] = { ...declared, listChanged: true };
    }
  }
  return capabilities;
}

function implementationOf(info: ServerInfo): Implementation {
  const { name, version, title, description, website_url, icons } = info;
  return {
    name,
    version,
    ...(title ? { title } : {}),
    ...(description ? { description } : {}),
    ...(website_url ? { websiteUrl: website_url } : {}),
    ...(icons ? { icons } : {}),
  };
}

export function initializeResult(revision: Revision, info: ServerInfo): InitializeResult {
  return {
    protocolVersion: revision,
    capabilities: capabilitiesOf(info),
    serverInfo: implementationOf(info),
    ...(info.instructions === null ? {} : { instructions: info.instructions }),
  };
}

/** Requests that go to the server's own code. */
export const SERVER_METHODS: ReadonlySet<string> = new Set([
  "tools/list",
  "tools/call",
  "resources/list",
  "resources/templates/list",
  "resources/read",
  "resources/subscribe",
  "resources/unsubscribe",
  "prompts/list",
  "prompts/get",
  "completion/complete",
]);
