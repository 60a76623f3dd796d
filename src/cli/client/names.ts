/**
 * Names of servers and of their tools, as completion needs them: at once, from a small cache, and
 * without a word when the registry does not answer.
 *
 * @module
 */
import { z } from "zod";
import type { CliContext } from "../context.ts";
import { readIfThere, writeWhole } from "../../files.ts";
import { namesPath } from "../settings/paths.ts";
import { readJson } from "./http.ts";

/** A server, by its names. */
const Named = z.object({
  name: z.string().regex(/^[a-z0-9]+(-[a-z0-9]+)*$/),
  description: z.string().catch(""),
  tools: z.object({ names: z.array(z.string()) }).transform(({ names }) => names).catch([]),
});
export type Named = z.infer<typeof Named>;

const Answer = z.object({
  servers: z.array(z.unknown()),
  next_cursor: z.string().optional(),
});

/** What is remembered of one question to a registry. */
const Kept = z.object({
  /** Milliseconds since 1970. */
  at: z.number(),
  failed: z.boolean(),
  /** Whether the registry has more servers than these. */
  more: z.boolean(),
  servers: z.array(
    z.object({ name: z.string(), description: z.string(), tools: z.array(z.string()) }),
  ),
});
type Kept = z.infer<typeof Kept>;

const Cache = z.record(z.string(), Kept);

const FRESH_MS = 600_000;
/** A registry that did not answer is left alone so long. */
const FAILED_MS = 30_000;
/** Nobody waits longer for a completion. */
const PATIENCE_MS = 1500;
const MOST_KEPT = 50;

async function readCache(path: string): Promise<Record<string, Kept>> {
  try {
    return Cache.parse(JSON.parse(await readIfThere(path) ?? "{}"));
  } catch {
    return {};
  }
}

async function keep(path: string, key: string, kept: Kept): Promise<void> {
  const others = Object.entries(await readCache(path)).filter(([other]) => other !== key)
    .sort(([, a], [, b]) => b.at - a.at).slice(0, MOST_KEPT - 1);
  await writeWhole(path, JSON.stringify(Object.fromEntries([[key, kept], ...others])), {
    mode: 0o600,
    folderMode: 0o700,
  }).catch(() => {});
}

async function ask(context: CliContext, url: string): Promise<Omit<Kept, "at"> | null> {
  const deadline = new AbortController();
  const timer = setTimeout(() => deadline.abort(), PATIENCE_MS);
  try {
    const response = await context.fetch(url, {
      headers: { accept: "application/json" },
      redirect: "error",
      signal: deadline.signal,
    });
    const parsed = Answer.safeParse(await readJson(response));
    if (!response.ok || !parsed.success) return null;
    const servers = parsed.data.servers.map((one) => Named.safeParse(one))
      .flatMap((one) => one.success ? [one.data] : []);
    return { failed: false, more: parsed.data.next_cursor !== undefined, servers };
  } catch {
    return null;
  } finally {
    clearTimeout(timer);
  }
}

/** The servers that `query` finds, from the cache where it is fresh; never throws. */
async function look(context: CliContext, registry: string, query: string): Promise<Kept> {
  const path = namesPath(context);
  const url = `${registry}/api/v1/servers?${query}`;
  const known = (await readCache(path))[url];
  const age = context.now() - (known?.at ?? 0);
  if (known !== undefined && age >= 0 && age < (known.failed ? FAILED_MS : FRESH_MS)) return known;
  const answer = await ask(context, url) ??
    { failed: true, more: known?.more ?? false, servers: known?.servers ?? [] };
  const kept = { at: context.now(), ...answer };
  await keep(path, url, kept);
  return kept;
}

/** Servers of `registry` whose names may begin with `word`; all, of a registry that has not many. */
export async function namedServers(
  context: CliContext,
  registry: string,
  word: string,
): Promise<Named[]> {
  const { servers, more } = await look(context, registry, "limit=1000");
  if (!more || word === "" || servers.some(({ name }) => name.startsWith(word))) return servers;
  const query = new URLSearchParams({ q: word, limit: "100" });
  return (await look(context, registry, query.toString())).servers;
}
