/**
 * `/servers/{name}/install`: how each client is told of a server, one client at a time.
 *
 * @module
 */
import type { ServerDetail } from "../../../registry/schema.ts";
import type { PageRequest } from "../../layout/context.ts";
import { Notice } from "../../layout/parts.tsx";
import { priceText } from "../../layout/price.ts";
import { showPage, showPart } from "../../layout/respond.tsx";
import { headOf, ServerFrame } from "../frame.tsx";
import { loadServer } from "../load.ts";
import { refusalOf } from "../offered.ts";
import { chosenClient } from "./chosen.ts";
import { CLIENT_CHOICES, type ClientId } from "./clients.ts";
import { clientInput, ClientPanel } from "./panel.tsx";

/** What a client without a sign-in of its own needs. */
function TokenNotice({ request, server }: { request: PageRequest; server: ServerDetail }) {
  return (
    <Notice>
      <p>
        {server.payment_required
          ? `Running it costs ${priceText(server.pricing)}, so clients sign in. `
          : "Running servers here requires a sign-in. "}
        These clients sign in on their own when the server asks them to. For a client that cannot,
        create an <a href={request.links.path("/profile/tokens")}>API token</a>{" "}
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

/** The clients as links, and what the chosen one is told; replaced as a whole by a script. */
function Clients(
  { request, server, client }: { request: PageRequest; server: ServerDetail; client: ClientId },
) {
  const path = request.links.path(`/servers/${server.name}/install`);
  const [, label] = CLIENT_CHOICES.find(([id]) => id === client)!;
  return (
    <div id="clients" class="clients">
      <nav aria-label="Clients" class="client-links">
        <ul>
          {CLIENT_CHOICES.map(([id, text]) => (
            <li>
              <a
                id={`client-${id}`}
                href={`${path}?client=${id}`}
                aria-current={id === client ? "true" : undefined}
                hx-get={`${path}?client=${id}`}
                hx-target="#clients"
                hx-swap="outerHTML"
                hx-push-url="true"
              >
                {text}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <section class="card" aria-labelledby="client-title">
        <h3 id="client-title">{label}</h3>
        <ClientPanel request={request} server={server} client={client} full />
      </section>
    </div>
  );
}

export async function showInstall(request: PageRequest): Promise<Response> {
  const loaded = await loadServer(request);
  const { server } = loaded;
  const head = headOf(loaded, "/install", "Install");
  if (refusalOf(request, server) !== null) {
    return await showPage(
      request,
      head,
      <ServerFrame request={request} loaded={loaded} tab="/install">
        <h2>Add it to your client</h2>
        <p>There is nothing to add while it cannot be used here.</p>
      </ServerFrame>,
    );
  }
  const client = chosenClient(request);
  const clients = <Clients request={request} server={server} client={client} />;
  if (request.isPart) return await showPart(request, clients);
  const { needsToken, variables } = clientInput(request, server);
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
      {clients}
    </ServerFrame>,
  );
}
