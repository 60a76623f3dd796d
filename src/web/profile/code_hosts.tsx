/**
 * `/profile/code-hosts`: tokens with which the user's private repositories are read.
 *
 * @module
 */
import { AppError } from "../../errors.ts";
import { issueText } from "../../issues.ts";
import { PUBLISHER_FILE } from "../../repository/publisher_file.ts";
import { type HostToken, KeepHostToken } from "../../repository/tokens/schema.ts";
import { ButtonForm, fieldOf, Form, readForm, SelectField, TextField } from "../layout/forms.tsx";
import { ACTIONS, Alert, Copy, Empty, Table, Time } from "../layout/parts.tsx";
import { seeOther, showPage } from "../layout/respond.tsx";
import type { UserRequest } from "../layout/signed_in.tsx";
import { ProfileFrame } from "./frame.tsx";

const PATH = "/profile/code-hosts";

const STATES: Record<HostToken["state"], string> = {
  ready: "ready",
  refused: "refused by the host: give a new one",
  unreadable: "enter it again",
};

/** What was entered, but for the token, and what is wrong with it. */
interface Entered {
  host: string;
  path: string;
  fault: string;
}

function Row({ request, token }: { request: UserRequest; token: HostToken }) {
  const { host, path, state } = token;
  return (
    <tr>
      <th scope="row">{host}</th>
      <td data-label="For">{path === "" ? "everything" : <bdi>{path}</bdi>}</td>
      <td data-label="State">{STATES[state]}</td>
      <td data-label="Entered">
        <Time at={token.set_at} exact />
      </td>
      <td data-label="Last used">
        {token.last_used_at === null ? "never" : <Time at={token.last_used_at} exact />}
      </td>
      <td>
        <ButtonForm
          request={request}
          action={`${PATH}/remove`}
          label="Remove"
          about={`the token for ${host} ${path}`}
          kind="danger"
          fields={{ host, path }}
        />
      </td>
    </tr>
  );
}

function KeepForm({ request, entered }: { request: UserRequest; entered: Entered | null }) {
  const { hosts } = request.services.app.codeHosts;
  return (
    <Form request={request} action={PATH} class="narrow wide">
      <SelectField
        view={{ name: "host", label: "Host", value: entered?.host ?? hosts[0]?.host ?? "" }}
        options={hosts.map(({ host }) => [host, host] as const)}
      />
      <TextField
        view={{
          name: "path",
          label: "For",
          value: entered?.path ?? "",
          required: false,
          hint: "An owner, a group or a repository, such as acme/weather. Empty: everything there",
          attributes: { maxlength: 1000, autocomplete: "off", spellcheck: "false" },
        }}
      />
      <TextField
        view={{
          name: "token",
          label: "Token",
          type: "password",
          hint: "One that may read the contents of the repository, and no more. It is encrypted, " +
            "sent to this host only, and never shown again",
          attributes: { maxlength: 1000, autocomplete: "off" },
        }}
      />
      <button type="submit">Keep token</button>
    </Form>
  );
}

/** How a repository opens to the user where the operator has a GitHub App; null where it has none. */
function Apps({ request, code }: { request: UserRequest; code: string | null }) {
  const hosts = request.services.app.codeHosts.hosts.filter(({ app }) => app);
  if (code === null || hosts.length === 0) return null;
  return (
    <section aria-labelledby="apps">
      <h2 id="apps">Without a token</h2>
      <p>
        You can also publish from private repositories in which this service&#39;s GitHub App is
        installed, if a file <code>{PUBLISHER_FILE}</code>{" "}
        on the default branch has this line, with the name of the repository in place of{" "}
        <code>owner/name</code>:
      </p>
      {hosts.map(({ host }, n) => (
        <Copy
          id={`publisher-line-${n}`}
          text={`${code} ${host}/owner/name`}
          label={`the line for a repository at ${host}`}
        />
      ))}
      <p>Take the line away to have the repository closed again.</p>
    </section>
  );
}

/** Shows the tokens, with when each was used, and a form for another. */
export async function showCodeHosts(
  request: UserRequest,
  entered: Entered | null = null,
): Promise<Response> {
  const { codeHosts } = request.services.app;
  const [tokens, code] = await Promise.all([
    codeHosts.list(request.caller),
    codeHosts.codeOf(request.caller.userId),
  ]);
  return await showPage(
    request,
    { title: "Code hosts", section: "profile" },
    <ProfileFrame request={request} tab={PATH}>
      <h2>Tokens for private repositories</h2>
      <p>
        With a token you can publish from repositories that not everyone may read. Such a server is
        private until you change who may read it: they can read its source too.
      </p>
      {entered === null ? null : (
        <Alert>
          <p>{entered.fault}.</p>
        </Alert>
      )}
      {tokens.length === 0 ? <Empty title="You keep none" /> : (
        <Table
          label="Tokens"
          columns={["Host", "For", "State", "Entered", "Last used", ACTIONS]}
          stack
        >
          {tokens.map((token) => <Row request={request} token={token} />)}
        </Table>
      )}
      {codeHosts.isKept && codeHosts.hosts.length > 0
        ? <KeepForm request={request} entered={entered} />
        : <p class="quiet">This service keeps no tokens: its operator has not set SECRETS_KEY.</p>}
      <Apps request={request} code={code} />
    </ProfileFrame>,
    entered === null ? {} : { status: 400 },
  );
}

/** Keeps what was entered. */
export async function keepHostToken(request: UserRequest): Promise<Response> {
  const form = await readForm(request);
  const [host, path] = [fieldOf(form, "host"), fieldOf(form, "path")];
  const input = KeepHostToken.safeParse({ token: form.get("token") ?? "", path });
  if (!input.success) {
    const issue = input.error.issues[0]!;
    const fault = `The ${String(issue.path[0])} ${issueText(issue)}`;
    return await showCodeHosts(request, { host, path, fault });
  }
  const context = { requestId: request.c.get("requestId") };
  try {
    await request.services.app.codeHosts.keep(request.caller, host, input.data, context);
  } catch (error) {
    if (!(error instanceof AppError) || !["conflict", "not_found"].includes(error.code)) {
      throw error;
    }
    return await showCodeHosts(request, { host, path, fault: error.message });
  }
  return seeOther(request, PATH);
}

/** Forgets a token; one that is gone already is no fault. */
export async function removeHostToken(request: UserRequest): Promise<Response> {
  const form = await readForm(request);
  const place = { host: fieldOf(form, "host"), path: fieldOf(form, "path") };
  const context = { requestId: request.c.get("requestId") };
  try {
    await request.services.app.codeHosts.remove(request.caller, place, context);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "not_found") throw error;
  }
  return seeOther(request, PATH);
}
