/**
 * What the report says of the interpreter's profiles.
 *
 * @module
 */
import { z } from "zod";
import { Build } from "./build_schema.ts";

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
      "Constructs that no profile supports (processes, threads, sockets), which fail when reached",
  }),
  environment: z.array(z.object({
    name: z.string(),
    required: z.boolean().meta({ description: "Whether the code fails without it" }),
    file: z.string(),
    line: z.int().min(1),
  })).optional().meta({
    description:
      "Environment variables that the code reads. A client passes them when it starts a " +
      "session: see the description of this API",
  }),
  build: Build.optional().meta({
    description: "Absent in reports of older versions, and where builds are off (BUILD_POLICY)",
  }),
}).meta({ id: "Compatibility" });
export type Compatibility = z.infer<typeof Compatibility>;
