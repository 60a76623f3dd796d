/**
 * `/profile/tokens`: API tokens. Each is shown once, when it is made.
 *
 * @module
 */
import { AppError } from "../../errors.ts";
import { issueText } from "../../issues.ts";
import type { MadeToken } from "../../identity/api_tokens/create.ts";
import { type ApiToken, CreateToken } from "../../identity/api_tokens/schema.ts";
import { readDigits } from "../../numbers.ts";
import { freshToken } from "../session/refresh.ts";
import {
  ButtonForm,
  Field,
  fieldOf,
  Form,
  readForm,
  SelectField,
  TextField,
} from "../layout/forms.tsx";
import { ACTIONS, Alert, Copy, Empty, Table, Time } from "../layout/parts.tsx";
import { seeOther, showPage } from "../layout/respond.tsx";
import type { UserRequest } from "../layout/signed_in.tsx";
import { ProfileFrame } from "./frame.tsx";

const LIVES = [
  ["3600", "One hour"],
  ["1800", "30 minutes"],
  ["300", "5 minutes"],
] as const;

interface State {
  made?: MadeToken;
  name?: string;
  fault?: string;
  /** The provider gives no token that could be shown. */
  elsewhere?: string;
}

function stateOf({ expires_at, revoked_at }: ApiToken, now: Date): "live" | "revoked" | "expired" {
  if (revoked_at !== null) return "revoked";
  return new Date(expires_at) > now ? "live" : "expired";
}

function Row({ request, token, now }: { request: UserRequest; token: ApiToken; now: Date }) {
  const state = stateOf(token, now);
  return (
    <tr class={state === "live" ? undefined : "ended"}>
      <th scope="row">
        <bdi>{token.name}</bdi>
      </th>
      <td data-label="Created">
        <Time at={token.created_at} exact />
      </td>
      <td data-label="Expires">
        {state === "revoked" ? "revoked" : <Time at={token.expires_at} exact />}
        {state === "expired" ? " (expired)" : ""}
      </td>
      <td data-label="Last used">
        {token.last_used_at === null ? "never" : <Time at={token.last_used_at} exact />}
      </td>
      <td>
        {state !== "live" ? null : (
          <ButtonForm
            request={request}
            action={`/profile/tokens/${token.id}/revoke`}
            label="Revoke"
            about={token.name}
            kind="danger"
          />
        )}
      </td>
    </tr>
  );
}

function Made({ made }: { made: MadeToken }) {
  return (
    <section class="made" aria-labelledby="made">
      <h2 id="made">
        Your token <bdi>{made.token.name}</bdi>
      </h2>
      <p>
        <strong>Copy it now. It will not be shown again.</strong> It is valid until{" "}
        <Time at={made.token.expires_at} exact />.
      </p>
      <Copy id="token" text={made.accessToken} label="the token" />
      <p class="quiet">
        Send it as <code>Authorization: Bearer …</code>. Anyone who has it can act on your behalf.
      </p>
    </section>
  );
}

function Elsewhere({ issuer }: { issuer: string }) {
  const isAddress = URL.canParse(issuer) && new URL(issuer).protocol === "https:";
  return (
    <Alert>
      <p>
        Your identity provider does not issue another token to this application. Get an access token
        there: {isAddress
          ? <a href={issuer} rel="noopener noreferrer">{issuer}</a>
          : <strong>{issuer}</strong>}, as described in its documentation.
      </p>
    </Alert>
  );
}

function MakeForm({ request, state }: { request: UserRequest; state: State }) {
  const isEmbedded = request.services.setup.kind === "embedded";
  return (
    <Form request={request} action="/profile/tokens" class="inline-form">
      <TextField
        view={{
          name: "name",
          label: "Name",
          value: state.name ?? "",
          hint: "What the token is for, such as Build server",
          ...(state.fault === undefined ? {} : { fault: state.fault }),
          attributes: { maxlength: 100, autocomplete: "off" },
        }}
      />
      {isEmbedded
        ? <SelectField view={{ name: "expires_in", label: "Valid for" }} options={LIVES} />
        : (
          <Field view={{ name: "expires_in", label: "Valid for" }}>
            <input
              id="expires_in"
              value="Set by your provider, one hour at most"
              readonly
            />
          </Field>
        )}
      <button type="submit">Create token</button>
    </Form>
  );
}

