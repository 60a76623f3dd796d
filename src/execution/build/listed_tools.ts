/**
 * The tools that a server lists in its build.
 *
 * @module
 */
import { entriesOf, nameOf } from "../../protocol/lists.ts";
import { RawJson } from "../../protocol/raw_json.ts";
import { type BuiltTool, MAX_BUILT_TOOLS } from "../../scan/build_schema.ts";
import type { Interpreter } from "../interpreters/types.ts";

const LIST = "tools/list";
const PAGES_MAX = 20;
/** Characters of a name, as the gate of sessions compares them. */
const NAME_MAX = 500;
const DESCRIPTION_MAX = 1000;
const DESCRIPTION_BYTES = 64 * 1024;
/** Characters of all names and descriptions together. */
const TOTAL_MAX = 400_000;

interface Page {
  entries: RawJson[];
  cursor: RawJson | undefined;
}

async function readPage(
  interpreter: Pick<Interpreter, "request">,
  params: RawJson,
  options: { deadlineMs: number; signal: AbortSignal },
): Promise<Page | null> {
  const outcome = await interpreter.request(LIST, params, { ...options, requestId: 1 });
  if (outcome.kind !== "result") return null;
  const entries = entriesOf(LIST, outcome.result, MAX_BUILT_TOOLS);
  if (!Array.isArray(entries)) return null;
  const cursor = outcome.result.member("nextCursor");
  return { entries, cursor: cursor?.isString ? cursor : undefined };
}

function toolOf(entry: RawJson): BuiltTool | null {
  const name = nameOf(LIST, entry);
  if (name === null || name === "") return null;
  const description = entry.member("description")?.string(DESCRIPTION_BYTES) ?? null;
  return {
    name: name.slice(0, NAME_MAX),
    description: description?.slice(0, DESCRIPTION_MAX) ?? null,
  };
}

/**
 * The tools of a server, each name once; null when it lists none, more than a list may have, or
 * does not answer in time.
 *
 * @param options.deadlineMs Milliseconds for all pages together.
 */
export async function listTools(
  interpreter: Pick<Interpreter, "request">,
  { deadlineMs, signal }: { deadlineMs: number; signal: AbortSignal },
): Promise<BuiltTool[] | null> {
  const end = performance.now() + deadlineMs;
  const found = new Map<string, BuiltTool>();
  let total = 0;
  let params = RawJson.EMPTY;
  for (let page = 0; page < PAGES_MAX; page++) {
    const left = end - performance.now();
    const read = left > 0
      ? await readPage(interpreter, params, { deadlineMs: left, signal })
      : null;
    if (read === null) return null;
    for (const tool of read.entries.map(toolOf)) {
      if (tool === null || found.has(tool.name)) continue;
      total += tool.name.length + (tool.description?.length ?? 0);
      if (found.size >= MAX_BUILT_TOOLS || total > TOTAL_MAX) return null;
      found.set(tool.name, tool);
    }
    if (read.cursor === undefined) return [...found.values()];
    params = RawJson.of({ cursor: read.cursor });
  }
  return null;
}
