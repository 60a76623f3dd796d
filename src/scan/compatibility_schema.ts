/**
 * What the report says of the interpreter's profiles.
 *
 * @module
 */
import { z } from "zod";
import { Build } from "./build_schema.ts";

/** What the scan proposes of a variable. */
export const ProposedVariable = z.object({
  name: z.string().max(128),
  required: z.boolean().meta({ description: "Whether the code fails without it" }),
  description: z.string().max(500).optional(),
  secret: z.boolean().optional(),
  default: z.string().max(1000).optional(),
  choices: z.array(z.string().max(500)).max(100).optional(),
  hosts: z.array(z.string().max(300)).max(20).optional().meta({
    description: "Of a key: where the code seems to send it. Counts once the author declares it",
  }),
  file: z.string().max(4096),
  line: z.int().min(1),
});

const Construct = z.object({
  construct: z.string(),
  file: z.string(),
  line: z.int().min(1),
  hint: z.string(),
  within: z.string().optional().meta({ description: "Name of the function that it is in" }),
});

/** What each interpreter profile will do with the modules that surely run. */
export const Compatibility = z.object({
  restricted: z.boolean().meta({ description: "Whether it runs under the restricted profile" }),
  refused: z.array(Construct).meta({
    description:
      "Constructs that the restricted profile does not allow: a module with any of them does not run",
  }),
  full: z.boolean().optional().meta({
    description: "Whether the full profile supports everything that the code uses",
  }),
  missing: z.array(Construct).optional().meta({
    description:
      "Constructs that no profile supports (processes, threads, sockets), which fail when reached, " +
      "and a package without which the build did not start",
  }),
  environment: z.array(ProposedVariable).optional().meta({
    description:
      "Environment variables that the code reads, with what the repository says of them. A client passes them when it starts a " +
      "session: see the description of this API",
  }),
  build: Build.optional().meta({
    description: "Absent in reports of older versions, and where builds are off (BUILD_POLICY)",
  }),
  other_build: Build.optional().meta({
    description: "What came of starting it in the other profile than this installation's. Absent " +
      "where the first start says it: what starts in the restricted profile does in the full one",
  }),
}).meta({ id: "Compatibility" });
export type Compatibility = z.infer<typeof Compatibility>;
