/**
 * `/servers/{name}/keys/{variable}/connect`: what a user agrees to before they sign in at another
 * service, and the way there and back.
 *
 * @module
 */
import { connectPath } from "../../../connections/addresses.ts";
import type { ShownConnectable } from "../../../connections/terms.ts";
import { AppError } from "../../../errors.ts";
import type { PageRequest } from "../../layout/context.ts";
import { Form, readForm } from "../../layout/forms.tsx";
import { Alert, Codes, Notice } from "../../layout/parts.tsx";
import { seeOther, showPage } from "../../layout/respond.tsx";
import type { UserRequest } from "../../layout/signed_in.tsx";
import { challengeOf, newBegun, rememberBegun, takeBegun } from "../../session/begun.ts";
import { headOf, ServerFrame } from "../frame.tsx";
import { type LoadedServer, loadServer } from "../load.ts";

function variableIn({ c }: PageRequest): string {
  return c.req.param("variable") ?? "";
}

function Terms({ loaded, shown }: { loaded: LoadedServer; shown: ShownConnectable }) {
  const { name, author } = loaded.server;
  return (
    <dl class="facts long">
      <div>
        <dt>Server</dt>
        <dd>
          <strong>{name}</strong> by <bdi>{author}</bdi>
        </dd>
      </div>
      <div>
        <dt>You sign in at</dt>
        <dd>
          <code>{shown.host}</code>
          {shown.label === shown.host ? null : (
            <>
              {" "}(<bdi>{shown.label}</bdi>)
            </>
          )}
        </dd>
      </div>
      <div>
        <dt>It may do there</dt>
        <dd>
          {shown.scopes.length === 0
            ? "what the service grants by itself"
            : <Codes texts={shown.scopes} />}
        </dd>
      </div>
      <div>
        <dt>The token is sent to</dt>
        <dd>
          <Codes texts={shown.hosts} />
        </dd>
      </div>
    </dl>
  );
}

/** Shows what the user is about to agree to, with why it was refused. */
export async function showConnect(
  request: UserRequest,
  refused: AppError | null = null,
): Promise<Response> {
  const { caller, services: { app: { keys, connections } } } = request;
  const variable = variableIn(request);
  const name = request.c.req.param("name") ?? "";
  const terms = await keys.terms(caller, name);
  // After its terms, so that nothing older is shown.
  const loaded = await loadServer(request);
  const shown = await connections.show(caller, name, variable);
  return await showPage(
    request,
    { ...headOf(loaded, "/keys", `Connect to ${shown.label}`) },
    <ServerFrame request={request} loaded={loaded} tab="/keys">
      <h2>
        Connect <code>{variable}</code> to <bdi>{shown.label}</bdi>
      </h2>
      {refused === null ? null : (
        <Alert>
          <p>{refused.message}.</p>
        </Alert>
      )}
      <Terms loaded={loaded} shown={shown} />
      <p class="quiet">
        Berth keeps the token encrypted, renews it, and puts it into requests that your sessions of
        this server send to these hosts. The server's code never sees it, but decides what it asks
        for there. You can disconnect at any time.
      </p>
      {keys.isKept
        ? (
          <Form request={request} action={connectPath(name, variable)}>
            <input type="hidden" name="terms" value={terms} />
            <button type="submit">Agree and go to {shown.host}</button>
          </Form>
        )
        : (
          <Notice>
            <p>
              This service keeps nothing for its users: its operator has not set SECRETS_KEY.
            </p>
          </Notice>
        )}
    </ServerFrame>,
    refused === null ? {} : { status: refused.status === 503 ? 503 : 409 },
  );
}

/** Begins the sign-in that the user agreed to, and leads to it. */
export async function connect(request: UserRequest): Promise<Response> {
  const form = await readForm(request);
  const { c, services, caller } = request;
  const server = c.req.param("name") ?? "";
  const variable = variableIn(request);
  const begun = newBegun();
  let url: string;
  try {
    url = await services.app.connections.begin(
      caller,
      { server, variable, shown: form.get("terms") ?? "" },
      { state: begun.state, challenge: await challengeOf(begun.verifier) },
    );
  } catch (error) {
    const isShown = error instanceof AppError &&
      ["conflict", "unavailable", "rate_limited"].includes(error.code);
    if (!isShown) throw error;
    return await showConnect(request, error);
  }
  rememberBegun(c, services.cookies, "connect", begun, connectPath(server, variable));
  const { host } = new URL(url);
  // Not a redirect: browsers hold those after a form to the hosts that forms may be sent to.
  return await showPage(
    request,
    { title: `Going on to ${host}` },
    <>
      <h1>Going on to {host}</h1>
      <p>
        <a href={url} class="button" rel="noreferrer">Continue</a>
      </p>
    </>,
    { headers: { "Refresh": `0; url=${url}` } },
  );
}

const OTHER_BROWSER = "This sign-in was not begun in this browser, or took too long";

function notConnected(
  request: PageRequest,
  why: string,
  { again, status }: { again: string | null; status: 400 | 401 | 503 },
): Promise<Response> {
  const { links } = request;
  return showPage(
    request,
    { title: "Not connected" },
    <>
      <h1>Not connected</h1>
      <Alert>
        <p>{why}. Nothing was kept.</p>
      </Alert>
      <p>
        {again === null
          ? <a href={links.path("/profile/keys")} class="button secondary">Your keys</a>
          : <a href={links.path(again)} class="button">Try again</a>}
      </p>
    </>,
    { status },
  );
}

/** The page to go back to, which the cookie names; null when it was changed by hand. */
function pageIn(note: string): string | null {
  return /^\/servers\/[a-z0-9-]{1,64}\/keys\/\w{1,128}\/connect$/.test(note) ? note : null;
}

/** Takes what a service sends the browser back with. */
export async function connected(request: PageRequest): Promise<Response> {
  const { c, services, visitor } = request;
  const parameters = new URL(c.req.url).searchParams;
  const begun = takeBegun(c, services.cookies, "connect", c.req.query("state"));
  if (begun === null) {
    c.get("log").info("web.connection_refused", { reason: OTHER_BROWSER });
    return await notConnected(request, OTHER_BROWSER, { again: null, status: 400 });
  }
  const again = pageIn(begun.note);
  const { caller } = visitor;
  if (caller === null) {
    return await notConnected(request, "You are not signed in any more", { again, status: 401 });
  }
  const { state, verifier } = begun;
  const answer = { service: c.req.param("service") ?? "", state, verifier, parameters };
  const context = { requestId: c.get("requestId") };
  try {
    const { server } = await services.app.connections.finish(caller, answer, context);
    return seeOther(request, `/servers/${server}/keys`);
  } catch (error) {
    const isShown = error instanceof AppError &&
      ["conflict", "not_found", "unavailable"].includes(error.code);
    if (!isShown) throw error;
    c.get("log").info("web.connection_refused", { reason: error.message, error: error.cause });
    const status = error.code === "unavailable" ? 503 : 400;
    return await notConnected(request, error.message, { again, status });
  }
}
