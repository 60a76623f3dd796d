/**
 * `/admin/sessions`: the live sessions of this node, and what their hosts use.
 *
 * @module
 */
import { recordChange } from "../../audit/audit.ts";
import type { LiveSession, SessionState } from "../../execution/sessions/types.ts";
import { ButtonForm, fieldOf, readForm } from "../layout/forms.tsx";
import { ACTIONS, Empty, Notice, Table, Time } from "../layout/parts.tsx";
import { plural } from "../../text/plural.ts";
import { seeOther } from "../layout/respond.tsx";
import type { UserRequest } from "../layout/signed_in.tsx";
import type { Operations } from "../services.ts";
import { showAdmin } from "./frame.tsx";
import { usernamesOf } from "../../names/users.ts";

const MEBIBYTE = 1024 * 1024;

const STATES: Record<SessionState, string> = {
  busy: "busy",
  idle: "idle",
  parked: "parked",
  failed: "did not start",
};

type Usage = Awaited<ReturnType<Operations["usage"]>>;

function memoryText({ memory }: { memory: number }): string {
  return `${Math.round(memory / MEBIBYTE)} MiB`;
}

function processorText({ processorMs }: { processorMs: number }): string {
  return `${(processorMs / 1000).toFixed(1)} s`;
}

function Hosts({ usage, sessions }: { usage: Usage; sessions: readonly LiveSession[] }) {
  const { hosts, warm, spare } = usage;
  return (
    <section aria-labelledby="hosts">
      <h2 id="hosts">Host processes</h2>
      <p class="quiet">
        A host runs sessions of one server and one user only. {plural(warm, "booted session")}{" "}
        {warm === 1 ? "is" : "are"} ready for use, {plural(spare, "spare session")}{" "}
        {spare === 1 ? "waits" : "wait"} for clients of servers in demand.
      </p>
      {hosts.length === 0 ? <Empty title="No host processes" /> : (
        <Table
          label="Host processes"
          dense
          stack
          columns={["Process", "Sessions", "Memory", "Processor time"]}
        >
          {hosts.map((host) => (
            <tr>
              <th scope="row">{host.pid}</th>
              <td data-label="Sessions">
                {sessions.filter(({ pid }) => pid === host.pid).length}
              </td>
              <td data-label="Memory">{memoryText(host)}</td>
              <td data-label="Processor time">{processorText(host)}</td>
            </tr>
          ))}
        </Table>
      )}
    </section>
  );
}

/** What the host of a session uses; the system knows processes, not the sessions in them. */
function HostCells(
  { session, usage, sessions }: {
    session: LiveSession;
    usage: Usage;
    sessions: readonly LiveSession[];
  },
) {
  const host = usage.hosts.find(({ pid }) => pid === session.pid);
  if (host === undefined) {
    return (
      <>
        <td class="quiet" data-label="Host process">none</td>
        <td />
        <td />
      </>
    );
  }
  const sharing = sessions.filter(({ pid }) => pid === session.pid).length;
  return (
    <>
      <td data-label="Host process">
        {host.pid}
        {sharing === 1 ? null : <span class="quiet">{` shared by ${sharing}`}</span>}
      </td>
      <td class="nowrap" data-label="Memory">{memoryText(host)}</td>
      <td class="nowrap" data-label="Processor time">{processorText(host)}</td>
    </>
  );
}

function LiveSessions(
  { request, usage, sessions, usernames }: {
    request: UserRequest;
    usage: Usage;
    sessions: readonly LiveSession[];
    usernames: ReadonlyMap<string, string>;
  },
) {
  const columns = [
    "Server",
    "User",
    "State",
    "Last used",
    "Host process",
    "Memory",
    "Processor time",
    ACTIONS,
  ];
  return (
    <section aria-labelledby="live">
      <h2 id="live">Live sessions on this node</h2>
      <p class="quiet">
        Memory and processor time belong to a session's host process, which a user's sessions of one
        server share.
      </p>
      {sessions.length === 0
        ? <Empty title="No live sessions" />
        : (
          <Table label="Live sessions" stack columns={columns}>
            {sessions.map((session) => {
              const { instance, server, userId, state, lastActive } = session;
              return (
                <tr>
                  <th scope="row">
                    <a href={request.links.path(`/servers/${server}`)}>{server}</a>
                  </th>
                  <td data-label="User">
                    {userId === null ? "anonymous" : usernames.get(userId) ?? "unknown"}
                  </td>
                  <td data-label="State">{STATES[state]}</td>
                  <td class="nowrap" data-label="Last used">
                    <Time at={lastActive} exact />
                  </td>
                  <HostCells session={session} usage={usage} sessions={sessions} />
                  <td>
                    <ButtonForm
                      request={request}
                      action="/admin/sessions/end"
                      label="End"
                      about={`the session of ${server}`}
                      kind="danger"
                      fields={{ instance, server }}
                    />
                  </td>
                </tr>
              );
            })}
          </Table>
        )}
    </section>
  );
}

export async function showSessions(request: UserRequest): Promise<Response> {
  const { operations, ...services } = request.services;
  const page = { tab: "/admin/sessions", title: "Sessions" };
  if (operations === null) {
    const content = (
      <Notice>
        <p>This node runs no servers. Open this page on a node that does.</p>
      </Notice>
    );
    return await showAdmin(request, { ...page, content });
  }
  const sessions = operations.live.list();
  const subjects = sessions.map(({ userId }) => userId).filter((id) => id !== null);
  const usernames = await usernamesOf(services.sql, subjects);
  const usage = await operations.usage();
  return await showAdmin(request, {
    ...page,
    content: (
      <>
        <LiveSessions request={request} usage={usage} sessions={sessions} usernames={usernames} />
        <Hosts usage={usage} sessions={sessions} />
      </>
    ),
  });
}

export async function endSession(request: UserRequest): Promise<Response> {
  const { c, caller, services } = request;
  const form = await readForm(request);
  const ended = await services.operations?.live.endInstance(fieldOf(form, "instance")) ?? false;
  if (ended) {
    await recordChange(services.sql, {
      actor: caller.userId,
      action: "execution.end",
      subject: fieldOf(form, "server").slice(0, 64),
      requestId: c.get("requestId"),
      at: services.app.now(),
    });
  }
  return seeOther(request, "/admin/sessions");
}
