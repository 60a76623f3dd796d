/**
 * `/admin/sessions`: the live sessions of this node, and what their hosts use.
 *
 * @module
 */
import { recordChange } from "../../audit/audit.ts";
import { ButtonForm, fieldOf, readForm } from "../layout/forms.tsx";
import { ACTIONS, Empty, Notice, plural, Table, Time } from "../layout/parts.tsx";
import { seeOther } from "../layout/respond.tsx";
import type { UserRequest } from "../layout/signed_in.tsx";
import type { Operations } from "../services.ts";
import { showAdmin } from "./frame.tsx";
import { usernamesOf } from "./queries.ts";

const MEBIBYTE = 1024 * 1024;

async function Hosts({ operations }: { operations: Operations }) {
  const { hosts, warm } = await operations.usage();
  return (
    <section aria-labelledby="hosts">
      <h2 id="hosts">Host processes</h2>
      <p class="quiet">
        A host has sessions of one server only. {plural(warm, "booted session")}{" "}
        {warm === 1 ? "waits" : "wait"} for a first use.
      </p>
      {hosts.length === 0
        ? <Empty title="No hosts" />
        : (
          <Table label="Host processes" dense columns={["Process", "Memory", "Processor time"]}>
            {hosts.map(({ pid, memory, processorMs }) => (
              <tr>
                <th scope="row">{pid}</th>
                <td>{Math.round(memory / MEBIBYTE)} MiB</td>
                <td>{(processorMs / 1000).toFixed(1)} s</td>
              </tr>
            ))}
          </Table>
        )}
    </section>
  );
}

/** Shows the page. */
export async function showSessions(request: UserRequest): Promise<Response> {
  const { services, links } = request;
  const { operations } = services;
  if (operations === null) {
    return await showAdmin(request, {
      tab: "/admin/sessions",
      title: "Sessions",
      content: (
        <Notice>
          <p>This node runs no servers: look at one that does.</p>
        </Notice>
      ),
    });
  }
  const sessions = operations.live.list();
  const subjects = sessions.map(({ userId }) => userId).filter((id) => id !== null);
  const usernames = await usernamesOf(services.sql, subjects);
  return await showAdmin(request, {
    tab: "/admin/sessions",
    title: "Sessions",
    content: (
      <>
        <section aria-labelledby="live">
          <h2 id="live">Live sessions on this node</h2>
          {sessions.length === 0 ? <Empty title="No session lives" /> : (
            <Table
              label="Live sessions"
              columns={["Server", "User", "State", "Last used", ACTIONS]}
            >
              {sessions.map(({ instance, server, userId, busy, lastActive }) => (
                <tr>
                  <th scope="row">
                    <a href={links.path(`/servers/${server}`)}>{server}</a>
                  </th>
                  <td>{userId === null ? "anybody" : usernames.get(userId) ?? "unknown"}</td>
                  <td>{busy ? "busy" : "idle"}</td>
                  <td>
                    <Time at={lastActive} exact />
                  </td>
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
              ))}
            </Table>
          )}
        </section>
        {await Hosts({ operations })}
      </>
    ),
  });
}

/** Ends a session. */
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
