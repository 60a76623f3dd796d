/**
 * Trying servers.
 *
 * @module
 */
import { toolGone } from "../failures.ts";
import type { PageRequest } from "../layout/context.ts";
import { readForm } from "../layout/forms.tsx";
import { seeOther } from "../layout/respond.tsx";
import { valuesIn } from "../server/keys/value_field.tsx";
import { type LoadedServer, loadServer } from "../server/load.ts";
import { copiedCall } from "./copied_call.tsx";
import { countName, RAW, readArguments, readRaw } from "./arguments.ts";
import type { Target } from "./links.tsx";
import { trySession } from "./mcp.ts";
import type { Offered } from "./offered.ts";
import { getPrompt, readResource } from "./others.tsx";
import { type SessionView, showRun, showSession, showStart, startSession } from "./page.tsx";
import { findTool, type TryState } from "./tool.tsx";
import { callMessage, cancelCall, runStreaming } from "./run.tsx";
import { argumentFields } from "./fields.ts";

const NONE: ReadonlyMap<string, string> = new Map();

function nameIn({ c }: PageRequest): string {
  return c.req.param("name") ?? "";
}

/** Whether the visitor has come here by the form that starts sessions: links start no program. */
function isStarted({ c, visitor }: PageRequest): boolean {
  return c.req.query("session") !== undefined && visitor.isKnown &&
    c.req.header("sec-fetch-site") !== "cross-site";
}

/** The page: what the server is, or its tools in the visitor's session. */
export async function showTry(request: PageRequest): Promise<Response> {
  if (!isStarted(request)) return await showStart(request);
  const loaded = await loadServer(request);
  const started = await startSession(request, loaded.server.name);
  if (started.kind === "failed") return await showStart(request, started);
  return await showSession(request, viewAsked(request, loaded, started.offered));
}

/** What the address asks for of a session: a resource, a prompt, or a tool; the first one else. */
function viewAsked({ c }: PageRequest, loaded: LoadedServer, offered: Offered): SessionView {
  const { tools, resources, prompts } = offered;
  const target = targetIn((name) => c.req.query(name), offered);
  if (target !== null) {
    return { loaded, offered, state: null, other: { target, asked: null } };
  }
  const tool = findTool(tools, c.req.query("tool") ?? null);
  if (tool !== null) return { loaded, offered, state: { tool, sent: null, faults: NONE } };
  const first = [
    ...resources.map(({ uri }): Target => ({ kind: "resource", id: uri })),
    ...prompts.map(({ name }): Target => ({ kind: "prompt", id: name })),
  ][0];
  const other = first === undefined ? undefined : { target: first, asked: null };
  return { loaded, offered, state: null, other };
}

/** The resource or prompt that `value` names, if the session has it. */
function targetIn(
  value: (name: "resource" | "prompt") => string | null | undefined,
  { resources, prompts }: Offered,
): Target | null {
  const [uri, name] = [value("resource"), value("prompt")];
  if (resources.some((one) => one.uri === uri)) return { kind: "resource", id: uri! };
  return prompts.some((one) => one.name === name) ? { kind: "prompt", id: name! } : null;
}

/** Reads a resource, or asks for a prompt. */
export async function askOther(request: PageRequest): Promise<Response> {
  const form = await readForm(request);
  const loaded = await loadServer(request);
  const started = await startSession(request, loaded.server.name);
  if (started.kind === "failed") return await showStart(request, started);
  const { offered, session } = started;
  const target = targetIn((name) => form.get(name), offered);
  if (target === null) throw toolGone();
  const prompt = offered.prompts.find(({ name }) => name === target.id);
  const asked = target.kind === "prompt" && prompt !== undefined
    ? await getPrompt(session, prompt, form)
    : await readResource(session, form);
  return await showSession(request, { loaded, offered, state: null, other: { target, asked } });
}

/** Leads to the page with a session. */
export async function startTry(request: PageRequest): Promise<Response> {
  const form = await readForm(request);
  const tool = form.get("tool") ?? "";
  const query = tool === "" ? "" : `&tool=${encodeURIComponent(tool.slice(0, 200))}`;
  const { server: { name, variables } } = await loadServer(request);
  const values = valuesIn(form, variables);
  if (Object.keys(values).length > 0) {
    // One that runs has the values that it began with.
    await trySession(request, name).end();
    const started = await startSession(request, name, values);
    if (started.kind === "failed") return await showStart(request, started);
  }
  return seeOther(request, `/servers/${nameIn(request)}/try?session=1${query}`);
}

/** The arguments that a form gives, by its fields or as JSON. */
function argumentsOf(form: URLSearchParams, state: TryState) {
  const raw = (form.get(RAW) ?? "").trim();
  const schema = state.tool.inputSchema;
  return raw === "" ? readArguments(argumentFields(schema), schema, form) : readRaw(raw);
}

/** Whether another form is asked for, not yet a run: an item more or less, or another kind. */
function asksForForm(form: URLSearchParams): boolean {
  for (const [button, change] of [["add", 1], ["drop", -1]] as const) {
    const path = form.get(button);
    if (path === null) continue;
    const count = Number(form.get(countName(path)) ?? 0) + change;
    form.set(countName(path), String(count));
    return true;
  }
  return form.has("kind");
}

/** Calls a tool as its form says, or shows another form of it. */
export async function runTool(request: PageRequest): Promise<Response> {
  const form = await readForm(request);
  const loaded = await loadServer(request);
  const started = await startSession(request, loaded.server.name);
  if (started.kind === "failed") return await showStart(request, started);
  const { offered, session } = started;
  const tool = offered.tools.find(({ name }) => name === form.get("tool"));
  if (tool === undefined) throw toolGone();
  const state: TryState = { tool, sent: form, faults: NONE };
  if (asksForForm(form)) return await showSession(request, { loaded, offered, state });
  const { value, faults } = argumentsOf(form, state);
  if (faults.size > 0) {
    return await showSession(request, { loaded, offered, state: { ...state, faults } });
  }
  const call = {
    outgoing: callMessage(tool.name, value),
    copied: copiedCall(request, loaded.server, { tool: tool.name, args: value }),
  };
  if (request.c.req.header("accept")?.startsWith("application/x-ndjson")) {
    return runStreaming(request, session, call);
  }
  return await showRun(request, { loaded, offered, state }, { session, call });
}

/** Ends a call whose page the visitor leaves by its button. */
export async function cancelTry(request: PageRequest): Promise<Response> {
  const form = await readForm(request);
  const name = nameIn(request);
  const id = Number(form.get("call"));
  if (Number.isSafeInteger(id)) await cancelCall(request, trySession(request, name), id);
  const tool = encodeURIComponent((form.get("tool") ?? "").slice(0, 200));
  return seeOther(request, `/servers/${name}/try?session=1&cancelled=1&tool=${tool}`);
}

/** Ends the visitor's session. */
export async function endTry(request: PageRequest): Promise<Response> {
  await readForm(request);
  const name = nameIn(request);
  await trySession(request, name).end();
  return seeOther(request, `/servers/${name}/try`);
}
