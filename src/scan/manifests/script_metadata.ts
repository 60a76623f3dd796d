/**
 * Dependencies that a Python script declares in its own comments (PEP 723).
 *
 * @module
 */
import { parseSpecifier } from "./pep508.ts";
import { itemsOf, ManifestUnreadable, type Requirement, requirement } from "./requirement.ts";
import { parseToml } from "./toml.ts";

const BEGIN = "# /// script";
const END = "# ///";

/** What the script `file` declares; none when it has no such comment. */
export function readScriptMetadata(text: string, file: string): Requirement[] {
  const lines = text.split(/\r\n?|\n/);
  const begin = lines.findIndex((line) => line.trimEnd() === BEGIN);
  if (begin < 0) return [];
  const end = lines.findIndex((line, index) => index > begin && line.trimEnd() === END);
  if (end < 0) return [];
  const block = lines.slice(begin + 1, end).map((line) => line.replace(/^# ?/, ""));
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
