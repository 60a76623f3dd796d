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

/** Whether a file may be a Python script: by its ending, or since it is the one that runs. */
export function isScript(path: string, entrypoint: string): boolean {
  return path === entrypoint || /\.pyw?$/i.test(path);
}

/** Whether `content` may be a script with metadata; cheap, so that every script can be asked. */
export function hasScriptMetadata(content: Uint8Array): boolean {
  return Buffer.from(content.buffer, content.byteOffset, content.byteLength).includes(BEGIN);
}

/** Whether a line may stand in a block: `#`, alone or with a blank behind it. */
function isComment(line: string): boolean {
  return line.startsWith("#") && (line[1] === " " || line.trimEnd() === "#");
}

/** The lines between the marks, without what makes them comments; null without such a block. */
export function blockOf(lines: readonly string[]): string[] | null {
  let found: { begin: number; end: number } | null = null;
  // The last closing mark of the run of comments that a line stands in: what is embedded may hold
  // the mark itself. Each line is looked at once, from the end.
  let end = -1;
  for (let index = lines.length - 1; index >= 0; index--) {
    const line = lines[index]!;
    const mark = line.trimEnd();
    if (mark === BEGIN && end > index) {
      if (found !== null) throw new ManifestUnreadable("it has more than one metadata block");
      found = { begin: index, end };
    }
    if (!isComment(line)) end = -1;
    else if (mark === END && end < 0) end = index;
  }
  return found === null
    ? null
    : lines.slice(found.begin + 1, found.end).map((line) => line.replace(/^# ?/, ""));
}

/** What the script `file` declares; none when it has no such comment. */
export function readScriptMetadata(text: string, file: string): Requirement[] {
  const block = blockOf(text.split(/\r\n?|\n/));
  if (block === null) return [];
  return itemsOf(parseToml(block.join("\n")).dependencies).flatMap((item) => {
    const parsed = typeof item === "string" ? parseSpecifier(item.trim()) : null;
    if (parsed === null) {
      throw new ManifestUnreadable("its script metadata has an invalid dependency");
    }
    const text = String(item);
    const { name, allowed, applies } = parsed;
    const place = { text, file, line: { find: text } };
    return applies ? [requirement({ ecosystem: "PyPI", name, allowed, ...place })] : [];
  });
}
