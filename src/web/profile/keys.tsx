/**
 * `/profile/keys`: what the user keeps for servers.
 *
 * @module
 */
import { connectPath } from "../../connections/addresses.ts";
import type { KeptKey } from "../../keys/schema.ts";
import { ButtonForm } from "../layout/forms.tsx";
import { ACTIONS, Empty, Table, Time } from "../layout/parts.tsx";
import { showPage } from "../layout/respond.tsx";
import type { UserRequest } from "../layout/signed_in.tsx";
import { Expiry, isConnection } from "../server/keys/connections.tsx";
import { ProfileFrame } from "./frame.tsx";

const STATES: Record<KeptKey["state"], string> = {
  ready: "ready",
  changed: "waits for your consent",
  unreadable: "enter it again",
  reconnect: "connect again",
};

function State({ request, item }: { request: UserRequest; item: KeptKey }) {
  if (!isConnection(item)) return <>{STATES[item.state]}</>;
  const { server, variable, state, connection } = item;
  if (state === "reconnect" || state === "unreadable") {
    return (
      <a href={request.links.path(connectPath(server, variable))}>
        Connect to <bdi>{connection.service}</bdi> again
      </a>
    );
  }
  return (
    <>
      {state === "ready" ? "connected to" : "waits for your consent to use"}{" "}
      <bdi>{connection.service}</bdi>, <Expiry connection={connection} />
    </>
  );
}

function Actions({ request, item }: { request: UserRequest; item: KeptKey }) {
  const isOne = isConnection(item);
  return (
    <ButtonForm
      request={request}
      action={`/servers/${item.server}/keys/remove`}
      label={isOne ? "Disconnect" : "Remove"}
      about={`${item.variable} of ${item.server}`}
      kind="danger"
      fields={{ variable: item.variable, for: item.for }}
    />
  );
}

/** Shows the values by name, with when each was used. */
export async function showKeys(request: UserRequest): Promise<Response> {
  const { caller, services, links } = request;
  const keys = await services.app.keys.list(caller);
  return await showPage(
    request,
    { title: "Keys", section: "profile" },
    <ProfileFrame request={request} tab="/profile/keys">
      <h2>Keys that you keep for servers</h2>
      {keys.length === 0
        ? <Empty title="You keep none. Enter them on the tab Keys of a server" />
        : (
          <Table
            label="Keys"
            columns={["Server", "Name", "For", "State", "Entered", "Last used", ACTIONS]}
            stack
          >
            {keys.map((key) => (
              <tr>
                <th scope="row">
                  <a href={links.path(`/servers/${key.server}/keys`)}>{key.server}</a>
                </th>
                <td data-label="Name">
                  <code>{key.variable}</code>
                </td>
                <td data-label="For">{key.for === "me" ? "you" : "all signed-in users"}</td>
                <td data-label="State">
                  <State request={request} item={key} />
                </td>
                <td data-label="Entered">
                  <Time at={key.set_at} exact />
                </td>
                <td data-label="Last used">
                  {key.last_used_at === null ? "never" : <Time at={key.last_used_at} exact />}
                </td>
                <td>
                  <Actions request={request} item={key} />
                </td>
              </tr>
            ))}
          </Table>
        )}
    </ProfileFrame>,
  );
}
