/**
 * The HTML of an index (PEP 503): its anchors, in whatever shape they are written.
 *
 * @module
 */
import { readFileName } from "./wheel_names.ts";

/** Longest name and value of an attribute, and longest label, in characters. */
const ATTRIBUTE =
  /[\s/]*([^\s"'<>/=]{1,60})(?:\s*=\s*(?:"([^"]{0,4000})"|'([^']{0,4000})'|([^\s"'>][^\s>]{0,4000})))?/y;
const MAX_LABEL = 4_000;
const ENTITIES: Record<string, string> = { gt: ">", lt: "<", quot: '"', apos: "'", amp: "&" };

function unescape(text: string): string {
  return text.replace(
    /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(gt|lt|quot|apos|amp));/gi,
    (_, ...found) => {
      const [decimal, hex, name] = found as (string | undefined)[];
      if (name !== undefined) return ENTITIES[name.toLowerCase()]!;
      const code = decimal === undefined ? parseInt(hex!, 16) : Number(decimal);
      return code <= 0x10ffff ? String.fromCodePoint(code) : "";
    },
  );
}

interface Tag {
  /** Attributes by name. */
  found: Map<string, string>;
  /** Where it ends, or where it stops being a tag. */
  end: number;
  isWhole: boolean;
}

/** Reads the tag whose attributes begin at `at`. */
function tagAt(text: string, at: number): Tag {
  const found = new Map<string, string>();
  for (let end = at;;) {
    ATTRIBUTE.lastIndex = end;
    const [whole, name, ...values] = ATTRIBUTE.exec(text) ?? [];
    if (whole === undefined) {
      const rest = /[\s/]*>/y;
      rest.lastIndex = end;
      const isWhole = rest.test(text);
      return { found, end: isWhole ? rest.lastIndex : end, isWhole };
    }
    end += whole.length;
    const value = values.find((each) => each !== undefined) ?? "";
    if (!found.has(name!.toLowerCase())) found.set(name!.toLowerCase(), unescape(value));
  }
}

/** The name of the file that an anchor is of: its label, or what its address ends in. */
function fileNameOf(label: string, address: string): string {
  const text = unescape(label.replace(/<[^<>]{0,1000}>/g, "")).trim();
  if (readFileName(text) !== null) return text;
  const last = address.split(/[?#]/, 1)[0]!.split("/").at(-1)!;
  try {
    return decodeURIComponent(last);
  } catch {
    return last;
  }
}

/** The files that a page lists, as the JSON of an index has them; at most `most`. */
export function filesInHtml(text: string, most: number): Record<string, unknown>[] {
  const files: Record<string, unknown>[] = [];
  const opening = /<a(?=[\s/>])/gi;
  const closing = /<\/a\s{0,100}>/gi;
  while (files.length < most && opening.exec(text) !== null) {
    const tag = tagAt(text, opening.lastIndex);
    // Nothing is read twice, however many tags have no end.
    opening.lastIndex = tag.end;
    if (!tag.isWhole) continue;
    closing.lastIndex = tag.end;
    const close = closing.exec(text);
    if (close === null) break;
    opening.lastIndex = close.index;
    const { found } = tag;
    const href = found.get("href") ?? "";
    const core = found.get("data-core-metadata") ?? found.get("data-dist-info-metadata");
    files.push({
      filename: fileNameOf(text.slice(tag.end, close.index).slice(0, MAX_LABEL), href),
      url: href.split("#", 1)[0]!,
      hashes: { sha256: /[#&]sha256=([0-9a-f]{64})(?:&|$)/i.exec(href)?.[1] },
      "requires-python": found.get("data-requires-python"),
      ...(found.has("data-yanked") ? { yanked: found.get("data-yanked")! } : {}),
      ...(core === undefined ? {} : { "core-metadata": { sha256: core.replace("sha256=", "") } }),
    });
  }
  return files;
}
