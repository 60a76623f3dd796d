/**
 * What a session offers: its tools, and the resources and prompts beside them.
 *
 * @module
 */
import { z } from "zod";
import { listedTools, type Message, type Tool, type TrySession } from "./mcp.ts";

const text = (length: number) => z.string().transform((value) => value.slice(0, length));
const optional = (length: number) => text(length).optional().catch(undefined);

/** A resource or a template of some; `uri` of a template has gaps in braces. */
export interface Resource {
  uri: string;
  name: string;
  description: string | undefined;
}

const ListedResource = z.looseObject({
  uri: z.string().max(2000),
  name: optional(200),
  title: optional(200),
  description: optional(2000),
});
const ListedTemplate = ListedResource.omit({ uri: true }).extend({
  uriTemplate: z.string().max(2000),
});

/** A prompt with its arguments, which are texts. */
export const Prompt = z.looseObject({
  name: z.string().max(1000),
  title: optional(200),
  description: optional(2000),
  arguments: z.array(z.looseObject({
    name: z.string().max(200),
    description: optional(1000),
    required: z.boolean().optional().catch(undefined),
  })).max(100).optional().catch(undefined),
});
export type Prompt = z.infer<typeof Prompt>;

/** Everything that the page of a session links to. */
export interface Offered {
  tools: Tool[];
  resources: Resource[];
  prompts: Prompt[];
}

const ENTRIES_MAX = 200;

/** The entries of a list that are what they should be; none where the server gives no list. */
async function listOf<T>(
  session: TrySession,
  { method, key, id }: { method: string; key: string; id: number },
  entry: z.ZodType<T>,
): Promise<T[]> {
  const { result } = await session.ask({ id, method });
  const list: unknown = Object(result)[key];
  if (!Array.isArray(list)) return [];
  return list.slice(0, ENTRIES_MAX).flatMap((one) => entry.safeParse(one).data ?? []);
}

async function resourcesOf(session: TrySession): Promise<Resource[]> {
  const listed = { method: "resources/list", key: "resources", id: 2 };
  const templates = { method: "resources/templates/list", key: "resourceTemplates", id: 3 };
  const found = [
    ...await listOf(session, listed, ListedResource),
    ...(await listOf(session, templates, ListedTemplate))
      .map(({ uriTemplate, ...rest }) => ({ ...rest, uri: uriTemplate })),
  ];
  return found.map(({ uri, title, name, description }) => ({
    uri,
    name: title ?? name ?? uri,
    description,
  }));
}

/**
 * What the session offers; null where its list of tools cannot be read.
 *
 * @param begun The answer to `initialize`, which says what there is.
 * @param listed The answer to `tools/list`.
 */
export async function offeredIn(
  session: TrySession,
  { begun, listed }: { begun: Message; listed: Message },
): Promise<Offered | null> {
  const tools = listedTools(listed);
  if (tools === null) return null;
  const capabilities = Object(Object(begun.result).capabilities) as Record<string, unknown>;
  const prompts = { method: "prompts/list", key: "prompts", id: 4 };
  return {
    tools,
    resources: Object.hasOwn(capabilities, "resources") ? await resourcesOf(session) : [],
    prompts: Object.hasOwn(capabilities, "prompts") ? await listOf(session, prompts, Prompt) : [],
  };
}
