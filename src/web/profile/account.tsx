/**
 * `/profile`: the account, its servers, and what others offer.
 *
 * @module
 */
import { AppError } from "../../errors.ts";
import { whyNotAdmitted } from "../../execution/admission/runnable.ts";
import { issueText } from "../../issues.ts";
import { ChangeUsername } from "../../identity/schema.ts";
import { ButtonForm, fieldOf, Form, readForm, TextField } from "../layout/forms.tsx";
import { ACTIONS, Empty, Table } from "../layout/parts.tsx";
import { USAGE_DAYS } from "../../registry/usage/history.ts";
import { CallsLine } from "../layout/calls_line.tsx";
import { RunsHere } from "../layout/runs.tsx";
import { plural } from "../../text/plural.ts";
import { seeOther, showPage } from "../layout/respond.tsx";
import type { UserRequest } from "../layout/signed_in.tsx";
import { Verdict } from "../layout/verdict.tsx";
import { ProfileFrame } from "./frame.tsx";
import { canRename, type OwnServer, ownServers } from "./queries.ts";
import { DataSection } from "./leave.tsx";
import { Offers, readOffers } from "./offers.tsx";

/** Findings, and how many of them are critical or high. */
function Findings({ server: { name, issues, severe }, request }: RowProps) {
  if (issues === 0) return <>none</>;
  return (
    <a href={request.links.path(`/servers/${name}/security`)}>
      {issues.toLocaleString("en")}
      {severe === 0 ? null : `, ${severe.toLocaleString("en")} severe`}
    </a>
  );
}

/** Calls that failed, and their share. */
function Failures({ server: { usage, failures } }: Pick<RowProps, "server">) {
  if (usage.total === 0) return <>no calls</>;
  if (failures === 0) return <>none</>;
  const share = Math.max(1, Math.round(failures / usage.total * 100));
  return <>{failures.toLocaleString("en")} ({Math.min(share, 100)} %)</>;
}

interface RowProps {
  request: UserRequest;
  server: OwnServer;
}

function Row({ request, server }: RowProps) {
  const { name, version, lang, status, runs, runsReason, usage } = server;
  const { links, services } = request;
  const isAdmitted = whyNotAdmitted({ lang, scanStatus: status }, services.rules.policy) === null;
  return (
    <tr>
      <th scope="row">
        <a href={links.path(`/servers/${name}`)}>{name}</a>{" "}
        <span class="quiet">{version.length > 20 ? `${version.slice(0, 19)}…` : version}</span>
      </th>
      <td data-label="Scan">
        <Verdict status={status} />
      </td>
      <td data-label="Start">
        {runs === null
          ? isAdmitted ? "not yet" : "not started"
          : <RunsHere build={{ runs, reason: runsReason }} />}
      </td>
      <td class="nowrap" data-label="Calls">
        {usage.total === 0 ? "none" : <CallsLine usage={usage} />}
      </td>
      <td class="nowrap" data-label="Errors">
        <Failures server={server} />
      </td>
      <td class="nowrap" data-label="Findings">
        <Findings server={server} request={request} />
      </td>
      <td class="nowrap">
        <a href={links.path(`/servers/${name}/next`)}>
          Next steps<span class="visually-hidden">{` for ${name}`}</span>
        </a>
      </td>
    </tr>
  );
}

function Servers({ request, servers }: { request: UserRequest; servers: OwnServer[] }) {
  const { links } = request;
  if (servers.length === 0) {
    return (
      <Empty title="You have no servers yet">
        <p>
          <a href={links.path("/publish")} class="button">Publish one</a>
        </p>
      </Empty>
    );
  }
  return (
    <Table
      label="Your servers"
      stack
      columns={["Name", "Scan", "Start", "Calls", "Errors", "Findings", ACTIONS]}
    >
      {servers.map((server) => <Row request={request} server={server} />)}
    </Table>
  );
}