export async function showTokens(request: UserRequest, state: State = {}): Promise<Response> {
  const { caller, services } = request;
  const tokens = await services.app.tokens.list(caller);
  const now = services.app.now();
  const failed = state.fault !== undefined || state.elsewhere !== undefined;
  return await showPage(
    request,
    { title: state.made ? "Your new token" : "API tokens", section: "profile" },
    <ProfileFrame request={request} tab="/profile/tokens">
      {state.made ? <Made made={state.made} /> : null}
      {state.elsewhere ? <Elsewhere issuer={state.elsewhere} /> : null}
      <section aria-labelledby="make">
        <h2 id="make">Create a token</h2>
        <p class="quiet">
          For scripts and clients that cannot sign in on their own. Programs that can refresh tokens
          should use <code>berth login</code> instead.
        </p>
        <MakeForm request={request} state={state} />
      </section>
      <section aria-labelledby="tokens">
        <h2 id="tokens">Your tokens</h2>
        {tokens.length === 0 ? <Empty title="No tokens" /> : (
          <Table
            label="Your tokens"
            stack
            columns={["Name", "Created", "Expires", "Last used", ACTIONS]}
          >
            {tokens.map((token) => <Row request={request} token={token} now={now} />)}
          </Table>
        )}
      </section>
    </ProfileFrame>,
    failed ? { status: 400 } : {},
  );
}

/** A token of the external provider, from the grant of this browser's session. */
async function refreshed(request: UserRequest, name: string): Promise<MadeToken | null> {
  const { c, visitor, services, caller } = request;
  const { session } = visitor;
  if (services.sessions === null || session === null) return null;
  const { id, secret } = session;
  const fresh = await freshToken(services.sessions, { id, secret, client: c.get("client") });
  if (fresh.kind === "none") return null;
  const context = { requestId: c.get("requestId") };
  const { accessToken } = fresh;
  return await services.app.tokens.register(caller, { name, accessToken }, context);
}

export async function makeToken(request: UserRequest): Promise<Response> {
  const { c, caller, services } = request;
  const form = await readForm(request);
  const isEmbedded = services.setup.kind === "embedded";
  const name = fieldOf(form, "name");
  const input = CreateToken.safeParse({
    name,
    ...(isEmbedded ? { expires_in: readDigits(fieldOf(form, "expires_in") || "3600") ?? NaN } : {}),
  });
  if (!input.success) {
    const issue = input.error.issues[0]!;
    const fault = issue.path[0] === "name" && name === ""
      ? "Enter a name"
      : `The ${String(issue.path[0])} ${issueText(issue)}`;
    return await showTokens(request, { name, fault });
  }
  const { tokens } = services.app;
  try {
    if (isEmbedded) {
      tokens.authorizeCreate(caller);
      const context = { requestId: c.get("requestId") };
      return await showTokens(request, { made: await tokens.create(caller, input.data, context) });
    }
    const made = await refreshed(request, input.data.name);
    if (made !== null) return await showTokens(request, { made });
    const elsewhere = services.sessions?.provider.issuer ?? "your identity provider";
    return await showTokens(request, { name, elsewhere });
  } catch (error) {
    if (!(error instanceof AppError) || !["conflict", "forbidden"].includes(error.code)) {
      throw error;
    }
    return await showTokens(request, { name, fault: error.message });
  }
}

export async function revokeToken(request: UserRequest): Promise<Response> {
  const { c, caller, services } = request;
  await readForm(request);
  await services.app.tokens.revoke(caller, c.req.param("id") ?? "", {
    requestId: c.get("requestId"),
  });
  return seeOther(request, "/profile/tokens");
}
