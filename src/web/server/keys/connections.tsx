/**
 * The services at which users of a server sign in, and what is connected.
 *
 * @module
 */
import { connectPath } from "../../../connections/addresses.ts";
import type { KeptKey } from "../../../keys/schema.ts";
import { serviceLabel } from "../../../keys/services.ts";
import type { Variable } from "../../../keys/variables.ts";
import type { PageRequest } from "../../layout/context.ts";
import { ButtonForm } from "../../layout/forms.tsx";
import { ACTIONS, Table, Time } from "../../layout/parts.tsx";

type Connected = KeptKey & { connection: NonNullable<KeptKey["connection"]> };

/** Whether a kept value is a sign-in at another service. */
export function isConnection(key: KeptKey): key is Connected {
  return key.connection !== null;
}

const STATES: Record<KeptKey["state"], string> = {
  ready: "connected",
  changed: "not used until you agree",
  unreadable: "lost with the service's key: connect again",
  reconnect: "has ended, or the server asks for more: connect again",
};

/** What becomes of the token with time. */
export function Expiry({ connection }: { connection: Connected["connection"] }) {
  if (connection.renews) return <>renewed by itself</>;
  if (connection.expires_at === null) return <>until you disconnect</>;
  return (
    <>
      until <Time at={connection.expires_at} exact />
    </>
  );
}

interface RowProps {
  request: PageRequest;
  server: string;
  variable: Variable & { oauth: NonNullable<Variable["oauth"]> };
  connected: Connected | null;
}

function Row({ request, server, variable: { name, oauth }, connected }: RowProps) {
  const label = serviceLabel(oauth);
  const works = connected?.state === "ready" || connected?.state === "changed";
  return (
    <tr>
      <th scope="row">
        <bdi>{label}</bdi>
      </th>
      <td data-label="For">
        <code>{name}</code>
      </td>
      <td data-label="State">{connected === null ? "not connected" : STATES[connected.state]}</td>
      <td data-label="Holds">
        {connected === null || !works ? "" : <Expiry connection={connected.connection} />}
      </td>
      <td>
        <div class="actions">
          {works ? null : (
            <a href={request.links.path(connectPath(server, name))} class="button">
              {connected === null ? "Connect" : "Connect again"}
              <span class="visually-hidden">{` to ${label}`}</span>
            </a>
          )}
          {connected === null ? null : (
            <ButtonForm
              request={request}
              action={`/servers/${server}/keys/remove`}
              label="Disconnect"
              about={label}
              kind="danger"
              fields={{ variable: name, for: "me" }}
            />
          )}
        </div>
      </td>
    </tr>
  );
}

/** A row for each variable for which users sign in, and for what is connected beside. */
export function Connections(
  { request, server, variables, keys }: {
    request: PageRequest;
    server: string;
    variables: readonly Variable[];
    keys: readonly KeptKey[];
  },
) {
  const wanted = variables.filter((one) => one.oauth !== null) as RowProps["variable"][];
  if (wanted.length === 0) return null;
  return (
    <Table
      label="Connections"
      columns={["Service", "For", "State", "Holds", ACTIONS]}
      stack
    >
      {wanted.map((variable) => (
        <Row
          request={request}
          server={server}
          variable={variable}
          connected={keys.filter(isConnection)
            .find((key) => key.variable === variable.name && key.for === "me") ?? null}
        />
      ))}
    </Table>
  );
}
