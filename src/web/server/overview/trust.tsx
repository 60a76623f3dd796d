/**
 * May I trust it? The verdict with its reason, and what the server may reach.
 *
 * @module
 */
import type { Child } from "hono/jsx";
import { neededVariables } from "../../../keys/variables.ts";
import type { ServerDetail } from "../../../registry/schema.ts";
import { runsInWords } from "../../../scan/capabilities_schema.ts";
import { Term } from "../../guide/glossary.tsx";
import type { PageRequest } from "../../layout/context.ts";
import { verdictSentence } from "../security/verdict_sentence.ts";

const SHOWN = 6;

function Codes({ names }: { names: readonly string[] }) {
  const more = names.length - SHOWN;
  return (
    <>
      {names.slice(0, SHOWN).map((name, index) => (
        <>
          {index === 0 ? "" : ", "}
          <code>{name}</code>
        </>
      ))}
      {more > 0 ? ` and ${more} more` : ""}
    </>
  );
}

/** What it may reach, each in a line. */
function reachOf({ security_report: report, variables }: ServerDetail): Child[] {
  const { capabilities } = report;
  if (capabilities === undefined) return [];
  const { hosts, files, keys } = capabilities;
  const needed = neededVariables(variables);
  const others = keys.filter((key) => !needed.some(({ name }) => name === key));
  return [
    ...runsInWords(capabilities).map((words) => <>It {words}</>),
    hosts.length === 0 ? <>Its code names no hosts</> : (
      <>
        Its code names the hosts <Codes names={hosts} />
      </>
    ),
    files ? <>Its code uses files, which it has only in its sandbox</> : null,
    needed.length === 0 ? null : (
      <>
        It asks for <Codes names={needed.map(({ name }) => name)} />
      </>
    ),
    others.length === 0 ? null : (
      <>
        Its code reads <Codes names={others} />, if given
      </>
    ),
  ].filter((line) => line !== null);
}

/** The card beside what the server is for. */
export function Trust({ request, server }: { request: PageRequest; server: ServerDetail }) {
  const { security_report: report, name } = server;
  const reach = reachOf(server);
  return (
    <section aria-labelledby="trust" class="sidebar">
      <h2 id="trust">Can I trust it?</h2>
      <p>
        <bdi>{verdictSentence(report)}</bdi>.
      </p>
      {server.publisher_verified
        ? (
          <p>
            Its{" "}
            <Term word="publisher" links={request.links}>publisher is verified</Term>: who published
            it controls its repository.
          </p>
        )
        : null}
      {reach.length === 0 ? null : (
        <>
          <h3>What it may reach</h3>
          <p class="compact quiet">
            It runs in a <Term word="sandbox" links={request.links}>sandbox</Term>.
          </p>
          <ul class="compact">{reach.map((line) => <li>{line}</li>)}</ul>
        </>
      )}
      <p class="compact">
        <a href={request.links.path(`/servers/${name}/security`)}>Security report</a>
      </p>
    </section>
  );
}
