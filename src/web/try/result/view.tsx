/**
 * What a tool answered: texts, images, sounds and data of a stranger's program.
 *
 * @module
 */
import { z } from "zod";
import { plainNumbers } from "../../../protocol/raw_json.ts";
import { repeatsStructured } from "../../../protocol/results.ts";
import { Alert } from "../../layout/parts.tsx";
import type { Message } from "../mcp.ts";
import { isModest, modestValue } from "../modest_json.ts";
import { ForeignLink, isAddress, Linked } from "./linked.tsx";
import { Rows, rowsIn } from "./rows.tsx";

const TEXT_MAX = 200_000;
const MEDIA_MAX = 8 * 1024 * 1024;
const ITEMS_MAX = 50;
const IMAGES = /^image\/(png|jpeg|gif|webp|avif)$/;
const SOUNDS = /^audio\/(wav|x-wav|mpeg|mp4|ogg|webm|flac)$/;

const Content = z.looseObject({
  type: z.string(),
  text: z.string().optional().catch(undefined),
  data: z.string().optional().catch(undefined),
  mimeType: z.string().optional().catch(undefined),
  uri: z.string().optional().catch(undefined),
  name: z.string().optional().catch(undefined),
  resource: z.looseObject({
    uri: z.string().optional().catch(undefined),
    text: z.string().optional().catch(undefined),
    mimeType: z.string().optional().catch(undefined),
  }).optional().catch(undefined),
});

const ToolResult = z.looseObject({
  content: z.array(z.unknown()).optional().catch(undefined),
  structuredContent: z.unknown().optional(),
  isError: z.boolean().optional().catch(undefined),
});

function clip(text: string): string {
  if (text.length <= TEXT_MAX) return text;
  return `${text.slice(0, TEXT_MAX)}\n… ${text.length - TEXT_MAX} more characters`;
}

function TextBox({ text, label }: { text: string; label: string }) {
  return (
    <pre
      class="output"
      tabindex={0}
      aria-label={label}
      dir="auto"
    ><code><Linked text={clip(text)} /></code></pre>
  );
}

function dataUrl(mimeType: string, data: string): string | null {
  const plain = data.replaceAll(/\s/g, "");
  return plain.length <= MEDIA_MAX && /^[A-Za-z0-9+/]*={0,2}$/.test(plain)
    ? `data:${mimeType};base64,${plain}`
    : null;
}

/** A resource that a tool names: a link where it can be one. */
function ResourceLink({ name, uri }: { name: string; uri: string }) {
  return (
    <p>
      Resource <bdi>{name}</bdi>: {isAddress(uri)
        ? <ForeignLink href={uri} text={uri.slice(0, 500)} />
        : <code>{uri.slice(0, 500)}</code>}
    </p>
  );
}

/** One part of what a tool, a resource or a prompt gave. */
export function Item({ item, number }: { item: unknown; number: number }) {
  const parsed = Content.safeParse(item);
  const label = `Result ${number}`;
  if (!parsed.success) return <TextBox text={JSON.stringify(item, null, 2)} label={label} />;
  const { type, text, data, mimeType = "", uri, name, resource } = parsed.data;
  if (type === "text" && text !== undefined) return <TextBox text={text} label={label} />;
  const url = data === undefined ? null : dataUrl(mimeType, data);
  if (type === "image" && url !== null && IMAGES.test(mimeType)) {
    return (
      <p class="output">
        <img src={url} alt={`Image ${number} from the tool`} />
      </p>
    );
  }
  if (type === "audio" && url !== null && SOUNDS.test(mimeType)) {
    return (
      <p class="output">
        <audio controls src={url} aria-label={`Audio ${number} from the tool`}></audio>
      </p>
    );
  }
  if (type === "resource" && resource?.text !== undefined) {
    return <TextBox text={resource.text} label={`${label}: ${resource.uri ?? "resource"}`} />;
  }
  if (type === "resource_link") {
    return <ResourceLink name={name ?? ""} uri={uri ?? ""} />;
  }
  return <TextBox text={JSON.stringify(item, null, 2)} label={label} />;
}

