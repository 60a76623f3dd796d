/**
 * Clients of the owner at services at which users sign in for a server.
 *
 * @module
 */
import type { StoredClient } from "../../../connections/owner_clients.ts";
import { ButtonForm, Form, TextField } from "../../layout/forms.tsx";
import { Copy, Time } from "../../layout/parts.tsx";
import type { UserRequest } from "../../layout/signed_in.tsx";
import type { LoadedServer } from "../load.ts";

/** What is stored at the service of one variable, by the variable's name. */
export interface VariableClient extends StoredClient {
  variable: string;
}

/** What the owner has stored for the services of a server; nothing for whoever does not own it. */
export async function readClients(
  { caller, services }: UserRequest,
  { server, rights }: LoadedServer,
): Promise<VariableClient[]> {
  if (!rights.own) return [];
  const wanted = server.variables.filter(({ oauth }) => oauth !== null);
  return await Promise.all(wanted.map(async ({ name: variable }) => ({
    variable,
    ...await services.app.connections.client(caller, { server: server.name, variable }),
  })));
}

function ClientForm({ request, server, client }: {
  request: UserRequest;
  server: string;
  client: VariableClient;
}) {
  const { variable, service, redirect_uri, stored, set_at } = client;
  const action = `/servers/${server}/manage/client`;
  const attributes = { autocomplete: "off", spellcheck: "false", autocapitalize: "off" };
  return (
    <section aria-labelledby={`client-${variable}`}>
      <h3 id={`client-${variable}`}>
        <bdi>{service}</bdi> for <code>{variable}</code>
      </h3>
      <p>Register a client there with exactly this redirect address:</p>
      <Copy id={`redirect-${variable}`} text={redirect_uri} label="the redirect address" />
      <p class="quiet">
        {stored && set_at !== null
          ? (
            <>
              A client of yours is stored since <Time at={set_at} exact />.
            </>
          )
          : "None is stored. Without one, Berth uses the operator's, or registers itself where it can."}
      </p>
      <Form request={request} action={action}>
        <input type="hidden" name="variable" value={variable} />
        <div class="field-grid">
          <TextField
            view={{ name: `client-id-${variable}`, label: "Client id", attributes }}
          />
          <TextField
            view={{
              name: `client-secret-${variable}`,
              label: "Client secret",
              required: false,
              type: "password",
              attributes,
            }}
          />
        </div>
        <button type="submit" class="secondary">Store client</button>
      </Form>
      {stored
        ? (
          <ButtonForm
            request={request}
            action={action}
            label="Remove client"
            about={service}
            kind="danger"
            fields={{ variable, remove: "1" }}
          />
        )
        : null}
    </section>
  );
}

/** The section of the manage page. */
export function ServiceClients({ request, server, clients }: {
  request: UserRequest;
  server: string;
  clients: readonly VariableClient[];
}) {
  if (clients.length === 0) return null;
  return (
    <section aria-labelledby="clients">
      <h2 id="clients">Clients at other services</h2>
      <p class="quiet">
        Users of this server sign in at these services. Secrets are stored encrypted, and never
        shown again.
      </p>
      {clients.map((client) => <ClientForm request={request} server={server} client={client} />)}
    </section>
  );
}
