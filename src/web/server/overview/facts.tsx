/**
 * Facts of a server that stand nowhere else on its page.
 *
 * @module
 */
import type { Child } from "hono/jsx";
import type { ServerDetail } from "../../../registry/schema.ts";
import { type Usage, USAGE_DAYS } from "../../../registry/usage/history.ts";
import { plural } from "../../../text/plural.ts";
import { CallsLine } from "../../layout/calls_line.tsx";
import type { PageRequest } from "../../layout/context.ts";
import { Copy, Time } from "../../layout/parts.tsx";
import { Path } from "../../layout/path.tsx";
import { languageName, priceText } from "../../layout/price.ts";

function size(bytes: number): string {
  return bytes < 1024 * 1024
    ? `${Math.max(1, Math.round(bytes / 1024))} KiB`
    : `${(bytes / 1024 / 1024).toFixed(1)} MiB`;
}

/** An address, as a link where it can be one. */
function Address({ url }: { url: string }) {
  const short = url.replace(/^https?:\/\//, "").replace(/\.git$/, "");
  if (!/^https?:\/\//.test(url)) return <Path text={short} />;
  return (
    <a href={url} rel="nofollow ugc noopener noreferrer">
      <Path text={short} />
    </a>
  );
}

/** Use, license, price, repository and dates in a grid. */
export function Facts(
  { request, server, usage, hasReadme }: {
    request: PageRequest;
    server: ServerDetail;
    usage: Usage;
    hasReadme: boolean;
  },
) {
  const { source, security_report: report } = server;
  const facts: [string, Child, isWide?: true][] = [
    [`Calls in ${USAGE_DAYS} days`, usage.total === 0 ? "none" : <CallsLine usage={usage} />, true],
    ["License", server.license],
    ["Price", priceText(server.pricing)],
    ["Language", languageName(server.lang)],
    ["Content", `${plural(source.files, "file")}, ${size(source.bytes)}`],
    ["Repository", <Address url={server.repository.url} />, true],
    [
      "Entrypoint",
      <code>
        <Path text={server.entrypoint} />
      </code>,
      true,
    ],
    [
      "Commit",
      <a
        href={request.links.path(`/api/v1/servers/${server.name}/archive`)}
        title="Download the scanned source"
      >
        <code>{source.commit.slice(0, 12)}</code>
      </a>,
    ],
    ["Published", <Time at={server.created_at} />],
    ["Updated", <Time at={server.updated_at} />],
    ["Scanned", <Time at={report.metadata.scan_date} />],
    ...(hasReadme ? [] : [["README", "none"] as [string, Child]]),
  ];
  return (
    <section aria-labelledby="facts" class="quiet-facts">
      <h2 id="facts">Details</h2>
      <dl>
        {facts.map(([term, value, isWide]) => (
          <div class={isWide ? "wide" : undefined}>
            <dt>{term}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

/** The badge for the README of the server's repository. */
export function Badge({ request, name }: { request: PageRequest; name: string }) {
  return (
    <details class="more">
      <summary>Badge for your README</summary>
      <BadgeCode request={request} name={name} />
    </details>
  );
}

/** What an author pastes into a README, with a look at the result. */
export function BadgeCode({ request, name }: { request: PageRequest; name: string }) {
  const { publicUrl } = request.services.app;
  const image = `${publicUrl}/servers/${name}/badge.svg`;
  return (
    <>
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
    </>
  );
}
