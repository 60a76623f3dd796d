/**
 * Dependencies that a Python script declares in its own comments (PEP 723).
 *
 * @module
 */
import { Buffer } from "node:buffer";
import { parseSpecifier } from "./pep508.ts";
import { itemsOf, ManifestUnreadable, type Requirement, requirement } from "./requirement.ts";
import { parseToml } from "./toml.ts";

const BEGIN = "# /// script";
const END = "# ///";

/** Whether `content` may be a script with metadata; cheap, so that every script can be asked. */
export function hasScriptMetadata(content: Uint8Array): boolean {
  return Buffer.from(content.buffer, content.byteOffset, content.byteLength).includes(BEGIN);
}

/** The lines between the marks, without what makes them comments; null without such a block. */
function blockOf(lines: readonly string[]): string[] | null {
  const begins = lines.flatMap((line, index) => line.trimEnd() === BEGIN ? [index] : []);
  const blocks = begins.flatMap((begin) => {
    let past = begin + 1;
    while (/^#(?: |\s*$)/.test(lines[past] ?? "")) past++;
    // What is embedded may hold the closing mark itself: the last one closes.
    const end = lines.slice(0, past).findLastIndex((line) => line.trimEnd() === END);
    return end > begin ? [lines.slice(begin + 1, end)] : [];
  });
  if (blocks.length > 1) throw new ManifestUnreadable("it has more than one block of metadata");
  return blocks[0]?.map((line) => line.replace(/^# ?/, "")) ?? null;
}

/** What the script `file` declares; none when it has no such comment. */
export function readScriptMetadata(text: string, file: string): Requirement[] {
  const block = blockOf(text.split(/\r\n?|\n/));
  if (block === null) return [];
  return itemsOf(parseToml(block.join("\n")).dependencies).flatMap((item) => {
    const parsed = typeof item === "string" ? parseSpecifier(item.trim()) : null;
    if (parsed === null) {
      throw new ManifestUnreadable("its script metadata has no valid dependency");
    }
    const text = String(item);
    const { name, allowed, applies } = parsed;
    const place = { text, file, line: { find: text } };
    return applies ? [requirement({ ecosystem: "PyPI", name, allowed, ...place })] : [];
  });
}
