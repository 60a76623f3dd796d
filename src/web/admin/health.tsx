/**
 * How the parts do that this node depends on.
 *
 * @module
 */
import type { HealthPart, PartHealth } from "../../figures/health.ts";
import { Table, Time } from "../layout/parts.tsx";
import type { UserRequest } from "../layout/signed_in.tsx";

const NAMES: Record<HealthPart, string> = {
  code_host: "Code host",
  advisories: "Advisory source",
  package_index: "Package index",
  mail: "Mail",
  session_walls: "Walls around sessions",
  analysis_walls: "Walls around analysis",
};

const STATES: Record<PartHealth["state"], string> = {
  works: "Works",
  fails: "Fails",
  weak: "Weak",
  unused: "Not used",
  off: "Off",
};

async function databaseHealth({ services: { sql, app } }: UserRequest): Promise<PartHealth> {
  const from = performance.now();
  await sql`select 1`;
  const ms = Math.max(1, Math.round(performance.now() - from));
  return { state: "works", at: app.now(), detail: `It answered in ${ms} ms` };
}

/** One row for the database and for each dependency: state, last use, what it answered. */
export async function HealthTable({ request }: { request: UserRequest }) {
  const parts: [string, PartHealth][] = [
    ["Database", await databaseHealth(request)],
    ...[...request.services.health.read()].map(
      ([part, health]): [string, PartHealth] => [NAMES[part], health],
    ),
  ];
  return (
    <section aria-labelledby="health">
      <h2 id="health">Health of this node</h2>
      <p class="quiet">By what came of the last time each part was used.</p>
      <Table label="Health" dense stack columns={["Part", "State", "Last used", "What it said"]}>
        {parts.map(([name, { state, at, detail }]) => (
          <tr>
            <th scope="row">{name}</th>
            <td data-label="State">
              <span class={`health ${state}`}>{STATES[state]}</span>
            </td>
            <td class="nowrap" data-label="Last used">
              {at === null || state === "off" ? "never" : <Time at={at} exact />}
            </td>
            <td class="wrap" data-label="What it said">{detail}</td>
          </tr>
        ))}
      </Table>
    </section>
  );
}
