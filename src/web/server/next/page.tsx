/**
 * `/servers/{name}/next`: what an author does with a server that is published.
 *
 * @module
 */
import type { ServerDetail } from "../../../registry/schema.ts";
import { publisherCodeOf } from "../../../registry/ownership/publisher.ts";
import { PUBLISHER_FILE } from "../../../repository/publisher_file.ts";
import type { Build } from "../../../scan/build_schema.ts";
import { type SecurityReport, SEVERITIES } from "../../../scan/schema.ts";
import { plural } from "../../../text/plural.ts";
import type { PageRequest } from "../../layout/context.ts";
import { Copy } from "../../layout/parts.tsx";
import { Prose } from "../../layout/prose.tsx";
import { showPage } from "../../layout/respond.tsx";
import { RunsHere } from "../../layout/runs.tsx";
import type { UserRequest } from "../../layout/signed_in.tsx";
import { headOf, ServerFrame } from "../frame.tsx";
import { chosenClient } from "../install/chosen.ts";
import { CLIENT_CHOICES } from "../install/clients.ts";
import { ClientPanel } from "../install/panel.tsx";
import { loadServer } from "../load.ts";
import { refusalOf } from "../offered.ts";
import { BadgeCode } from "../overview/facts.tsx";
import { verdictSentence } from "../security/verdict_sentence.ts";

const FIXES_SHOWN = 10;

type Recommendation = SecurityReport["recommendation_details"][number];

interface PartProps {
  request: PageRequest;
  server: ServerDetail;
}

function startedIn({ duration_ms: ms, tools_listed: tools }: Build): string {
  const time = ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
  return `Your server started in ${time}${
    tools === null ? "" : ` and listed ${plural(tools, "tool")}`
  }`;
}

/** Whether it runs, and how long it takes to start. */
function Standing({ request, server }: PartProps) {
  const { security_report: report, build: listed, name } = server;
  const build = report.compatibility?.build;
  // What may not run is not started; a banner says why.
  const refusal = refusalOf(request, server);
  return (
    <section aria-labelledby="standing">
      <h2 id="standing">How it stands</h2>
      <p>
        <bdi>{verdictSentence(report)}</bdi>.
      </p>
      {listed === null && refusal !== null ? null : listed === null
        ? (
          <p>
            It has not been started here yet. Where this registry starts servers, that takes a
            minute or two after the scan.
          </p>
        )
        : (
          <p>
            {build?.runs === "yes" ? `${startedIn(build)}. ` : null}
            <RunsHere build={listed} full />
          </p>
        )}
      <p class="actions">
        {refusal === null
          ? <a href={request.links.path(`/servers/${name}/try`)} class="button">Try it</a>
          : null}
        <a href={request.links.path(`/servers/${name}/security`)} class="button secondary">
          Full report
        </a>
        <a href={request.links.path(`/servers/${name}/manage`)} class="button secondary">Manage</a>
      </p>
    </section>
  );
}

/** The most urgent first; of those of one urgency what settles most findings. */
function byValue(recommendations: readonly Recommendation[]): Recommendation[] {
  const urgency = ({ priority }: Recommendation) => SEVERITIES.indexOf(priority);
  return recommendations.toSorted((a, b) =>
    urgency(a) - urgency(b) || b.findings.length - a.findings.length
  );
}

function Fixes({ request, server }: PartProps) {
  const fixes = byValue(server.security_report.recommendation_details);
  const more = fixes.length - FIXES_SHOWN;
  return (
    <section aria-labelledby="fixes">
      <h2 id="fixes">What is worth fixing first</h2>
      {fixes.length === 0 ? <p>Nothing: the report has no recommendations.</p> : (
        <ol class="todo">
          {fixes.slice(0, FIXES_SHOWN).map((
            { title, action, priority, findings: [id, ...others] },
          ) => (
            <li>
              <span class={`severity ${priority}`}>{priority}</span>{" "}
              <strong>
                <Prose text={title} />
              </strong>
              <br />
              <Prose text={action} />
              {id === undefined ? null : (
                <>
                  {" "}
                  <a
                    href={request.links.path(
                      `/servers/${server.name}/security?${new URLSearchParams({ finding: id })}` +
                        `#finding-${encodeURIComponent(id)}`,
                    )}
                  >
                    Settles {plural(1 + others.length, "finding")}
                    <span class="visually-hidden">: {title}</span>
                  </a>
                </>
              )}
            </li>
          ))}
        </ol>
      )}
      {more > 0
        ? (
          <p>
            <a href={request.links.path(`/servers/${server.name}/security`)}>
              {more} more in the report
            </a>
          </p>
        )
        : null}
    </section>
  );
}

