/**
 * What administrators answer for servers that run what their callers write (`CAPABILITY_POLICY=ask`).
 *
 * @module
 */
import { z } from "zod";
import { pageLimit } from "../../numbers.ts";
import { CapabilityDecision, DeclaredRun, Runs } from "../../scan/capabilities_schema.ts";
import { ScanStatus } from "../../scan/schema.ts";
import { proseText } from "../../text/characters.ts";
import { ServerName } from "../schema.ts";

/** Where a server stands. */
const DecisionState = CapabilityDecision.shape.state;

const AnswerName = z.enum(["allow", "refuse"]);

const kinds = z.array(Runs);

/** An administrator's answer to one server. */
export const AnswerCapabilities = z.strictObject({
  answer: AnswerName,
  capabilities: kinds.min(1).max(Runs.options.length).meta({
    description: "The server's capabilities as you saw them: if it has others by now, nothing is " +
      "stored (409)",
  }),
  reason: proseText(z.string().trim().min(1).max(1000)).meta({
    description: "Why. Everyone can read it on the server's page",
    example: "Reads a database of public figures only",
  }),
}).meta({ id: "AnswerCapabilities" });
export type AnswerCapabilities = z.infer<typeof AnswerCapabilities>;

/** The last answer, whether or not it still holds. */
const StoredAnswer = z.object({
  answer: AnswerName,
  capabilities: kinds.meta({ description: "What the answer covers" }),
  reason: z.string(),
  by: z.string().nullable().meta({ description: "Username of the administrator" }),
  at: z.iso.datetime(),
});

/** A server with capabilities, as administrators decide on it. */
export const CapabilityCase = z.object({
  name: ServerName,
  version: z.string(),
  author: z.string(),
  owner: z.string().nullable().meta({ description: "Username" }),
  scan_status: ScanStatus,
  updated_at: z.iso.datetime(),
  state: DecisionState,
  capabilities: kinds,
  runs: z.array(DeclaredRun).meta({ description: "The evidence: tools, files and lines" }),
  answer: StoredAnswer.nullable().meta({
    description: "The last answer. A server that waits may have one, for fewer capabilities or " +
      "for another owner",
  }),
}).meta({ id: "CapabilityCase" });
export type CapabilityCase = z.infer<typeof CapabilityCase>;

/** Query of the list of cases. */
export const CapabilityQuery = z.strictObject({
  state: DecisionState.default("waiting"),
  limit: pageLimit({ max: 100, standard: 50 }),
  cursor: ServerName.optional().meta({ description: "next_cursor of the previous page" }),
});
export type CapabilityQuery = z.infer<typeof CapabilityQuery>;