/** Whether rows are parts of a result themselves, which are shown one by one. */
function areParts(rows: readonly Readonly<Record<string, unknown>>[]): boolean {
  return rows.every((row) => typeof row["type"] === "string" && Object.hasOwn(row, "annotations"));
}

/** The list of objects that the only text holds, or that is structured, as a table. */
function ResultRows({ texts, structured }: { texts: readonly string[]; structured: unknown }) {
  const found = rowsOfText(texts) ?? rowsIn(structured);
  return found === null || areParts(found.rows)
    ? null
    : <Rows name={found.name} rows={found.rows} />;
}

function rowsOfText(texts: readonly string[]) {
  const [text, ...others] = texts;
  if (text === undefined || others.length > 0 || !/^\s*[[{]/.test(text)) return null;
  const value = modestValue(text);
  return value === undefined ? null : rowsIn(value);
}

/** What is structured; to be opened where `content` says the same, or a table does. */
function Structured(
  { texts, structured, hasRows }: {
    texts: readonly string[];
    structured: unknown;
    hasRows: boolean;
  },
) {
  const box = <TextBox text={JSON.stringify(structured, null, 2)} label="Structured data" />;
  // A text may hold far more values than the answer that it stands in.
  const isRepeated = texts.every(isModest) && repeatsStructured(texts, plainNumbers(structured));
  if (isRepeated || hasRows) {
    return (
      <details class="more">
        <summary>{isRepeated ? "Text copy of the structured data" : "Structured data"}</summary>
        {box}
      </details>
    );
  }
  return (
    <>
      <h4>Structured data</h4>
      {box}
    </>
  );
}

/** The structured content, its numbers as they were written. */
function exactStructured({ exact, result }: Message): unknown {
  const { result: shown = result } = Object(exact) as { result?: unknown };
  return (Object(shown) as { structuredContent?: unknown }).structuredContent;
}

function textsOf(content: readonly unknown[]): string[] {
  return content.map((item) => Content.safeParse(item).data)
    .filter((item) => item?.type === "text").map((item) => item?.text ?? "");
}

/** The answer to a call. */
export function ResultView({ message, milliseconds }: { message: Message; milliseconds: number }) {
  const took = milliseconds < 1000
    ? `${Math.round(milliseconds)} ms`
    : `${(milliseconds / 1000).toFixed(1)} s`;
  if (message.error !== undefined) {
    return (
      <section aria-labelledby="result-title">
        <h3 id="result-title" tabindex={-1}>Request rejected</h3>
        <Alert>
          <p class="pre">
            <bdi>{clip(message.error.message)}</bdi>
          </p>
        </Alert>
        <p class="quiet">Took {took}</p>
      </section>
    );
  }
  const parsed = ToolResult.safeParse(message.result);
  const { content = [], isError = false } = parsed.success ? parsed.data : {};
  const structured = exactStructured(message);
  const texts = textsOf(content);
  const rows = ResultRows({ texts, structured });
  return (
    <section aria-labelledby="result-title">
      <h3 id="result-title" tabindex={-1}>{isError ? "The tool failed" : "Result"}</h3>
      {!isError ? null : (
        <Alert>
          <p>The tool reported an error.</p>
        </Alert>
      )}
      {rows}
      {content.slice(0, ITEMS_MAX).map((item, index) => <Item item={item} number={index + 1} />)}
      {content.length > ITEMS_MAX
        ? <p class="quiet">and {content.length - ITEMS_MAX} more items</p>
        : null}
      {structured === undefined
        ? null
        : <Structured texts={texts} structured={structured} hasRows={rows !== null} />}
      {content.length === 0 && structured === undefined
        ? <p class="quiet">The tool returned no content.</p>
        : null}
      <p class="quiet">Took {took}</p>
    </section>
  );
}
