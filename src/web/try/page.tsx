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
import { headOf, NotOffered, refusalOf, ServerFrame } from "../server/frame.tsx";
import { type LoadedServer, loadServer } from "../server/load.ts";
import { RAW } from "./arguments.ts";
import { ArgumentControls } from "./form.tsx";
import {
  initializeMessage,
  listedTools,
  type Outgoing,
  type Tool,
  type TrySession,
  trySession,
} from "./mcp.ts";
import { Output, type Running, RunningOutput } from "./output.tsx";
import { cancelCall, RUN_SLOTS, runParts } from "./run.tsx";
import { argumentFields } from "./fields.ts";
import type { Schema } from "./schema.ts";

/** The state of a form that is shown again. */
export interface TryState {
  tool: Tool;
  sent: URLSearchParams | null;
  faults: ReadonlyMap<string, string>;
}

/** A session that has told its tools, or why there is none. */
export type Started =
  | { kind: "tools"; tools: Tool[]; session: TrySession }
  | { kind: "failed"; message: string; needsSignIn: boolean };

/** Begins the session, or goes on with it, and asks for its tools. */
export async function startSession(request: PageRequest, name: string): Promise<Started> {
  const session = trySession(request, name);
  const begun = await session.ask(initializeMessage());
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
  const tools = listedTools(listed);
  return tools !== null ? { kind: "tools", tools, session } : {
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
        is idle. Do not enter secrets.
      </p>
    </Notice>
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
      {refusal !== null ? <NotOffered request={request} server={server} refusal={refusal} /> : (
        <>
          <Warning />
          {(request.services.needsToken || failed?.needsSignIn) && visitor.caller === null
            ? (
              <p>
                <a href={login} class="button">Sign in to try it</a>
              </p>
            )
            : (
              <Form request={request} action={`${base}/start`}>
                <input type="hidden" name="tool" value={c.req.query("tool") ?? ""} />
                <button type="submit">{failed === null ? "Start session" : "Try again"}</button>
              </Form>
            )}
        </>
      )}
    </ServerFrame>,
    failed === null ? {} : { status: 503 },
  );
}

function ToolLinks(
  { request, base, tools, current }: {
    request: PageRequest;
    base: string;
    tools: Tool[];
    current: Tool;
  },
) {
  return (
    <nav class="tool-links" aria-label="Tools">
      <ul>
        {tools.slice(0, 200).map(({ name, title }) => (
          <li>
            <a
              href={request.links.path(`${base}?session=1&tool=${encodeURIComponent(name)}`)}
              aria-current={name === current.name ? "page" : undefined}
            >
              <bdi>{(title ?? name).slice(0, 80)}</bdi>
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function Hints({ tool }: { tool: Tool }) {
  const { readOnlyHint, destructiveHint } = tool.annotations ?? {};
  return (
    <>
      {readOnlyHint === true ? <span class="tag">declared read-only</span> : null}
      {destructiveHint === true ? <span class="tag">declared destructive</span> : null}
    </>
  );
}

function ToolForm(
  { request, base, state, running }: {
    request: PageRequest;
    base: string;
    state: TryState;
    running: Running | null;
  },
) {
  const { tool, sent, faults } = state;
  const rawFault = faults.get(RAW);
  const schema: Schema = tool.inputSchema;
  return (
    <section class="try-tool" aria-labelledby="tool-title">
      <div class="card-head">
        <h2 id="tool-title">
          <bdi>{(tool.title ?? tool.name).slice(0, 200)}</bdi>
        </h2>
        <Hints tool={tool} />
      </div>
      {tool.description === undefined ? null : (
        <p class="pre">
          <bdi>{tool.description.slice(0, 4000)}</bdi>
        </p>
      )}
      {faults.size === 0 ? null : (
        <Alert>
          <p>Fix {faults.size === 1 ? "this value" : "these values"}:</p>
          <ul>
            {[...faults.values()].map((fault) => (
              <li>
                <bdi>{fault}</bdi>
              </li>
            ))}
          </ul>
        </Alert>
      )}
      <Form
        request={request}
        action={`${base}/run`}
        class="try-form"
        attributes={{ "data-try": "" }}
      >
        <input type="hidden" name="tool" value={tool.name} />
        <ArgumentControls field={argumentFields(schema)} view={{ sent, faults, root: schema }} />
        <details class="more" open={sent !== null && (sent.get(RAW) ?? "") !== ""}>
          <summary>Arguments as JSON</summary>
          <label for="raw">Sent instead of the fields above unless empty</label>
          <textarea
            id="raw"
            name={RAW}
            rows={5}
            class="mono"
            spellcheck={false}
            aria-describedby={rawFault === undefined ? undefined : "raw-fault"}
            aria-invalid={rawFault === undefined ? undefined : "true"}
          >
            {sent?.get(RAW) ?? ""}
          </textarea>
          {rawFault === undefined ? null : <p class="fault" id="raw-fault">{rawFault}</p>}
        </details>
        <button type="submit">Run</button>
      </Form>
      {running === null
        ? <Output />
        : <RunningOutput request={request} base={base} running={running} />}
    </section>
  );
}

/** The tool that the address or the form names; the first one else. */
export function findTool(tools: readonly Tool[], name: string | null): Tool | null {
  return tools.find((tool) => tool.name === name) ?? tools[0] ?? null;
}

/** What the pages of a session show. */
export interface SessionView {
  loaded: LoadedServer;
  tools: Tool[];
  /** Null when the server has no tools. */
  state: TryState | null;
}

function baseOf({ loaded }: SessionView): string {
  return `/servers/${loaded.server.name}/try`;
}

function SessionContent(
  { request, view, running }: {
    request: PageRequest;
    view: SessionView;
    running: Running | null;
  },
) {
  const { loaded, tools, state } = view;
  const base = baseOf(view);
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
      {state === null ? <Empty title="This server has no tools" /> : (
        <div class="try-columns">
          <ToolLinks request={request} base={base} tools={tools} current={state.tool} />
          <ToolForm request={request} base={base} state={state} running={running} />
        </div>
      )}
      <Form request={request} action={`${base}/end`} class="end-session">
        <button type="submit" class="secondary">End session</button>
      </Form>
    </ServerFrame>
  );
}

/** The page of a session. */
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
  { session, call }: { session: TrySession; call: Outgoing },
): Promise<Response> {
  const { tool } = view.state;
  return await showStreamed(request, headOf(view.loaded, "/try", "Try it"), {
    slots: Object.keys(RUN_SLOTS).length,
    content: (slots) => (
      <SessionContent request={request} view={view} running={{ call, tool, slots }} />
    ),
    parts: (signal) => runParts(request, session, call, signal),
    onLeft: () => cancelCall(request, session, call.id),
  }, { ownMedia: true });
}