function Username(
  { request, fault, value, isOpen }: {
    request: UserRequest;
    fault?: string | undefined;
    value?: string | undefined;
    isOpen: boolean;
  },
) {
  const { caller } = request;
  if (!isOpen) {
    return (
      <p class="quiet">
        Your username is{" "}
        <strong>{caller.username}</strong>. It can be changed only once, and already was.
      </p>
    );
  }
  return (
    <Form request={request} action="/profile/username" class="narrow">
      <TextField
        view={{
          name: "username",
          label: "Username",
          value: value ?? caller.username,
          hint: "Can be changed once. Lowercase letters, digits and hyphens, 2 to 39 characters",
          fault,
          attributes: { autocomplete: "off", autocapitalize: "off", spellcheck: "false" },
        }}
      />
      <button type="submit" class="secondary">Change username</button>
    </Form>
  );
}

/** Shows the page, with what was wrong with a new username. */
export async function showAccount(
  request: UserRequest,
  wrong: { username: string; fault: string } | null = null,
): Promise<Response> {
  const { caller, services } = request;
  const { sql } = services;
  const [servers, isOpen, offers] = [
    await ownServers(sql, caller.userId, services.app.now()),
    await canRename(sql, caller.userId),
    await readOffers(request),
  ];
  return await showPage(
    request,
    { title: "Your profile", section: "profile" },
    <ProfileFrame request={request} tab="/profile">
      <Offers request={request} offers={offers} />
      <section aria-labelledby="servers">
        <h2 id="servers">Your servers</h2>
        {servers.length === 0 ? null : (
          <p class="quiet">
            {plural(servers.length, "server")}. Calls and errors are those of the last {USAGE_DAYS}
            {" "}
            days.
          </p>
        )}
        <Servers request={request} servers={servers} />
      </section>
      <section aria-labelledby="account">
        <h2 id="account">Account</h2>
        <dl class="facts">
          <div>
            <dt>E-mail</dt>
            <dd>
              {caller.email ?? "none"}
              {caller.emailVerified === true ? " (verified)" : ""}
            </dd>
          </div>
          <div>
            <dt>Signed in with</dt>
            <dd>{caller.signInProvider ?? "your identity provider"}</dd>
          </div>
          <div>
            <dt>Role</dt>
            <dd>{caller.isAdmin ? "Administrator" : "User"}</dd>
          </div>
        </dl>
        <Username
          request={request}
          isOpen={isOpen}
          fault={wrong?.fault}
          value={wrong?.username}
        />
      </section>
      <section aria-labelledby="everywhere">
        <h2 id="everywhere">Sign out everywhere</h2>
        <p>
          Ends your sessions in all browsers and revokes every token issued to you so far, here and
          in your programs.
        </p>
        <ButtonForm
          request={request}
          action="/profile/sign-out-everywhere"
          label="Sign out everywhere"
          kind="danger"
        />
      </section>
      <DataSection request={request} />
    </ProfileFrame>,
    wrong === null ? {} : { status: 400 },
  );
}

/** Takes a new username. */
export async function changeUsername(request: UserRequest): Promise<Response> {
  const { c, caller, services } = request;
  const username = fieldOf(await readForm(request), "username");
  const parsed = ChangeUsername.safeParse({ username });
  if (!parsed.success) {
    const issue = parsed.error.issues[0]!;
    return await showAccount(request, { username, fault: `The username ${issueText(issue)}` });
  }
  try {
    const context = { requestId: c.get("requestId") };
    await services.app.identity.changeUsername(caller, username, context);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "conflict") throw error;
    return await showAccount(request, { username, fault: error.message });
  }
  return seeOther(request, "/profile");
}

/** Ends every sign-in of the user. */
export async function signOutEverywhere(request: UserRequest): Promise<Response> {
  await readForm(request);
  await request.services.app.tokens.revokeAll(request.caller, {
    requestId: request.c.get("requestId"),
  });
  return seeOther(request, "/logout");
}
