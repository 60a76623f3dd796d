/**
 * Requests that a server sends to its client, and the answers. Both are hostile: the server is a
 * stranger's code, and so is the client.
 *
 * @module
 */
import { z } from "zod";
import type { ClientAbilities } from "./abilities.ts";
import type { RawJson } from "./raw_json.ts";

/** Methods of such requests. */
export type QuestionMethod =
  | "sampling/createMessage"
  | "elicitation/create"
  | "roots/list"
  | "ping";

const object = z.record(z.string(), z.unknown());

const textBlock = z.looseObject({ type: z.literal("text"), text: z.string() });
const mediaBlock = z.looseObject({
  type: z.enum(["image", "audio"]),
  data: z.string(),
  mimeType: z.string(),
});
const toolUse = z.looseObject({
  type: z.literal("tool_use"),
  id: z.string(),
  name: z.string(),
  input: object,
});
const toolResult = z.looseObject({
  type: z.literal("tool_result"),
  toolUseId: z.string(),
  content: z.array(z.unknown()),
});
const block = z.union([textBlock, mediaBlock, toolUse, toolResult]);
const content = z.union([block, z.array(block).max(1000)]);
const role = z.enum(["user", "assistant"]);

const samplingParams = z.looseObject({
  messages: z.array(z.looseObject({ role, content })).max(10_000),
  maxTokens: z.number(),
  tools: z.array(object).nullish(),
  toolChoice: object.nullish(),
});

const formParams = z.looseObject({
  mode: z.literal("form").nullish(),
  message: z.string(),
  requestedSchema: z.looseObject({
    type: z.literal("object"),
    properties: z.record(z.string(), object),
    required: z.array(z.string()).nullish(),
  }),
});
const urlParams = z.looseObject({
  mode: z.literal("url"),
  message: z.string(),
  url: z.url({ protocol: /^https?$/ }),
  elicitationId: z.string().min(1),
});

/** Whether the question may be sent. */
export type QuestionCheck = { ok: true } | { ok: false; code: number; message: string };

const METHOD_NOT_FOUND = -32601;
const INVALID_PARAMS = -32602;
const FINE: QuestionCheck = { ok: true };

function unsupported(what: string): QuestionCheck {
  return { ok: false, code: METHOD_NOT_FOUND, message: `The client does not support ${what}` };
}

function bad(message: string): QuestionCheck {
  return { ok: false, code: INVALID_PARAMS, message };
}

/** Every use of a tool has its result in the very next message, and nothing else has one. */
function areToolsAnswered(messages: z.infer<typeof samplingParams>["messages"]): boolean {
  let open: string[] = [];
  for (const message of messages) {
    const blocks = Array.isArray(message.content) ? message.content : [message.content];
    const results = blocks.flatMap((part) => part.type === "tool_result" ? [part.toolUseId] : []);
    if (results.toSorted().join("\0") !== open.toSorted().join("\0")) return false;
    open = blocks.flatMap((part) => part.type === "tool_use" ? [part.id] : []);
  }
  return open.length === 0;
}

function checkSampling(params: unknown, abilities: ClientAbilities): QuestionCheck {
  if (!abilities.sampling) return unsupported("sampling");
  const parsed = samplingParams.safeParse(params);
  if (!parsed.success) return bad("The parameters of sampling/createMessage are not valid");
  const { messages, tools, toolChoice } = parsed.data;
  if ((tools ?? toolChoice ?? null) !== null && !abilities.samplingTools) {
    return bad("The client does not support tools in sampling");
  }
  return areToolsAnswered(messages)
    ? FINE
    : bad("Each tool_use needs one tool_result in the next message");
}

/** Forms are flat: no property holds an object, or a list of anything but choices. */
function isFlat(property: Record<string, unknown>): boolean {
  const { type, items, properties, $ref } = property;
  if (type === "object" || properties !== undefined || $ref !== undefined) return false;
  if (type !== "array") return true;
  const choices = object.safeParse(items);
  return choices.success && (choices.data["type"] ?? "string") === "string";
}

function checkElicitation(params: unknown, abilities: ClientAbilities): QuestionCheck {
  if (object.safeParse(params).data?.["mode"] === "url") {
    if (!abilities.urls) return unsupported("elicitation by an address");
    return urlParams.safeParse(params).success
      ? FINE
      : bad("The parameters of elicitation/create are not valid");
  }
  if (!abilities.forms) return unsupported("elicitation");
  const parsed = formParams.safeParse(params);
  if (!parsed.success) return bad("The parameters of elicitation/create are not valid");
  return Object.values(parsed.data.requestedSchema.properties).every(isFlat)
    ? FINE
    : bad("requestedSchema may hold strings, numbers, booleans and choices only");
}

/** Whether a server may send this to a client with these abilities; null: without parameters. */
export function checkQuestion(
  method: QuestionMethod,
  given: RawJson | null,
  abilities: ClientAbilities,
): QuestionCheck {
  const params = given?.singleValue();
  if (given !== null && params === undefined) {
    return bad(`The parameters of ${method} hold too many values, or a name twice`);
  }
  switch (method) {
    case "sampling/createMessage":
      return checkSampling(params, abilities);
    case "elicitation/create":
      return checkElicitation(params, abilities);
    case "roots/list":
      return abilities.roots ? FINE : unsupported("roots");
    case "ping":
      return FINE;
  }
}

const field = z.union([z.string(), z.number(), z.boolean(), z.null(), z.array(z.string())]);

const ANSWERS = {
  "sampling/createMessage": z.looseObject({
    role,
    content,
    model: z.string(),
    stopReason: z.string().nullish(),
  }),
  "elicitation/create": z.looseObject({
    action: z.enum(["accept", "decline", "cancel"]),
    content: z.record(z.string(), field).nullish(),
  }),
  "roots/list": z.looseObject({
    roots: z.array(z.looseObject({
      uri: z.url({ protocol: /^file$/ }),
      name: z.string().nullish(),
    })).max(10_000),
  }),
  "ping": z.looseObject({}),
} satisfies Record<QuestionMethod, z.ZodType>;

/** Whether `result` is an answer to such a question. */
export function isAnswer(method: QuestionMethod, result: RawJson): boolean {
  return ANSWERS[method].safeParse(result.value()).success;
}
