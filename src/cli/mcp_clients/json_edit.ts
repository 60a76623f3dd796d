/**
 * Changing one entry of a JSON file that people wrote: comments, order and layout stay.
 *
 * @module
 */
import { applyEdits, modify, parse, type ParseError } from "jsonc-parser";

const PARSING = { allowTrailingComma: true };

/** The servers in `text` by name. @throws {SyntaxError} When it is not valid JSON, comments aside. */
export function readJsonServers(text: string, key: string): Record<string, unknown> {
  if (text.trim() === "") return {};
  const errors: ParseError[] = [];
  const content: unknown = parse(text, errors, PARSING);
  if (errors.length > 0) {
    throw new SyntaxError(`It is not valid JSON (at character ${errors[0]!.offset})`);
  }
  if (typeof content !== "object" || content === null || Array.isArray(content)) {
    throw new SyntaxError("It is not a JSON object");
  }
  const servers: unknown = (content as Record<string, unknown>)[key] ?? {};
  if (typeof servers !== "object" || servers === null || Array.isArray(servers)) {
    throw new SyntaxError(`Its "${key}" is not an object`);
  }
  return servers as Record<string, unknown>;
}

/** How the text is indented. */
function layoutOf(text: string) {
  const [, indent] = /\n([ \t]+)\S/.exec(text) ?? [];
  const tabs = indent?.startsWith("\t") === true;
  return {
    insertSpaces: !tabs,
    tabSize: tabs || indent === undefined ? 2 : indent.length,
    eol: text.includes("\r\n") ? "\r\n" : "\n",
  };
}

/** `text` with these questions, and without others whose ids begin with `prefix`. */
export function editInputs(
  text: string,
  prefix: string,
  inputs: readonly { id: string }[],
): string {
  const before = text.trim() === "" ? "{}\n" : text;
  const content = parse(before, [], PARSING) as { inputs?: unknown };
  const present = Array.isArray(content.inputs) ? content.inputs : [];
  const others = present.filter((one) => !String(Object(one).id).startsWith(prefix));
  if (others.length === present.length && inputs.length === 0) return before;
  const all = [...others, ...inputs];
  const edits = modify(before, ["inputs"], all.length === 0 ? undefined : all, {
    formattingOptions: layoutOf(before),
  });
  return applyEdits(before, edits);
}

/** `text` with `entry` as the server `name`; null removes it. */
export function editJson(
  text: string,
  key: string,
  { name, entry }: { name: string; entry: Record<string, unknown> | null },
): string {
  const before = text.trim() === "" ? "{}\n" : text;
  const edits = modify(before, [key, name], entry ?? undefined, {
    formattingOptions: layoutOf(before),
  });
  return applyEdits(before, edits);
}
