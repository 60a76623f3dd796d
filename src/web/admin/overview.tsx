/**
 * `/admin`: what wants a decision, how the installation does, and what it did over time.
 *
 * @module
 */
import type { UserRequest } from "../layout/signed_in.tsx";
import { Charts, spanOf } from "./charts.tsx";
import { Decisions } from "./decisions.tsx";
import { showAdmin } from "./frame.tsx";
import { HealthTable } from "./health.tsx";
import { readTotals } from "./queries.ts";

async function Totals({ request: { services } }: { request: UserRequest }) {
  const totals = await readTotals(services.sql);
  const waiting = services.rules.capabilities === "ask"
    ? [["Servers that wait for permission", await services.app.registry.countWaiting()] as const]
    : [];
  const facts: (readonly [string, number])[] = [
    ["Servers", totals.servers],
    ["Servers with a failed scan", totals.failed],
    ["Servers with an unfinished scan", totals.unfinished],
    ...waiting,
    ["Users", totals.users],
    ["Running scans", totals.scansRunning],
    ["Live sessions on this node", services.operations?.live.list().length ?? 0],
  ];
  return (
    <dl class="facts">
      {facts.map(([term, value]) => (
        <div>
          <dt>{term}</dt>
          <dd>
            <strong>{value.toLocaleString("en")}</strong>
          </dd>
        </div>
      ))}
    </dl>
  );
}

export async function showOverview(request: UserRequest): Promise<Response> {
  return await showAdmin(request, {
    tab: "/admin",
    title: "Overview",
    content: (
      <>
        {await Totals({ request })}
        {await Decisions({ request })}
        {await Charts({ request, span: spanOf(request.c.req.query("span")) })}
        {await HealthTable({ request })}
      </>
    ),
  });
}
