/**
 * A tool's result as text.
 *
 * @module
 */
import { z } from "zod";
import { plainNumbers } from "../../protocol/raw_json.ts";
import { repeatsStructured } from "../../protocol/results.ts";
import { oneLine, safe } from "../output/terminal_text.ts";

/** A result, of which this much is shown. */
export const ToolResult = z.looseObject({
  content: z.array(z.looseObject({ type: z.string() })).default([]),
  structuredContent: z.unknown().optional(),
  isError: z.boolean().optional(),
});
export type ToolResult = z.infer<typeof ToolResult>;

type Block = ToolResult["content"][number];

function sizeOf(data: unknown): string {
  const length = typeof data === "string" ? Math.floor(data.length * 3 / 4) : 0;
  return `${length} bytes`;
}

function blockText(block: Block): string {
  if (block.type === "text") return safe(String(block["text"] ?? ""));
  if (block.type === "resource_link") {
    return `[${oneLine(String(block["name"] ?? "resource"), 100)}] ${
      oneLine(String(block["uri"]))
    }`;
  }
  if (block.type === "resource") {
    const resource = block["resource"] as Record<string, unknown> | undefined;
    if (typeof resource?.["text"] === "string") return safe(resource["text"]);
    return `[resource ${oneLine(String(resource?.["uri"]))}]`;
  }
  const kind = oneLine(String(block["mimeType"] ?? ""), 60);
  return `[${oneLine(block.type, 40)} ${kind}, ${sizeOf(block["data"])}]`;
}

/** The content, a block after the other. */
export function contentText(result: ToolResult): string {
  return result.content.map((block) => `${blockText(block).replace(/\n$/, "")}\n`).join("");
}

/** The structured content, where the text does not say the same already. */
export function structuredText(result: ToolResult): string {
  const { structuredContent: structured } = result;
  if (structured === undefined || structured === null) return "";
  const texts = result.content.filter(({ type }) => type === "text")
    .map(({ text }) => String(text));
  return repeatsStructured(texts, plainNumbers(structured))
    ? ""
    : `${safe(JSON.stringify(structured, null, 2))}\n`;
}
