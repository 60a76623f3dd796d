/**
 * How do I use it? One client, with the one thing that it needs.
 *
 * @module
 */
import type { ServerDetail } from "../../../registry/schema.ts";
import type { PageRequest } from "../../layout/context.ts";
import { chosenClient } from "../install/chosen.ts";
import { CLIENT_CHOICES, type ClientId } from "../install/clients.ts";
import { ClientPanel } from "../install/panel.tsx";

/** The choice of a client and what it needs; replaced as a whole by a script. */
export function Use(
  { request, server }: { request: PageRequest; server: ServerDetail },
) {
  const { links } = request;
  const base = links.path(`/servers/${server.name}`);
  const client: ClientId = chosenClient(request);
  return (
    <section id="use-box" class="card" aria-labelledby="use">
      <div class="use-head">
        <h2 id="use">Use it</h2>
        <form
          method="get"
          action={`${base}#use`}
          class="client-choice"
          hx-get={base}
          hx-target="#use-box"
          hx-swap="outerHTML"
          hx-trigger="change, submit"
        >
          <label for="client">in</label>
          <select id="client" name="client">
            {CLIENT_CHOICES.map(([id, label]) => (
              <option value={id} selected={id === client}>{label}</option>
            ))}
          </select>
          <button type="submit" class="secondary">Show</button>
        </form>
      </div>
      <ClientPanel request={request} server={server} client={client} />
      <p class="actions">
        <a href={`${base}/try`} class="button">Try it here</a>
        <a href={`${base}/install?client=${client}`} class="button secondary">
          More ways to add it
        </a>
      </p>
    </section>
  );
}
