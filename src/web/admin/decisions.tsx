/**
 * What wants an administrator's eye: servers that wait for permission, scans that do not finish, and
 * what sandboxed code or strangers tried.
 *
 * @module
 */
import type { Child } from "hono/jsx";
import type { Sql } from "../../database/client.ts";
import { usernamesOf } from "../../names/users.ts";
import { CapabilityQuery } from "../../registry/capabilities/schema.ts";
import { kindsInWords } from "../../scan/capabilities_schema.ts";
import { Table, Time } from "../layout/parts.tsx";
import type { UserRequest } from "../layout/signed_in.tsx";

const SHOWN = 5;
const ATTEMPT_DAYS = 7;
const DAY_MS = 86_400_000;

/** Entries of the audit log that tell of attempts, and what they tell. */
const ATTEMPTS: Readonly<Record<string, string>> = {
  "execution.kill": "was ended for what its code did",
  "execution.tool_refused": "listed a tool that its scan had not seen",
  "egress.refuse": "asked for a host that it may not reach",
  "keys.refuse": "tried to get at a key that its code never sees",
  "account.refuse": "was refused at sign-in: wrong password",
};

interface Unfinished {
  name: string;
  retries: number;
  retryAt: Date | null;
}

async function listUnfinished(sql: Sql): Promise<Unfinished[]> {
  return await sql<Unfinished[]>`
    select name, retries, retry_at as "retryAt" from servers
    where scan_status = 'error' order by retries desc, name limit ${SHOWN + 1}`;
}

interface Attempt {
  action: string;
  subject: string;
  count: number;
  last: Date;
}

async function listAttempts(sql: Sql, now: Date): Promise<Attempt[]> {
  return await sql<Attempt[]>`
    select action, subject, count(*)::int as count, max(at) as last from audit_log
    where action in ${sql(Object.keys(ATTEMPTS))}
      and at >= ${new Date(now.getTime() - ATTEMPT_DAYS * DAY_MS)}
    group by action, subject order by last desc limit ${SHOWN + 1}`;
}

interface Row {
  what: string;
  subject: Child;
  why: Child;
  link: readonly [path: string, label: string, about: string];
}

async function waitingRows({ services, links }: UserRequest): Promise<Row[]> {
  if (services.rules.capabilities !== "ask") return [];
  const query = CapabilityQuery.parse({ limit: String(SHOWN + 1) });
  const { cases } = await services.app.registry.capabilityCases(query);
  return cases.map(({ name, capabilities }) => ({
    what: "Permission",
    subject: <a href={links.path(`/servers/${name}`)}>{name}</a>,
    why: `It ${kindsInWords(capabilities).join(" and ")}`,
    link: [`/admin/capabilities#case-${name}`, "Decide", `on ${name}`],
  }));
}

async function unfinishedRows({ services, links }: UserRequest): Promise<Row[]> {
  const servers = await listUnfinished(services.sql);
  return servers.map(({ name, retries, retryAt }) => ({
    what: "Scan",
    subject: <a href={links.path(`/servers/${name}`)}>{name}</a>,
    why: (
      <>
        Unfinished{retries === 0
          ? ""
          : ` after ${retries === 1 ? "1 retry" : `${retries} retries`}`}
        {retryAt === null ? null : (
          <>
            , next <Time at={retryAt} exact />
          </>
        )}
      </>
    ),
    link: [`/servers/${name}/manage`, "Manage", name],
  }));
}

async function attemptRows({ services }: UserRequest): Promise<Row[]> {
  const attempts = await listAttempts(services.sql, services.app.now());
  const usernames = await usernamesOf(services.sql, attempts.map(({ subject }) => subject));
  return attempts.map(({ action, subject, count, last }) => ({
    what: "Attempt",
    subject: <bdi>{usernames.get(subject) ?? subject}</bdi>,
    why: (
      <>
        It {ATTEMPTS[action]}
        {count === 1 ? null : `, ${count.toLocaleString("en")} times`}, last{" "}
        <Time at={last} exact />
      </>
    ),
    link: [
      `/admin/audit?${new URLSearchParams({ action, subject })}`,
      "Audit log",
      `of ${usernames.get(subject) ?? subject}`,
    ],
  }));
}

/** Of each kind the first few, with a link to where the rest is. */
async function allRows(request: UserRequest): Promise<{ rows: Row[]; more: Row["link"][] }> {
  const kinds = [
    [await waitingRows(request), ["/admin/capabilities", "More", "servers that wait"]],
    [await unfinishedRows(request), ["/admin/scans", "More", "scans"]],
    [await attemptRows(request), ["/admin/audit", "More", "attempts"]],
  ] as const;
  return {
    rows: kinds.flatMap(([rows]) => rows.slice(0, SHOWN)),
    more: kinds.flatMap(([rows, link]) => rows.length > SHOWN ? [link] : []),
  };
}

/** Up to five rows of each kind, and links to the rest. */
export async function Decisions({ request }: { request: UserRequest }) {
  const { rows, more } = await allRows(request);
  const { links } = request;
  return (
    <section aria-labelledby="decisions">
      <h2 id="decisions">What wants a decision</h2>
      {rows.length === 0 ? <p>Nothing waits for you.</p> : (
        <Table
          label="What wants a decision"
          stack
          columns={["Kind", "Who", "Why", { hidden: "Actions" }]}
        >
          {rows.map(({ what, subject, why, link: [path, label, about] }) => (
            <tr>
              <td data-label="Kind">{what}</td>
              <th scope="row" class="wrap">{subject}</th>
              <td class="wrap" data-label="Why">{why}</td>
              <td>
                <a href={links.path(path)}>
                  {label}
                  <span class="visually-hidden">{` ${about}`}</span>
                </a>
              </td>
            </tr>
          ))}
        </Table>
      )}
      {more.length === 0 ? null : (
        <p class="actions">
          {more.map(([path, label, about]) => <a href={links.path(path)}>{label} {about}</a>)}
        </p>
      )}
    </section>
  );
}
