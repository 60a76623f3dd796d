/**
 * A server in a list or among cards.
 *
 * @module
 */
import type { Links } from "../../http/links.ts";
import { CATEGORY_LABELS } from "../../registry/topics/categories.ts";
import { plural } from "../../text/plural.ts";
import { QuietSign } from "../layout/badge_sign.tsx";
import { CapabilitySigns, ReachSigns } from "../layout/capability_signs.tsx";
import { CallsLine } from "../layout/calls_line.tsx";
import type { ListedServer } from "../layout/listed.ts";
import { ServerMark } from "../layout/mark.tsx";
import { Time } from "../layout/parts.tsx";
import { languageName, priceText } from "../layout/price.ts";
import { PublisherSign } from "../layout/publisher_sign.tsx";
import { RunsHere } from "../layout/runs.tsx";
import { Verdict } from "../layout/verdict.tsx";
import { VisibilitySign } from "../layout/visibility_sign.tsx";
import { addressOf, EVERYTHING } from "./query.ts";

/** Tools that are named in a row. */
const TOOLS_SHOWN = 4;

function NeedsKeys({ server }: { server: ListedServer }) {
  // Where it does not even start without them, its build says so.
  if (!server.needsKeys || server.build?.runs === "needs_variables") return null;
  return (
    <QuietSign
      label="Needs keys"
      sign="M6.5 9.5a3 3 0 1 1 2-2L13 12v1.5h-2V12H9.5v-1.5z"
      hint="Sessions need values from their user"
    />
  );
}

function Signs({ server, full }: { server: ListedServer; full: boolean }) {
  return (
    <>
      <Verdict status={server.status} />
      <VisibilitySign visibility={server.visibility} />
      <PublisherSign isVerified={server.publisher_verified} />
      <CapabilitySigns capabilities={server.capabilities} />
      <ReachSigns reaches={server.reaches} />
      <RunsHere build={server.build} full={full && server.build?.runs !== "yes"} />
      <NeedsKeys server={server} />
    </>
  );
}

function Matches({ tools }: { tools: readonly string[] }) {
  if (tools.length === 0) return null;
  const more = tools.length - TOOLS_SHOWN;
  return (
    <p class="matches">
      <span class="quiet">{tools.length === 1 ? "Tool:" : "Tools:"}</span>{" "}
      {tools.slice(0, TOOLS_SHOWN).map((tool) => (
        <code>
          <bdi>{tool}</bdi>
        </code>
      ))}
      {more > 0 ? <span class="quiet">{` and ${more} more`}</span> : null}
    </p>
  );
}

function Author({ author, links }: { author: string; links: Links }) {
  return (
    <>
      by{" "}
      <a href={links.path(addressOf({ ...EVERYTHING, author }))}>
        <bdi>{author}</bdi>
      </a>
    </>
  );
}

/**
 * A row of a list.
 *
 * @param props.matches Its tools that the question names.
 */
export function ServerRow(
  { server, matches, links }: { server: ListedServer; matches: readonly string[]; links: Links },
) {
  const { name, version, description, author, lang, license, pricing, tools, category } = server;
  const { total_issues_all_scanners: issues } = server.security_report.summary;
  return (
    <li class="server">
      <ServerMark name={name} icon={server.icon} links={links} />
      <div class="server-body">
        <div class="server-head">
          <h3>
            <a href={links.path(`/servers/${name}`)}>{name}</a>
          </h3>
          <span class="quiet">{version}</span>
          <Signs server={server} full />
          <CallsLine usage={server.usage} />
        </div>
        <p class="server-text">
          <bdi>{description}</bdi>
        </p>
        <Matches tools={matches} />
        <ul class="meta">
          <li>
            <Author author={author} links={links} />
          </li>
          {category === "other" ? null : (
            <li>
              <a href={links.path(addressOf({ ...EVERYTHING, category }))}>
                {CATEGORY_LABELS[category]}
              </a>
            </li>
          )}
          <li>{languageName(lang)}</li>
          <li>{plural(tools.count, "tool")}</li>
          <li>{license}</li>
          <li>{priceText(pricing)}</li>
          <li>{plural(issues, "finding")}</li>
          <li>
            updated <Time at={server.updatedAt} />
          </li>
        </ul>
      </div>
    </li>
  );
}

/** Name, sentence, verdict and use of one, in a box of a grid. */
export function ServerCard({ server, links }: { server: ListedServer; links: Links }) {
  const { name, description, author } = server;
  return (
    <li class="server-card">
      <div class="server-card-head">
        <ServerMark name={name} icon={server.icon} links={links} />
        <div>
          <h3>
            <a href={links.path(`/servers/${name}`)}>{name}</a>
          </h3>
          <p class="quiet">
            by <bdi>{author}</bdi>
          </p>
        </div>
      </div>
      <p class="clamp">
        <bdi>{description}</bdi>
      </p>
      <div class="server-card-foot">
        <Signs server={server} full={false} />
        <CallsLine usage={server.usage} />
      </div>
    </li>
  );
}

/** Name and sentence of one, and when it came or changed. */
export function ServerLine(
  { server, at, links }: { server: ListedServer; at: Date; links: Links },
) {
  const { name, description } = server;
  return (
    <li class="server-line">
      <ServerMark name={name} icon={server.icon} links={links} size={32} />
      <div>
        <h3>
          <a href={links.path(`/servers/${name}`)}>{name}</a>
        </h3>
        <p class="clamp">
          <bdi>{description}</bdi>
        </p>
      </div>
      <p class="quiet nowrap">
        <Time at={at} />
      </p>
    </li>
  );
}
