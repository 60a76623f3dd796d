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
});

/** What each interpreter profile will do with the modules that surely run. */
export const Compatibility = z.object({
  restricted: z.boolean().meta({ description: "Whether it runs under the restricted profile" }),
  refused: z.array(Construct).meta({
    description: "What the restricted profile refuses: with any of it, nothing of the module runs",
  }),
  full: z.boolean().optional().meta({
    description: "Whether the full profile has all that is used",
  }),
  missing: z.array(Construct).optional().meta({
    description: "What no profile has: processes, threads, sockets. It fails where it is reached",
  }),
  environment: z.array(z.object({
    name: z.string(),
    required: z.boolean().meta({ description: "Whether the code fails without it" }),
    file: z.string(),
    line: z.int().min(1),
  })).optional().meta({
    description:
      "Environment variables that the code reads. A client passes them when it begins a " +
      "session, see the description of this API",
  }),
  build: Build.optional().meta({
    description: "Absent in reports of older versions, and where builds are off (BUILD_POLICY)",
  }),
}).meta({ id: "Compatibility" });
export type Compatibility = z.infer<typeof Compatibility>;
