/**
 * What was scanned, and is the only thing that runs.
 *
 * @module
 */
import { z } from "zod";

const count = z.int().min(0);

/** What was read as code: nothing else is compiled in a session. */
export const ScannedCode = z.object({
  files: z.array(z.string()).meta({ description: "Paths of the files", example: ["server.py"] }),
  texts: z.array(z.string()).meta({
    description: "SHA-256 of the literal texts that the code compiles",
  }),
  computed: z.boolean().meta({
    description: "Whether the code compiles computed text, which the audit has examined",
  }),
  imports: z.array(z.string().max(200)).max(500).optional().meta({
    description:
      "Top-level modules that are imported whenever the server starts. Reports of older versions lack it",
    example: ["mcp", "pydantic"],
  }),
  modules: z.array(z.string().max(200)).max(500).optional().meta({
    description:
      "Dotted names that are imported whenever the server starts: modules, or names in modules. " +
      "Reports of older versions lack it",
    example: ["mcp.server.fastmcp", "mcp.server.fastmcp.FastMCP"],
  }),
}).meta({ id: "ScannedCode" });
export type ScannedCode = z.infer<typeof ScannedCode>;

/** The exact content that was scanned, and that runs. */
export const Source = z.object({
  commit: z.string(),
  ref: z.string().nullable(),
  folder: z.string().meta({ description: "Folder of the repository, empty for its root" }),
  archive_sha256: z.string(),
  files: count,
  bytes: count.meta({ description: "Uncompressed size of the files" }),
  scanned: ScannedCode.optional().meta({
    description: "Python only. Reports of older versions lack it",
  }),
  ignored_links: z.array(z.object({ path: z.string(), reason: z.string() })).optional().meta({
    description: "Symbolic links that are neither scanned nor run, with the reason",
    example: [{ path: "data", reason: "points outside the repository" }],
  }),
}).meta({ id: "Source" });
export type Source = z.infer<typeof Source>;
