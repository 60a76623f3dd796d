/**
 * `/servers/{name}/keys`: which variables a server takes, and what the visitor keeps for it.
 *
 * @module
 */
import type { AppError } from "../../../errors.ts";
import type { KeptKey } from "../../../keys/schema.ts";
import type { PageRequest } from "../../layout/context.ts";
import { ButtonForm, Form } from "../../layout/forms.tsx";
import { ACTIONS, Alert, Empty, Notice, Table, Time } from "../../layout/parts.tsx";
import { showPage } from "../../layout/respond.tsx";
import { headOf, ServerFrame } from "../frame.tsx";
import { type LoadedServer, loadServer } from "../load.ts";
import { Connections, isConnection } from "./connections.tsx";
import { ValueField } from "./value_field.tsx";
import { VariablesTable } from "./variables_table.tsx";

const STATES: Record<KeptKey["state"], string> = {
  ready: "ready",
  changed: "not used until you agree",
  unreadable: "lost with the service's key: enter it again",
  reconnect: "not used: the server has no such sign-in any more",
};

function stateOf({ state, yours }: KeptKey): string {
  if (state === "changed" && !yours) {
    return "not used: who entered it has to agree, or the owner to enter it again";
  }
  return STATES[state];
}

interface PartProps {
  request: PageRequest;
  loaded: LoadedServer;
  keys: readonly KeptKey[];
  /** What stands for what is shown of the server. */
  terms: string;
}

function KeptTable({ request, loaded, keys }: Omit<PartProps, "terms">) {
  const { name } = loaded.server;
  return (
    <Table
      label="Kept values"
      columns={["Name", "For", "State", "Entered", "Last used", ACTIONS]}
      stack
    >
      {keys.map((key) => (
        <tr>
          <th scope="row">
            <code>{key.variable}</code>
          </th>
          <td data-label="For">{key.for === "me" ? "you" : "all signed-in users"}</td>
          <td data-label="State">{stateOf(key)}</td>
          <td data-label="Entered">
            <Time at={key.set_at} exact />
          </td>
          <td data-label="Last used">
            {key.last_used_at === null ? "never" : <Time at={key.last_used_at} exact />}
          </td>
          <td>
            {!key.yours && !loaded.rights.own ? null : (
              <ButtonForm
                request={request}
                action={`/servers/${name}/keys/remove`}
                label="Remove"
                about={key.variable}
                kind="danger"
                fields={{ variable: key.variable, for: key.for }}
              />
            )}
          </td>
        </tr>
      ))}
    </Table>
  );
}

function asks({ asked }: KeptKey): string {
  if (asked === null) return "";
  return asked.delivery === "placeholder"
    ? `it may be sent to ${asked.hosts.join(", ")}, and the code does not see it`
    : "the code sees it";
}

/** A former owner takes back what they gave to everyone, and gives it to nobody. */
function mayAgree({ rights }: LoadedServer, key: KeptKey): boolean {
  return key.yours && (key.for === "me" || rights.own);
}

/** What the server asks for now that was not agreed to. */
function Consent({ request, loaded, keys, terms }: PartProps) {
  const waiting = keys.filter((key) => key.state === "changed" && mayAgree(loaded, key));
  if (waiting.length === 0) return null;
  const { name, author } = loaded.server;
  return (
    <Alert>
      <p>
        {name}{" "}
        has changed since you entered these values, and gets none of them until you agree. It now
        belongs to <bdi>{author}</bdi>.
      </p>
      <ul>
        {waiting.map((key) => (
          <li>
            <code>{key.variable}</code>: {asks(key)}
          </li>
        ))}
      </ul>
      <ButtonForm
        request={request}
        action={`/servers/${name}/keys/agree`}
        label="Agree"
        kind="primary"
        fields={{ terms }}
      />
    </Alert>
  );
}

/** Variables whose values are entered; for the others users sign in at a service. */
function enteredOf(variables: LoadedServer["server"]["variables"]) {
  return variables.filter(({ oauth }) => oauth === null);
}

/** What is shown with its service: sign-ins that the server still asks for. */
function isShownAsConnection({ server }: LoadedServer, key: KeptKey): boolean {
  return isConnection(key) && key.for === "me" &&
    server.variables.some(({ name, oauth }) => name === key.variable && oauth !== null);
}

function EnterForm({ request, loaded, terms }: Omit<PartProps, "keys">) {
  const { server, rights } = loaded;
  return (
    <Form request={request} action={`/servers/${server.name}/keys/set`}>
      <input type="hidden" name="terms" value={terms} />
      {enteredOf(server.variables).map((variable) => <ValueField variable={variable} />)}
      {rights.own
        ? (
          <label class="check">
            <input type="checkbox" name="everyone" />{" "}
            Keep them for all signed-in users of this server
          </label>
        )
        : null}
      <button type="submit">Keep</button>
    </Form>
  );
}

function OwnValues({ request, loaded, keys, terms }: PartProps) {
  const { services, links, visitor } = request;
  const path = `/servers/${loaded.server.name}/keys`;
  const values = keys.filter((key) => !isShownAsConnection(loaded, key));
  const login = `${links.path("/login")}?to=${encodeURIComponent(links.path(path))}`;
  if (visitor.caller === null) {
    return (
      <p>
        <a href={login} class="button">Sign in to keep values and connect services</a>
      </p>
    );
  }
  return (
    <>
      <Consent request={request} loaded={loaded} keys={keys} terms={terms} />
      <Connections
        request={request}
        server={loaded.server.name}
        variables={loaded.server.variables}
        keys={keys}
      />
      {values.length === 0 ? null : <KeptTable request={request} loaded={loaded} keys={values} />}
      {services.app.keys.isKept
        ? enteredOf(loaded.server.variables).length === 0 ? null : (
          <>
            <p class="quiet">
              What you enter is stored encrypted, is never shown again, and goes to your sessions of
              this server. Fields that you leave empty change nothing.
            </p>
            <EnterForm request={request} loaded={loaded} terms={terms} />
          </>
        )
        : (
          <Notice>
            <p>
              This service keeps no values. Pass them for each session, as the tab Install shows.
            </p>
          </Notice>
        )}
    </>
  );
}

/** Shows the page, with why values were not taken. */
export async function showKeys(
  request: PageRequest,
  refused: AppError | null = null,
): Promise<Response> {
  const shown = await loadServer(request);
  const terms = await request.services.app.keys.terms(request.visitor.caller, shown.server.name);
  // Again, so that nothing older than its terms is shown.
  const loaded = await loadServer(request);
  const { name, variables, configuration } = loaded.server;
  const { caller } = request.visitor;
  const keys = caller === null ? [] : await request.services.app.keys.listOfServer(caller, name);
  return await showPage(
    request,
    headOf(loaded, "/keys", "Keys"),
    <ServerFrame request={request} loaded={loaded} tab="/keys">
      <h2>Keys and settings</h2>
      {refused === null ? null : (
        <Alert>
          <p>{refused.message}.</p>
        </Alert>
      )}
      {variables.length === 0 ? <Empty title="This server takes no variables" /> : (
        <>
          <p class="quiet">
            {configuration === null
              ? "The scan found these environment variables in the code."
              : "The author declares these environment variables."}
          </p>
          <VariablesTable variables={variables} />
        </>
      )}
      {variables.length === 0 && keys.length === 0 ? null : (
        <section aria-labelledby="kept">
          <h2 id="kept">Your values</h2>
          <OwnValues request={request} loaded={loaded} keys={keys} terms={terms} />
        </section>
      )}
    </ServerFrame>,
    refused === null ? {} : { status: refused.status === 409 ? 409 : 400 },
  );
}
