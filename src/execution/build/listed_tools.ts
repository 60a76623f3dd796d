/**
 * The tools that a server lists in its build.
 *
 * @module
 */
import { entriesOf, nameOf } from "../../protocol/lists.ts";
import { RawJson } from "../../protocol/raw_json.ts";
import type { ToolOfBuild } from "../../scan/build.ts";
import { MAX_BUILT_TOOLS } from "../../scan/build_schema.ts";
import { HINTS, type ListedTool } from "../../scan/listed_tools_schema.ts";
import type { Interpreter } from "../interpreters/types.ts";

const LIST = "tools/list";
const PAGES_MAX = 20;
/** Characters of a name, as the gate of sessions compares them. */
const NAME_MAX = 500;
const DESCRIPTION_MAX = 1000;
const DESCRIPTION_BYTES = 64 * 1024;
/** Characters of all names and descriptions together. */
const TOTAL_MAX = 400_000;
const TITLE_MAX = 200;
/** Bytes and values of one schema, and bytes of all: reports are stored with every scan. */
const SCHEMA_BYTES = 16 * 1024;
const SCHEMA_VALUES = 1000;
const SCHEMAS_TOTAL = 128 * 1024;

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

/** What is left for schemas, in bytes. */
interface Room {
  bytes: number;
}

/** A schema that is an object within bounds; null for any other. */
function schemaOf(schema: RawJson | undefined, room: Room): ListedTool["input_schema"] | null {
  if (schema === undefined || !schema.isObject) return null;
  const { length } = schema.bytes;
  if (length > Math.min(SCHEMA_BYTES, room.bytes)) return null;
  const value = schema.value(SCHEMA_VALUES);
  if (value === undefined) return null;
  room.bytes -= length;
  return value as ListedTool["input_schema"];
}

function hintsOf(annotations: RawJson | undefined): ListedTool["annotations"] {
  const said = annotations?.pick(...HINTS) ?? {};
  const pairs = HINTS.map((hint) => [hint, said[hint]?.value(1)] as const);
  return Object.fromEntries(pairs.filter(([, value]) => typeof value === "boolean"));
}

/** What the server says of a tool; undefined where its schema is too much, or none. */
function listedOf(entry: RawJson, tool: ToolOfBuild, room: Room): ListedTool | undefined {
  const { inputSchema, outputSchema, annotations, title } = entry.pick(
    "inputSchema",
    "outputSchema",
    "annotations",
    "title",
  );
  const input_schema = schemaOf(inputSchema, room);
  if (input_schema === null) return undefined;
  return {
    ...tool,
    title: title?.string(DESCRIPTION_BYTES)?.slice(0, TITLE_MAX) ?? null,
    input_schema,
    output_schema: schemaOf(outputSchema, room),
    annotations: hintsOf(annotations),
  };
}

function toolOf(entry: RawJson, room: Room): ToolOfBuild | null {
  const name = nameOf(LIST, entry);
  if (name === null || name === "") return null;
  const description = entry.member("description")?.string(DESCRIPTION_BYTES) ?? null;
  const tool = {
    name: name.slice(0, NAME_MAX),
    description: description?.slice(0, DESCRIPTION_MAX) ?? null,
  };
  const listed = listedOf(entry, tool, room);
  return listed === undefined ? tool : { ...tool, listed };
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
): Promise<ToolOfBuild[] | null> {
  const end = performance.now() + deadlineMs;
  const found = new Map<string, ToolOfBuild>();
  const room: Room = { bytes: SCHEMAS_TOTAL };
  let total = 0;
  let params = RawJson.EMPTY;
  for (let page = 0; page < PAGES_MAX; page++) {
    const left = end - performance.now();
    const read = left > 0
      ? await readPage(interpreter, params, { deadlineMs: left, signal })
      : null;
    if (read === null) return null;
    for (const tool of read.entries.map((entry) => toolOf(entry, room))) {
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
