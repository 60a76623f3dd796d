/**
 * `/servers/{name}/install`: what to paste into which client.
 *
 * @module
 */
import type { ServerDetail } from "../../registry/schema.ts";
import { neededVariables } from "../../keys/variables.ts";
import type { PageRequest } from "../layout/context.ts";
import { Copy, Notice } from "../layout/parts.tsx";
import { priceText } from "../layout/price.ts";
import { showPage } from "../layout/respond.tsx";
import { clientEntries, type ClientEntry } from "./clients.ts";
import { headOf, NotOffered, refusalOf, ServerFrame } from "./frame.tsx";
import { loadServer } from "./load.ts";
import { endpointOf } from "./overview.tsx";

/** What a client without a sign-in of its own needs. */
function TokenNotice({ request, server }: { request: PageRequest; server: ServerDetail }) {
  return (
    <Notice>
      <p>
        {server.payment_required
          ? `Running it costs ${priceText(server.pricing)}, so clients sign in. `
          : "Running servers here requires a sign-in. "}
        The clients below sign in on their own when the server asks them to. For a client that
        cannot, create an <a href={request.links.path("/profile/tokens")}>API token</a>{" "}
        and send it in the header <code>Authorization: Bearer …</code>. It is valid for one hour.
      </p>
    </Notice>
  );
}

/** Where the values of its variables come from. */
function KeysNotice(
  { request, server, needsToken }: {
    request: PageRequest;
    server: ServerDetail;
    needsToken: boolean;
  },
) {
  return (
    <Notice>
      <p>
        This server takes keys or settings. Pass them with each session, as below, or{" "}
        <a href={request.links.path(`/servers/${server.name}/keys`)}>keep them here</a>. Kept values
        reach only clients that are signed in{needsToken ? ", with the headers below left out" : (
          <>
            : use <code>berth pull</code> after{" "}
            <code>berth login</code>, since clients that have just the address do not sign in
          </>
        )}.
      </p>
    </Notice>
  );
}

/** For servers that work with accounts at other services. */
function ServicesNotice({ request, server }: { request: PageRequest; server: ServerDetail }) {
  if (server.variables.every(({ oauth }) => oauth === null)) return null;
  return (
    <Notice>
      <p>
        This server works with your account at another service.{" "}
        <a href={request.links.path(`/servers/${server.name}/keys`)}>Connect it once</a>. Your
        client has to sign in here, too: use <code>berth pull</code> after <code>berth login</code>.
      </p>
    </Notice>
  );
}

function Entry({ entry: { id, label, where, snippet, link } }: { entry: ClientEntry }) {
  return (
    <section aria-labelledby={`${id}-title`}>
      <h3 id={`${id}-title`}>{label}</h3>
      <p class="quiet">
        {where}
        {link === null ? null : (
          <>
            {" · "}
            <a href={link}>Add to {label}</a>
          </>
        )}
      </p>
      <Copy id={id} text={snippet} label={`the snippet for ${label}`} />
    </section>
  );
}

export async function showInstall(request: PageRequest): Promise<Response> {
  const loaded = await loadServer(request);
  const { server } = loaded;
  const { services } = request;
  const head = headOf(loaded, "/install", "Install");
  const refusal = refusalOf(request, server);
  if (refusal !== null) {
    return await showPage(
      request,
      head,
      <ServerFrame request={request} loaded={loaded} tab="/install">
        <h2>Add it to your client</h2>
        <NotOffered request={request} server={server} refusal={refusal} />
      </ServerFrame>,
    );
  }
  const url = endpointOf(services.workerUrl, server.name);
  const needsToken = services.needsToken || server.payment_required;
  const variables = neededVariables(server.variables);
  return await showPage(
    request,
    head,
    <ServerFrame request={request} loaded={loaded} tab="/install">
      <h2>Add it to your client</h2>
      <p>
        Nothing is installed on your machine. The server runs here, each session in its own sandbox.
      </p>
      {variables.length === 0
        ? null
        : <KeysNotice request={request} server={server} needsToken={needsToken} />}
      {needsToken ? <TokenNotice request={request} server={server} /> : null}
      <ServicesNotice request={request} server={server} />
      <section aria-labelledby="endpoint-title">
        <h3 id="endpoint-title">Address</h3>
        <Copy id="endpoint" text={url} label="the address" />
      </section>
      {clientEntries({ name: server.name, url, needsToken, variables }).map((entry) => (
        <Entry
          entry={entry}
        />
      ))}
      <section aria-labelledby="berth-title">
        <h3 id="berth-title">Using the command line</h3>
        <Copy id="berth" text={`berth pull ${server.name}`} label="the command" />
      </section>
    </ServerFrame>,
  );
}
