/**
 * `/profile/export` and `/profile/delete`: taking one's data along, and leaving.
 *
 * @module
 */
import { AppError } from "../../errors.ts";
import { fieldOf, Form, readForm, TextField } from "../layout/forms.tsx";
import type { PageRequest } from "../layout/context.ts";
import { Alert } from "../layout/parts.tsx";
import { seeOther, showPage } from "../layout/respond.tsx";
import type { UserRequest } from "../layout/signed_in.tsx";
import { setCookie } from "../session/cookies.ts";
import { ProfileFrame } from "./frame.tsx";

/** The section of the account's page that leads to both. */
export function DataSection({ request }: { request: UserRequest }) {
  const { links } = request;
  return (
    <section aria-labelledby="data">
      <h2 id="data">Your data</h2>
      <p>
        Take along everything that this service keeps of you, or delete your account with it.
      </p>
      <p class="actions">
        <a href={links.path("/profile/export")} class="button secondary" download="account.json">
          Download your data
        </a>
        <a href={links.path("/profile/delete")} class="button secondary">Delete your account</a>
      </p>
    </section>
  );
}

/** The user's data as a file. */
export async function downloadAccount({ c, caller, services }: UserRequest): Promise<Response> {
  const exported = await services.app.account.export(caller);
  return c.body(`${JSON.stringify(exported, null, 2)}\n`, 200, {
    "Content-Type": "application/json; charset=utf-8",
    "Content-Disposition": 'attachment; filename="account.json"',
    "Cache-Control": "no-store",
  });
}

function Names({ request, names }: { request: UserRequest; names: readonly string[] }) {
  return (
    <ul>
      {names.map((name) => (
        <li>
          <a href={request.links.path(`/servers/${name}`)}>{name}</a>
        </li>
      ))}
    </ul>
  );
}

/** Shows what goes, and asks for the username. */
export async function showDelete(
  request: UserRequest,
  refused: AppError | null = null,
): Promise<Response> {
  const { caller, services, links } = request;
  const { removed, passed_on } = await services.app.account.preview(caller);
  return await showPage(
    request,
    { title: "Delete your account", section: "profile" },
    <ProfileFrame request={request} tab="/profile">
      <h2>Delete your account</h2>
      {refused === null ? null : (
        <Alert>
          <p>{refused.message}.</p>
        </Alert>
      )}
      <p>
        Your keys, tokens and sign-ins are deleted at once, and nobody can bring them back. Your
        username stays taken, so that nobody passes for you. Payments and entries of the audit log
        are kept.
      </p>
      {removed.length === 0 ? null : (
        <>
          <p>
            These servers are removed, with what others keep for them. Offer a server to another
            user first, on its page Manage, if it should go on:
          </p>
          <Names request={request} names={removed} />
        </>
      )}
      {passed_on.length === 0 ? null : (
        <>
          <p>These servers go to the other owners of their author name:</p>
          <Names request={request} names={passed_on} />
        </>
      )}
      <p>
        <a href={links.path("/profile/export")} download="account.json">Download your data</a>{" "}
        first.
      </p>
      <Form request={request} action="/profile/delete" class="narrow">
        <TextField
          view={{
            name: "username",
            label: `Type ${caller.username} to confirm`,
            value: "",
            attributes: { autocomplete: "off", autocapitalize: "off", spellcheck: "false" },
          }}
        />
        <button type="submit" class="danger">Delete your account</button>
      </Form>
    </ProfileFrame>,
    refused === null ? {} : { status: 400 },
  );
}

/** Deletes the account of whoever typed its name. */
export async function leave(request: UserRequest): Promise<Response> {
  const { c, caller, services } = request;
  const username = fieldOf(await readForm(request), "username");
  try {
    await services.app.account.delete(caller, username, { requestId: c.get("requestId") });
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "invalid_request") throw error;
    return await showDelete(request, error);
  }
  c.header("Set-Cookie", setCookie(services.cookies, "session", ""), { append: true });
  return seeOther(request, "/deleted");
}

/** What is shown to somebody who has left. */
export async function showDeleted(request: PageRequest): Promise<Response> {
  return await showPage(
    request,
    { title: "Your account is deleted" },
    <>
      <h1>Your account is deleted</h1>
      <p>
        <a href={request.links.path("/")}>Back to the servers</a>
      </p>
    </>,
  );
}