/** How the author proves that the repository is theirs. */
function Publisher({ request, server, code }: PartProps & { code: string }) {
  const { folder } = server.source;
  return (
    <section aria-labelledby="publisher">
      <h2 id="publisher">Verified publisher</h2>
      {server.publisher_verified
        ? <p>The repository names your account: pages and lists show the sign.</p>
        : (
          <>
            <p>
              To show that the repository is yours, put a file{" "}
              <code>{folder === "" ? PUBLISHER_FILE : `${folder}/${PUBLISHER_FILE}`}</code>{" "}
              with this line on its default branch, and{" "}
              <a href={request.links.path(`/servers/${server.name}/manage`)}>scan again</a>:
            </p>
            <Copy id="publisher-code" text={code} label="the line that names your account" />
            {server.source.ref === null ? null : (
              <p>
                This server is published from{" "}
                <code>{server.source.ref}</code>. Only the default branch counts: change the
                repository&#39;s address to one without a branch or tag.
              </p>
            )}
          </>
        )}
    </section>
  );
}

/** The address to pass on, the badge, and what a client is told. */
function Share({ request, server }: PartProps) {
  const { links, services } = request;
  const { name } = server;
  const client = chosenClient(request);
  const [, label] = CLIENT_CHOICES.find(([id]) => id === client)!;
  const install = `${services.app.publicUrl}/servers/${name}/install`;
  return (
    <section aria-labelledby="share">
      <h2 id="share">Tell others</h2>
      <h3>A link that installs it</h3>
      <p>The page has the button, command or file of each client:</p>
      <Copy id="install-link" text={install} label="the link to the install page" />
      <h3>A badge for your README</h3>
      <BadgeCode request={request} name={name} />
      <h3>The snippet for {label}</h3>
      <ClientPanel request={request} server={server} client={client} />
      <nav aria-label="Snippets for other clients" class="client-links">
        <ul>
          {CLIENT_CHOICES.map(([id, text]) => (
            <li>
              <a
                href={links.path(`/servers/${name}/next?client=${id}#share`)}
                aria-current={id === client ? "true" : undefined}
              >
                {text}
              </a>
            </li>
          ))}
        </ul>
      </nav>
    </section>
  );
}

/** The page, for those who may change the server. @throws {AppError} `not_found`, `forbidden`. */
export async function showNext(request: UserRequest): Promise<Response> {
  const loaded = await loadServer(request);
  const { server } = loaded;
  await request.services.app.registry.authorizeChange(request.caller, server.name);
  const isOffered = refusalOf(request, server) === null;
  const code = await publisherCodeOf(request.services.sql, {
    server: server.name,
    userId: request.caller.userId,
  });
  return await showPage(
    request,
    headOf(loaded, "/next", "Next steps"),
    <ServerFrame request={request} loaded={loaded} tab="/next">
      <Standing request={request} server={server} />
      <Fixes request={request} server={server} />
      {isOffered ? <Share request={request} server={server} /> : (
        <section aria-labelledby="share">
          <h2 id="share">Tell others</h2>
          <p>Once it runs here, this page has a link that installs it, and snippets for clients.</p>
          <h3>A badge for your README</h3>
          <BadgeCode request={request} name={server.name} />
        </section>
      )}
      {code === null ? null : <Publisher request={request} server={server} code={code} />}
    </ServerFrame>,
  );
}
