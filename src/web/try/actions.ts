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
import { loadServer } from "../server/load.ts";
import { countName, RAW, readArguments, readRaw } from "./arguments.ts";
import { trySession } from "./mcp.ts";
import { showRun, showSession, showStart, startSession } from "./page.tsx";
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
  const tool = findTool(started.tools, request.c.req.query("tool") ?? null);
  const state = tool === null ? null : { tool, sent: null, faults: NONE };
  return await showSession(request, { loaded, tools: started.tools, state });
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
  const { tools, session } = started;
  const tool = tools.find(({ name }) => name === form.get("tool"));
  if (tool === undefined) throw toolGone();
  const state: TryState = { tool, sent: form, faults: NONE };
  if (asksForForm(form)) return await showSession(request, { loaded, tools, state });
  const { value, faults } = argumentsOf(form, state);
  if (faults.size > 0) {
    return await showSession(request, { loaded, tools, state: { ...state, faults } });
  }
  const call = callMessage(tool.name, value);
  if (request.c.req.header("accept")?.startsWith("application/x-ndjson")) {
    return runStreaming(request, session, call);
  }
  return await showRun(request, { loaded, tools, state }, { session, call });
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
