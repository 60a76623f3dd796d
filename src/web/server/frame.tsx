/**
 * The frame of a server's pages.
 *
 * @module
 */
import type { Child } from "hono/jsx";
import type { Links } from "../../http/links.ts";
import type { ServerDetail } from "../../registry/schema.ts";
import { CATEGORY_LABELS } from "../../registry/topics/categories.ts";
import { authorFeed } from "../discovery/feeds.ts";
import type { PageRequest } from "../layout/context.ts";
import type { PageHead } from "../layout/document.tsx";
import { ServerMark } from "../layout/mark.tsx";
import { Tabs } from "../layout/tabs.tsx";
import { CapabilitySigns, DecisionSign } from "../layout/capability_signs.tsx";
import { PublisherSign } from "../layout/publisher_sign.tsx";
import { RunsHere } from "../layout/runs.tsx";
import { Verdict } from "../layout/verdict.tsx";
import { VisibilitySign } from "../layout/visibility_sign.tsx";
import { ServerBanner } from "./banner.tsx";
import type { LoadedServer } from "./load.ts";
import { refusalOf } from "./offered.ts";

/** Pages of a server, by the last part of their address. */
export type ServerTab =
  | ""
  | "/tools"
  | "/security"
  | "/versions"
  | "/install"
  | "/keys"
  | "/try"
  | "/next"
  | "/manage";

/** Characters of a description that stand above every page of its server. */
export const LEAD_MAX = 300;

/** What search engines and previews are told. */
export function headOf(
  { server, icon }: LoadedServer,
  tab: ServerTab,
  title: string,
): PageHead {
  const { name, description, author } = server;
  const short = description.replace(/\s+/g, " ").slice(0, 160);
  return {
    title: tab === "" ? `${name}: MCP server` : `${title} · ${name}`,
    description: short,
    section: "servers",
    image: { path: `/servers/${name}/card.png`, alt: `${name}, an MCP server: ${short}` },
    icon: icon === null
      ? { path: `/servers/${name}/mark.svg`, type: "image/svg+xml" }
      : { path: `/icons/${icon}`, type: "image/png" },
    feeds: [authorFeed(author)],
    ...(["/manage", "/try", "/next"].includes(tab) ? {} : { canonical: `/servers/${name}${tab}` }),
  };
}

/** Category and tags, each with the servers that have it too. */
function Topics({ server: { category, tags }, links }: { server: ServerDetail; links: Links }) {
  const topics = [
    ...(category === "other" ? [] : [["category", category, CATEGORY_LABELS[category]] as const]),
    ...tags.map((tag) => ["tag", tag, tag] as const),
  ];
  return (
    <>
      {topics.map(([filter, value, label]) => (
        <>
          {" · "}
          <a href={links.path(`/?${filter}=${value}`)}>{label}</a>
        </>
      ))}
    </>
  );
}

/** Heading, tabs and content. */
export function ServerFrame(
  { request, loaded, tab, children }: {
    request: PageRequest;
    loaded: LoadedServer;
    tab: ServerTab;
    children: Child;
  },
) {
  const { server, rights } = loaded;
  const { name, version, description, author, security_report: report } = server;
  const base = `/servers/${name}`;
  const { links } = request;
  const tabs = [
    [base, "Overview"],
    [`${base}/tools`, "Tools", server.tools.count],
    [`${base}/security`, "Security", report.summary.total_issues_all_scanners],
    [`${base}/versions`, "Versions"],
    ...(server.variables.length === 0
      ? []
      : [[`${base}/keys`, "Keys", server.variables.length] as const]),
    ...(refusalOf(request, server) === null
      ? [[`${base}/install`, "Install"], [`${base}/try`, "Try it"]] as const
      : []),
    ...(rights.change ? [[`${base}/next`, "Next steps"] as const] : []),
    ...(rights.change || rights.own ? [[`${base}/manage`, "Manage"] as const] : []),
  ] as const;
  return (
    <>
      <div class="server-title">
        <ServerMark name={name} icon={loaded.icon} links={links} />
        <h1>{name}</h1>
        <span class="quiet">{version}</span>
        <a class="plain" href={links.path(`${base}/security`)}>
          <span class="visually-hidden">Scan:</span>
          <Verdict status={report.status} />
        </a>
        <VisibilitySign visibility={server.visibility} />
        <PublisherSign isVerified={server.publisher_verified} />
        {server.capabilities.length === 0
          ? null
          : (
            <a class="plain" href={links.path(`${base}/security#capabilities`)}>
              <CapabilitySigns capabilities={server.capabilities} />
            </a>
          )}
        <DecisionSign decision={server.capability_decision} />
        {server.build === null
          ? null
          : (
            <a class="plain" href={links.path(`${base}/security#build`)}>
              <RunsHere build={server.build} />
            </a>
          )}
      </div>
      <p class="lead">
        <bdi>
          {description.length > LEAD_MAX ? `${description.slice(0, LEAD_MAX)}…` : description}
        </bdi>
      </p>
      <p class="quiet byline">
        by{" "}
        <a href={links.path(`/?author=${encodeURIComponent(author)}`)}>
          <bdi>{author}</bdi>
        </a>
        <Topics server={server} links={links} />
      </p>
      <Tabs links={links} label="Server" tabs={tabs} current={base + tab} />
      <ServerBanner request={request} server={server} />
      {children}
    </>
  );
}
