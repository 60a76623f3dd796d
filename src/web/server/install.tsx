/**
 * `/servers/{name}/install`: what to paste into which client.
 *
 * @module
 */
import type { PageRequest } from "../layout/context.ts";
import { Copy, Notice } from "../layout/parts.tsx";
import { priceText } from "../layout/price.ts";
import { showPage } from "../layout/respond.tsx";
import { clientEntries } from "./clients.ts";
import { headOf, ServerFrame } from "./frame.tsx";
import { loadServer } from "./load.ts";
import { endpointOf } from "./overview.tsx";

/** Shows the page. */
export async function showInstall(request: PageRequest): Promise<Response> {
  const loaded = await loadServer(request);
  const { server } = loaded;
  const { services, links } = request;
  const url = endpointOf(services.workerUrl, server.name);
  const needsToken = services.needsToken || server.payment_required;
  const entries = clientEntries({ name: server.name, url, needsToken });
  return await showPage(
    request,
    headOf(loaded, "/install", "Install"),
    <ServerFrame request={request} loaded={loaded} tab="/install">
      <h2>Add it to your client</h2>
      <p>
        Nothing is installed on your machine: the server runs here, each session alone in a sandbox.
      </p>
      {!needsToken ? null : (
        <Notice>
          <p>
            {server.payment_required
              ? `Running it costs ${priceText(server.pricing)}, so `
              : "Running servers here takes a sign-in: "}
            clients that can sign in do so by themselves; for the others put an{" "}
            <a href={links.path("/profile/tokens")}>API token</a> where the snippet says so.
          </p>
        </Notice>
      )}
      <section aria-labelledby="endpoint-title">
        <h3 id="endpoint-title">Address</h3>
        <Copy id="endpoint" text={url} label="the address" />
      </section>
      {entries.map(({ id, label, where, snippet, link }) => (
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
      ))}
      <section aria-labelledby="berth-title">
        <h3 id="berth-title">With the command line</h3>
        <Copy id="berth" text={`berth pull ${server.name}`} label="the command" />
      </section>
    </ServerFrame>,
  );
}
