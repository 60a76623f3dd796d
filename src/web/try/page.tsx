/**
 * `/servers/{name}/try`: a server's tools in a sandboxed session of this browser.
 *
 * @module
 */
import { Form } from "../layout/forms.tsx";
import type { PageRequest } from "../layout/context.ts";
import { Alert, Empty, Notice } from "../layout/parts.tsx";
import { showPage } from "../layout/respond.tsx";
import { showStreamed } from "../layout/streamed.tsx";
import { serviceLabel } from "../../keys/services.ts";
import { neededVariables } from "../../keys/variables.ts";
import type { ServerDetail } from "../../registry/schema.ts";
import { ValueField } from "../server/keys/value_field.tsx";
import { headOf, ServerFrame } from "../server/frame.tsx";
import { type LoadedServer, loadServer } from "../server/load.ts";
import { refusalOf } from "../server/offered.ts";
import { OfferedLinks, type Target } from "./links.tsx";
import { initializeMessage, type TrySession, trySession } from "./mcp.ts";
import { type Offered, offeredIn } from "./offered.ts";
import { type Asked, PromptView, ResourceView } from "./others.tsx";
import type { Running } from "./output.tsx";
import { cancelCall, type MadeCall, RUN_SLOTS, runParts } from "./run.tsx";
import { ToolForm, type TryState } from "./tool.tsx";

/** A session that has told what it offers, or why there is none. */
export type Started =
  | { kind: "begun"; offered: Offered; session: TrySession }
  | { kind: "failed"; message: string; needsSignIn: boolean };

