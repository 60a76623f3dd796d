/**
 * Resources and prompts on the page of a session.
 *
 * @module
 */
import { z } from "zod";
import type { PageRequest } from "../layout/context.ts";
import { Form, TextField } from "../layout/forms.tsx";
import { Alert } from "../layout/parts.tsx";
import type { Message, TrySession } from "./mcp.ts";
import type { Prompt, Resource } from "./offered.ts";
import { Item } from "./result/view.tsx";

const ITEMS_MAX = 50;
const URI_MAX = 4000;
const MESSAGE_MAX = 4000;
/** Beginning of the names of fields for a prompt's arguments. */
const ARGUMENT = "prompt-";

/** What a server gave for a resource or a prompt, and the values that were sent. */
export interface Asked {
  answer: Message;
  sent: URLSearchParams;
}

const Contents = z.looseObject({
  contents: z.array(z.looseObject({
    uri: z.string().optional().catch(undefined),
    mimeType: z.string().optional().catch(undefined),
    text: z.string().optional().catch(undefined),
    blob: z.string().optional().catch(undefined),
  })),
});
const Messages = z.looseObject({
  messages: z.array(z.looseObject({ role: z.string().max(40), content: z.unknown() })),
});

/** The items of an answer as content of a result, each with who says it. */
function itemsOf({ result }: Message): { who: string | null; item: unknown }[] | null {
  const resource = Contents.safeParse(result).data;
  if (resource !== undefined) {
    return resource.contents.map(({ blob, mimeType, text, ...rest }) => ({
      who: null,
      item: blob === undefined
        ? { type: "resource", resource: { ...rest, text: text ?? "" } }
        : { type: mimeType?.split("/")[0] ?? "blob", data: blob, mimeType },
    }));
  }
  const prompt = Messages.safeParse(result).data;
  return prompt?.messages.map(({ role, content }) => ({ who: role, item: content })) ?? null;
}

function Answer({ answer }: { answer: Message }) {
  const items = answer.error === undefined ? itemsOf(answer) : null;
  if (items === null) {
    return (
      <Alert>
        <p class="pre">
          <bdi>{answer.error?.message.slice(0, MESSAGE_MAX) ?? "The answer could not be read"}</bdi>
        </p>
      </Alert>
    );
  }
  return (
    <section aria-labelledby="result-title">
      <h3 id="result-title" tabindex={-1}>Result</h3>
      {items.slice(0, ITEMS_MAX).map(({ who, item }, index) => (
        <>
          {who === null ? null : (
            <h4>
              <bdi>{who}</bdi>
            </h4>
          )}
          <Item item={item} number={index + 1} />
        </>
      ))}
      {items.length > ITEMS_MAX
        ? <p class="quiet">and {items.length - ITEMS_MAX} more items</p>
        : null}
    </section>
  );
}

/** A resource: what it is, and its content once it was read. */
export function ResourceView(
  { request, base, resource, asked }: {
    request: PageRequest;
    base: string;
    resource: Resource;
    asked: Asked | null;
  },
) {
  const { uri, name, description } = resource;
  return (
    <section aria-labelledby="tool-title">
      <h2 id="tool-title">
        <bdi>{name}</bdi>
      </h2>
      {description === undefined ? null : (
        <p class="pre">
          <bdi>{description}</bdi>
        </p>
      )}
      <Form request={request} action={`${base}/read`} class="try-form">
        <input type="hidden" name="resource" value={uri} />
        <TextField
          view={{
            name: "uri",
            label: "Address",
            value: asked?.sent.get("uri") ?? uri,
            attributes: { maxlength: URI_MAX, spellcheck: "false" },
            ...(uri.includes("{") ? { hint: "Replace what is in braces" } : {}),
          }}
        />
        <button type="submit">Read</button>
      </Form>
      {asked === null ? null : <Answer answer={asked.answer} />}
    </section>
  );
}

/** A prompt: the form of its arguments, and its messages once it was asked for. */
export function PromptView(
  { request, base, prompt, asked }: {
    request: PageRequest;
    base: string;
    prompt: Prompt;
    asked: Asked | null;
  },
) {
  const { name, title, description, arguments: wanted = [] } = prompt;
  return (
    <section aria-labelledby="tool-title">
      <h2 id="tool-title">
        <bdi>{title ?? name.slice(0, 200)}</bdi>
      </h2>
      {description === undefined ? null : (
        <p class="pre">
          <bdi>{description}</bdi>
        </p>
      )}
      <Form request={request} action={`${base}/prompt`} class="try-form">
        <input type="hidden" name="prompt" value={name} />
        {wanted.map((argument, index) => (
          <TextField
            view={{
              name: `${ARGUMENT}${index}`,
              label: argument.name,
              required: argument.required === true,
              value: asked?.sent.get(`${ARGUMENT}${index}`) ?? "",
              ...(argument.description === undefined ? {} : { hint: argument.description }),
            }}
          />
        ))}
        <button type="submit">Get</button>
      </Form>
      {asked === null ? null : <Answer answer={asked.answer} />}
    </section>
  );
}

/** Reads the resource whose address the form has. */
export async function readResource(session: TrySession, sent: URLSearchParams): Promise<Asked> {
  const params = { uri: (sent.get("uri") ?? "").slice(0, URI_MAX) };
  return { answer: await session.ask({ id: 5, method: "resources/read", params }), sent };
}

/** Asks for `prompt` with the arguments of the form; those left empty are not sent. */
export async function getPrompt(
  session: TrySession,
  { name, arguments: wanted = [] }: Prompt,
  sent: URLSearchParams,
): Promise<Asked> {
  const given = wanted.map((argument, index) =>
    [argument.name, sent.get(`${ARGUMENT}${index}`) ?? ""] as const
  );
  const params = { name, arguments: Object.fromEntries(given.filter(([, value]) => value !== "")) };
  return { answer: await session.ask({ id: 6, method: "prompts/get", params }), sent };
}
