/**
 * The administrators' pages: users, servers, scans.
 *
 * @module
 */
import { userNotChanged } from "../failures.ts";
import { ButtonForm, fieldOf, readForm } from "../layout/forms.tsx";
import { ACTIONS, Empty, Table, Time } from "../layout/parts.tsx";
import { seeOther } from "../layout/respond.tsx";
import type { UserRequest } from "../layout/signed_in.tsx";
import { Verdict } from "../layout/verdict.tsx";
import { NameFilter, showAdmin } from "./frame.tsx";
import {
  type AdminScan,
  listAllServers,
  listLatestScans,
  listUsers,
  setAdministrator,
} from "./queries.ts";

function askedFor({ c }: UserRequest): string {
  return (c.req.query("q") ?? "").slice(0, 64);
}

export async function showUsers(request: UserRequest): Promise<Response> {
  const start = askedFor(request);
  const users = await listUsers(request.services.sql, start);
  return await showAdmin(request, {
    tab: "/admin/users",
    title: "Users",
    content: (
      <>
        <NameFilter request={request} action="/admin/users" value={start} />
        {users.length === 0 ? <Empty title="No matching users" /> : (
          <Table
            label="Users"
            stack
            columns={["Username", "Servers", "Since", "Administrator"]}
          >
            {users.map(({ username, isAdmin, servers, createdAt }) => (
              <tr>
                <th scope="row">{username}</th>
                <td data-label="Servers">{servers}</td>
                <td data-label="Since">
                  <Time at={createdAt} />
                </td>
                <td data-label="Administrator">
                  {username === request.caller.username ? "you" : (
                    <ButtonForm
                      request={request}
                      action="/admin/users"
                      label={isAdmin ? "Revoke" : "Make administrator"}
                      about={username}
                      kind={isAdmin ? "danger" : "secondary"}
                      fields={{ username, admin: String(!isAdmin) }}
                    />
                  )}
                </td>
              </tr>
            ))}
          </Table>
        )}
      </>
    ),
  });
}

/** Makes a user an administrator, or no longer one. */
export async function changeUser(request: UserRequest): Promise<Response> {
  const { c, caller, services } = request;
  const form = await readForm(request);
  const done = await setAdministrator(services.sql, {
    username: fieldOf(form, "username"),
    isAdmin: fieldOf(form, "admin") === "true",
    actor: caller.userId,
    requestId: c.get("requestId"),
    at: services.app.now(),
  });
  if (!done) throw userNotChanged();
  return seeOther(request, "/admin/users");
}

export async function showServers(request: UserRequest): Promise<Response> {
  const start = askedFor(request);
  const servers = await listAllServers(request.services.sql, start);
  const { links } = request;
  return await showAdmin(request, {
    tab: "/admin/servers",
    title: "Servers",
    content: (
      <>
        <NameFilter request={request} action="/admin/servers" value={start} />
        {servers.length === 0 ? <Empty title="No matching servers" /> : (
          <Table
            label="Servers"
            stack
            columns={["Name", "Version", "Scan", "Owner", "Changed", ACTIONS]}
          >
            {servers.map(({ name, version, status, owner, updatedAt }) => (
              <tr>
                <th scope="row">
                  <a href={links.path(`/servers/${name}`)}>{name}</a>
                </th>
                <td data-label="Version">{version}</td>
                <td data-label="Scan">
                  <Verdict status={status} />
                </td>
                <td data-label="Owner">{owner ?? "unknown"}</td>
                <td data-label="Changed">
                  <Time at={updatedAt} />
                </td>
                <td>
                  <a href={links.path(`/servers/${name}/manage`)}>
                    Manage<span class="visually-hidden">: {name}</span>
                  </a>
                </td>
              </tr>
            ))}
          </Table>
        )}
      </>
    ),
  });
}

function Outcome({ scan }: { scan: AdminScan }) {
  if (scan.status !== null) return <Verdict status={scan.status} />;
  return <>{scan.state === "running" ? "running" : `refused: ${scan.reason ?? ""}`}</>;
}

function took({ startedAt, finishedAt }: AdminScan): string {
  return finishedAt === null
    ? ""
    : `${((finishedAt.getTime() - startedAt.getTime()) / 1000).toFixed(1)} s`;
}

export async function showScans(request: UserRequest): Promise<Response> {
  const scans = await listLatestScans(request.services.sql);
  const { links } = request;
  return await showAdmin(request, {
    tab: "/admin/scans",
    title: "Scans",
    content: scans.length === 0 ? <Empty title="No scans yet" /> : (
      <Table
        label="Latest scans"
        stack
        dense
        columns={["Started", "Server", "Trigger", "Outcome", "Duration", "Started by"]}
      >
        {scans.map((scan) => (
          <tr>
            <td class="nowrap">
              <a href={links.path(`/scans/${scan.id}`)}>
                <Time at={scan.startedAt} exact />
              </a>
            </td>
            <td data-label="Server">{scan.server}</td>
            <td data-label="Trigger">{scan.action}</td>
            <td class="wrap" data-label="Outcome">
              <Outcome scan={scan} />
            </td>
            <td class="nowrap" data-label="Duration">{took(scan)}</td>
            <td data-label="Started by">{scan.by ?? "Berth"}</td>
          </tr>
        ))}
      </Table>
    ),
  });
}