/** Begins the session, or goes on with it, and asks for what it offers. */
export async function startSession(
  request: PageRequest,
  name: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<Started> {
  const session = trySession(request, name);
  const begun = await session.ask(initializeMessage(environment));
  const listed = begun.error === undefined
    ? await session.ask({ id: 1, method: "tools/list" })
    : begun;
  if (listed.error !== undefined) {
    const { message, data } = listed.error;
    const code = JSON.stringify(data ?? null);
    return {
      kind: "failed",
      message: message.slice(0, 4000),
      needsSignIn: code.includes("MISSING_TOKEN") || code.includes("payment"),
    };
  }
  const offered = await offeredIn(session, { begun, listed });
  return offered !== null ? { kind: "begun", offered, session } : {
    kind: "failed",
    message: "The server's list of tools could not be read",
    needsSignIn: false,
  };
}

function Warning() {
  return (
    <Notice>
      <p>
        This is a third-party program. It runs in a sandbox for this browser only and ends when it
        is idle.
      </p>
    </Notice>
  );
}

/** Names of variables for which the visitor's sessions get a value that is kept. */
async function keptNames(request: PageRequest, server: string): Promise<ReadonlySet<string>> {
  const { caller } = request.visitor;
  if (caller === null) return new Set();
  const keys = await request.services.app.keys.listOfServer(caller, server);
  return new Set(keys.filter(({ state }) => state === "ready").map(({ variable }) => variable));
}

/** Values for this session alone. */
function ValueFields(
  { request, server, kept }: {
    request: PageRequest;
    server: ServerDetail;
    kept: ReadonlySet<string>;
  },
) {
  const variables = neededVariables(server.variables);
  if (variables.length === 0) return null;
  const path = request.links.path(`/servers/${server.name}/keys`);
  return (
    <fieldset>
      <legend>Values for this session</legend>
      <p class="hint">
        They are not stored. {request.services.app.keys.isKept
          ? (
            <>
              Leave a field empty if you <a href={path}>keep the value here</a> or have none.
            </>
          )
          : "Leave a field empty if you have none."}{" "}
        Enter real keys only for servers that you trust with them.
      </p>
      {variables.map((variable) => (
        <ValueField variable={variable} isKept={kept.has(variable.name)} />
      ))}
    </fieldset>
  );
}

/** Services at which the visitor signs in first. */
function Services({ request, server }: { request: PageRequest; server: ServerDetail }) {
  const services = server.variables.flatMap(({ oauth }) => oauth === null ? [] : [oauth]);
  if (services.length === 0) return null;
  const path = request.links.path(`/servers/${server.name}/keys`);
  return (
    <p>
      It works with your account at {services.map((service, index) => (
        <>
          {index === 0 ? null : " and "}
          <bdi>{serviceLabel(service)}</bdi>
        </>
      ))}. <a href={path}>Connect first</a>
    </p>
  );
}

/** The page before a session has begun. */
export async function showStart(
  request: PageRequest,
  failed: (Started & { kind: "failed" }) | null = null,
): Promise<Response> {
  const loaded = await loadServer(request);
  const { server } = loaded;
  const { links, visitor, c } = request;
  const base = `/servers/${server.name}/try`;
  const refusal = refusalOf(request, server);
  const kept = await keptNames(request, server.name);
  const login = `${links.path("/login")}?to=${encodeURIComponent(links.path(base))}`;
  return await showPage(
    request,
    headOf(loaded, "/try", "Try it"),
    <ServerFrame request={request} loaded={loaded} tab="/try">
      <h2>Try {server.name}</h2>
      {failed === null ? null : (
        <Alert>
          <p class="pre">
            <bdi>{failed.message}</bdi>
          </p>
        </Alert>
      )}
      {refusal !== null ? <p>It cannot be tried while it cannot be used here.</p> : (
        <>
          <Warning />
          <Services request={request} server={server} />
          {(request.services.needsToken || failed?.needsSignIn) && visitor.caller === null
            ? (
              <p>
                <a href={login} class="button">Sign in to try it</a>
              </p>
            )
            : (
              <Form request={request} action={`${base}/start`}>
                <input type="hidden" name="tool" value={c.req.query("tool") ?? ""} />
                <ValueFields request={request} server={server} kept={kept} />
                <button type="submit">{failed === null ? "Start session" : "Try again"}</button>
              </Form>
            )}
        </>
      )}
    </ServerFrame>,
    failed === null ? {} : { status: 503 },
  );
}

export interface SessionView {
  loaded: LoadedServer;
  offered: Offered;
  /** The tool that is shown; null for another target. */
  state: TryState | null;
  /** The resource or prompt that is shown. */
  other?: { target: Target; asked: Asked | null } | undefined;
}

function baseOf({ loaded }: SessionView): string {
  return `/servers/${loaded.server.name}/try`;
}

/** The resource or prompt that the page shows. */
function Other({ request, view }: { request: PageRequest; view: SessionView }) {
  const { offered: { resources, prompts }, other } = view;
  if (other === undefined) return null;
  const { target: { kind, id }, asked } = other;
  const parts = { request, base: baseOf(view), asked };
  const resource = kind === "resource" ? resources.find(({ uri }) => uri === id) : undefined;
  if (resource !== undefined) return <ResourceView {...parts} resource={resource} />;
  const prompt = kind === "prompt" ? prompts.find(({ name }) => name === id) : undefined;
  return prompt === undefined ? null : <PromptView {...parts} prompt={prompt} />;
}

function SessionContent(
  { request, view, running }: {
    request: PageRequest;
    view: SessionView;
    running: Running | null;
  },
) {
  const { loaded, offered, state, other } = view;
  const base = baseOf(view);
  const current: Target | null = state === null
    ? other?.target ?? null
    : { kind: "tool", id: state.tool.name };
  const isCancelled = running === null && request.c.req.query("cancelled") !== undefined;
  return (
    <ServerFrame request={request} loaded={loaded} tab="/try">
      <Warning />
      {isCancelled
        ? (
          <Notice>
            <p>Cancelled.</p>
          </Notice>
        )
        : null}
      {current === null ? <Empty title="This server has no tools" /> : (
        <div class="try-columns">
          <OfferedLinks request={request} base={base} offered={offered} current={current} />
          {state !== null
            ? <ToolForm request={request} base={base} state={state} running={running} />
            : <Other request={request} view={view} />}
        </div>
      )}
      <Form request={request} action={`${base}/end`} class="end-session">
        <button type="submit" class="secondary">End session</button>
      </Form>
    </ServerFrame>
  );
}

export async function showSession(request: PageRequest, view: SessionView): Promise<Response> {
  const { loaded, state } = view;
  return await showPage(
    request,
    headOf(loaded, "/try", "Try it"),
    <SessionContent request={request} view={view} running={null} />,
    { ownMedia: true, ...(state !== null && state.faults.size > 0 ? { status: 400 } : {}) },
  );
}

/** The page of a session while `call` runs; it ends with the tool's answer. */
export async function showRun(
  request: PageRequest,
  view: SessionView & { state: TryState },
  { session, call }: { session: TrySession; call: MadeCall },
): Promise<Response> {
  const { tool } = view.state;
  const { outgoing } = call;
  return await showStreamed(request, headOf(view.loaded, "/try", "Try it"), {
    slots: Object.keys(RUN_SLOTS).length,
    content: (slots) => (
      <SessionContent request={request} view={view} running={{ call: outgoing, tool, slots }} />
    ),
    parts: (signal) => runParts(request, session, call, signal),
    onLeft: () => cancelCall(request, session, outgoing.id),
  }, { ownMedia: true });
}
