/**
 * `/admin/invitations`: links with which others make accounts.
 *
 * @module
 */
import { AppError } from "../../errors.ts";
import { type Invitation, InviteUser } from "../../issuer/accounts/invitation_schema.ts";
import { listInvitations, withdrawInvitation } from "../../issuer/accounts/pending.ts";
import { ButtonForm, fieldOf, Form, readForm, TextField } from "../layout/forms.tsx";
import { ACTIONS, Alert, Copy, Empty, Notice, Table, Time } from "../layout/parts.tsx";
import { seeOther } from "../layout/respond.tsx";
import type { UserRequest } from "../layout/signed_in.tsx";
import { showAdmin } from "./frame.tsx";

const PATH = "/admin/invitations";

/** What the page tells of the address that was entered last. */
interface Entered {
  email: string;
  status: 200 | 400 | 409;
  fault?: string;
  made?: Invitation;
}

function Made({ made: { email, url, expires_at } }: { made: Invitation }) {
  return (
    <Notice>
      <p>
        Send this link to <bdi>{email}</bdi>. It works once, until{" "}
        <Time at={new Date(expires_at)} exact />, and is not shown again.
      </p>
      <Copy id="invitation" text={url} label="Link" />
    </Notice>
  );
}

async function Pending({ request }: { request: UserRequest }) {
  const { sql, app } = request.services;
  const pending = await listInvitations(sql, app.now());
  if (pending.length === 0) return <Empty title="No invitations are open" />;
  return (
    <Table label="Open invitations" stack columns={["Address", "Made", "Works until", ACTIONS]}>
      {pending.map(({ email, createdAt, expiresAt }) => (
        <tr>
          <th scope="row" class="wrap">
            <bdi>{email}</bdi>
          </th>
          <td data-label="Made">
            <Time at={createdAt} exact />
          </td>
          <td data-label="Works until">
            <Time at={expiresAt} exact />
          </td>
          <td>
            <ButtonForm
              request={request}
              action={PATH}
              label="Withdraw"
              about={email}
              kind="danger"
              fields={{ withdraw: email }}
            />
          </td>
        </tr>
      ))}
    </Table>
  );
}

/** The form, the link that was just made, and the invitations that are open. */
export async function showInvitations(
  request: UserRequest,
  entered: Entered | null = null,
): Promise<Response> {
  const isOwn = request.services.app.issuer !== null;
  return await showAdmin(request, {
    tab: PATH,
    title: "Invitations",
    status: entered?.status ?? 200,
    content: !isOwn ? <p>OIDC_ISSUER names another identity provider: it makes accounts.</p> : (
      <>
        {entered?.fault === undefined ? null : (
          <Alert>
            <p>{entered.fault}</p>
          </Alert>
        )}
        {entered?.made === undefined ? null : <Made made={entered.made} />}
        <Form request={request} action={PATH}>
          <TextField
            view={{
              name: "email",
              label: "E-mail address",
              type: "email",
              value: entered?.made === undefined ? entered?.email ?? "" : "",
              hint: "Its owner chooses a password by the link, which replaces an earlier one",
              fault: entered?.fault,
              attributes: { autocomplete: "off", maxlength: 254 },
            }}
          />
          <p class="actions">
            <button type="submit">Make a link</button>
          </p>
        </Form>
        <Pending request={request} />
      </>
    ),
  });
}

async function invite(request: UserRequest, email: string): Promise<Entered> {
  const read = InviteUser.safeParse({ email });
  if (!read.success) return { email, status: 400, fault: "Enter an e-mail address" };
  const { c, caller, services } = request;
  try {
    const context = { requestId: c.get("requestId") };
    const made = await services.app.inviteUser(caller.userId, read.data.email, context);
    return { email, status: 200, made };
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "conflict") throw error;
    return { email, status: 409, fault: error.message };
  }
}

/** The form with an address makes a link; the one beside an address withdraws it. */
export async function changeInvitations(request: UserRequest): Promise<Response> {
  const { c, caller, services } = request;
  const form = await readForm(request);
  const withdrawn = fieldOf(form, "withdraw");
  if (withdrawn === "") {
    return await showInvitations(request, await invite(request, fieldOf(form, "email").trim()));
  }
  await withdrawInvitation(services.sql, {
    email: withdrawn,
    actor: caller.userId,
    requestId: c.get("requestId"),
    at: services.app.now(),
  });
  return seeOther(request, PATH);
}
