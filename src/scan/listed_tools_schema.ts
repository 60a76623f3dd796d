/**
 * Tools as a server itself described them in its build: what a scan of the source cannot know.
 *
 * @module
 */
import { z } from "zod";

const schema = z.record(z.string(), z.unknown());

/** A tool as its server listed it. Hostile: it is shown, and decides nothing. */
export const ListedTool = z.object({
  name: z.string(),
  title: z.string().nullable(),
  description: z.string().nullable(),
  input_schema: schema.meta({ description: "JSON Schema of the arguments" }),
  output_schema: schema.nullable().meta({
    description: "JSON Schema of the structured result, where the server has one",
  }),
  annotations: z.object({
    readOnlyHint: z.boolean().optional(),
    destructiveHint: z.boolean().optional(),
    idempotentHint: z.boolean().optional(),
    openWorldHint: z.boolean().optional(),
  }).meta({ description: "Hints that the server gives about the tool" }),
}).meta({ id: "ListedTool", description: "A tool as the server listed it in its build" });
export type ListedTool = z.infer<typeof ListedTool>;

/** Signs of a tool's behaviour that servers can give. */
export const HINTS = [
  "readOnlyHint",
  "destructiveHint",
  "idempotentHint",
  "openWorldHint",
] as const satisfies (keyof ListedTool["annotations"])[];
