/**
 * `/servers/{name}`: what it is, its README and its facts.
 *
 * @module
 */
import { decisiveOf } from "../../scan/decisive.ts";
import { raw } from "hono/html";
import type { ShownReadme } from "../../documents/readmes.ts";
import type { QualityAnalysis } from "../../scan/schema.ts";
import type { PageRequest } from "../layout/context.ts";
import { Copy, Empty, Time } from "../layout/parts.tsx";
import { plural } from "../../text/plural.ts";
import { languageName, priceText } from "../layout/price.ts";
import { showPage } from "../layout/respond.tsx";
import { RunsHere } from "../layout/runs.tsx";
import { Verdict } from "../layout/verdict.tsx";
import { headOf, NotOffered, refusalOf, ServerFrame } from "./frame.tsx";
import { type LoadedServer, loadServer, type ScannedFiles } from "./load.ts";

/** The address that MCP clients call. */
export function endpointOf(workerUrl: string, name: string): string {
  return `${workerUrl}/mcp?name=${name}`;
}

function size(bytes: number): string {
  return bytes < 1024 * 1024
    ? `${Math.max(1, Math.round(bytes / 1024))} KiB`
    : `${(bytes / 1024 / 1024).toFixed(1)} MiB`;
}

/** An address, as a link where it can be one. */
function Address({ url }: { url: string }) {
  if (!/^https?:\/\//.test(url)) return <>{url}</>;
  return (
    <a href={url} rel="nofollow ugc noopener noreferrer">
      {url.replace(/^https?:\/\//, "").replace(/\.git$/, "")}
    </a>
  );
}

function ratingsText(quality: QualityAnalysis): string {
  return `Reliability ${quality.reliability_rating}, security ${quality.security_rating}, ` +
    `maintainability ${quality.maintainability_rating}`;
}

function Facts({ request, loaded }: { request: PageRequest; loaded: LoadedServer }) {
  const { server } = loaded;
  const { links } = request;
  const { source, security_report: report } = server;
  const { summary } = report;
  const compatibility = report.compatibility;
  const facts: [string, unknown][] = [
    ["Scan", <Verdict status={report.status} />],
    ...(server.build === null
      ? []
      : [["Runs", <RunsHere build={server.build} full />] as [string, unknown]]),
    [
      "Findings",
      `${plural(summary.total_issues_all_scanners, "finding")}, ${
        decisiveOf(report).length
      } blocking`,
    ],
    ["Ratings", ratingsText(report.quality_analysis)],
    ["Version", server.version],
    ["License", server.license],
    ["Language", languageName(server.lang)],
    ["Price", priceText(server.pricing)],
    ["Repository", <Address url={server.repository.url} />],
    [
      "Commit",
      <a
        href={links.path(`/api/v1/servers/${server.name}/archive`)}
        title="Download the scanned source"
      >
        <code>{source.commit.slice(0, 12)}</code>
      </a>,
    ],
    ["Content", `${plural(source.files, "file")}, ${size(source.bytes)}`],
    ["Entrypoint", <code>{server.entrypoint}</code>],
    ...(compatibility === undefined ? [] : [[
      "Restricted profile",
      compatibility.restricted ? "runs" : "does not run",
    ] as [string, unknown]]),
    ["Published", <Time at={server.created_at} />],
    ["Updated", <Time at={server.updated_at} />],
    ["Scanned", <Time at={report.metadata.scan_date} exact />],
  ];
  return (
    <aside aria-labelledby="facts" class="sidebar">
      <h2 id="facts">Details</h2>
      <dl class="facts one">
        {facts.map(([term, value]) => (
          <div>
            <dt>{term}</dt>
            <dd>{value as never}</dd>
          </div>
        ))}
      </dl>
    </aside>
  );
}

function Badge({ request, name }: { request: PageRequest; name: string }) {
  const { publicUrl } = request.services.app;
  const image = `${publicUrl}/servers/${name}/badge.svg`;
  return (
    <details class="more">
      <summary>Badge for your README</summary>
      <p>
        <img src={request.links.path(`/servers/${name}/badge.svg`)} alt="The badge" height="20" />
      </p>
      <Copy
        id="badge"
        text={`[![Berth scan](${image})](${publicUrl}/servers/${name}/security)`}
        label="the badge's Markdown"
      />
      <p class="quiet">
        For shields.io: <code>{`${publicUrl}/servers/${name}/badge.json`}</code>
      </p>
    </details>
  );
}

function Readme({ readme }: { readme: ShownReadme }) {
  if (readme === "not_ready") {
    return <Empty title="The README is being prepared. Reload the page in a moment" />;
  }
  return readme.html === null
    ? <Empty title="The repository has no README" />
    : <div class="readme" dir="auto">{raw(readme.html)}</div>;
}

function Use({ request, name }: { request: PageRequest; name: string }) {
  const { links, services } = request;
  return (
    <>
      <Copy
        id="endpoint"
        text={endpointOf(services.workerUrl, name)}
        label="the address of the server"
      />
      <p class="actions">
        <a href={links.path(`/servers/${name}/try`)} class="button">Try it here</a>
        <a href={links.path(`/servers/${name}/install`)} class="button secondary">
          Add to a client
        </a>
      </p>
    </>
  );
}

export async function showOverview(
  request: PageRequest,
  files: ScannedFiles,
): Promise<Response> {
  const loaded = await loadServer(request);
  const { server } = loaded;
  const refusal = refusalOf(request, server);
  const readme = await request.services.readmes.show(server.source, () => files(server));
  return await showPage(
    request,
    headOf(loaded, "", "Overview"),
    <ServerFrame request={request} loaded={loaded} tab="">
      <div class="columns">
        <div>
          <section aria-labelledby="use">
            <h2 id="use">Connect</h2>
            {refusal === null
              ? <Use request={request} name={server.name} />
              : <NotOffered request={request} server={server} refusal={refusal} />}
          </section>
          {server.description.length <= 300 ? null : (
            <section aria-labelledby="description">
              <h2 id="description">Description</h2>
              <p class="pre">
                <bdi>{server.description}</bdi>
              </p>
            </section>
          )}
          <section aria-labelledby="readme">
            <h2 id="readme">README</h2>
            <Readme readme={readme} />
          </section>
        </div>
        <div>
          <Facts request={request} loaded={loaded} />
          <Badge request={request} name={server.name} />
        </div>
      </div>
    </ServerFrame>,
  );
}
