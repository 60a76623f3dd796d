/**
 * What stands above a server that cannot be used as others can, with the way out.
 *
 * @module
 */
import type { Child } from "hono/jsx";
import type { ServerDetail } from "../../registry/schema.ts";
import type { PageRequest } from "../layout/context.ts";
import { languageName } from "../layout/price.ts";
import { type NotOffered, refusalOf } from "./offered.ts";

function Way({ request, path, children }: { request: PageRequest; path: string; children: Child }) {
  return <a href={request.links.path(path)}>{children}</a>;
}

function Repository({ url }: { url: string }) {
  if (!/^https:\/\//.test(url)) return null;
  return (
    <>
      Run it on your own machine, from{" "}
      <a href={url} rel="nofollow ugc noopener noreferrer">its repository</a>.
    </>
  );
}

/** Where an administrator decides on the server. */
function decisionPath({ name, capability_decision: decision }: ServerDetail): string {
  return `/admin/capabilities?state=${decision?.state ?? "waiting"}#case-${name}`;
}

function WayOut(
  { request, server, refusal }: {
    request: PageRequest;
    server: ServerDetail;
    refusal: NotOffered;
  },
) {
  const base = `/servers/${server.name}`;
  switch (refusal.kind) {
    case "scan":
      return server.security_report.status === "failed"
        ? (
          <>
            <Way request={request} path={`${base}/security?failing=true#findings`}>
              See what blocks it
            </Way>, and how its author can fix it.
          </>
        )
        : <>The scan is repeated automatically.</>;
    case "build":
      return (
        <>
          <Way request={request} path={`${base}/security#build`}>
            See what is missing, and what its author can do
          </Way>.
        </>
      );
    case "profile":
      return (
        <>
          <Way request={request} path={`${base}/security#quality`}>See which</Way>.{" "}
          <Repository url={server.repository.url} />
        </>
      );
    case "capability":
      return request.visitor.caller?.isAdmin && server.capability_decision !== null
        ? (
          <>
            <Way request={request} path={decisionPath(server)}>Decide as an administrator</Way>.
          </>
        )
        : (
          <>
            <Way request={request} path={`${base}/security`}>See what it runs</Way>.
          </>
        );
    default:
      return <Repository url={server.repository.url} />;
  }
}

function messageOf({ kind, message }: NotOffered, lang: string): string {
  return kind === "language"
    ? `Berth runs Python servers only, and this server is written in ${languageName(lang)}`
    : message.replace(/\. See its security report$/, "");
}

/** In place of what a server that does not run cannot offer. */
export function RefusalBanner(
  { request, server, refusal }: {
    request: PageRequest;
    server: ServerDetail;
    refusal: NotOffered;
  },
) {
  return (
    <div class="banner" role="note">
      <p>
        <strong>
          <bdi>{messageOf(refusal, server.lang)}</bdi>.
        </strong>{" "}
        <WayOut request={request} server={server} refusal={refusal} />
      </p>
    </div>
  );
}

/** Of a server that starts only with something that a build does not have. */
function NeedsMore({ request, server }: { request: PageRequest; server: ServerDetail }) {
  const { build, name } = server;
  if (build?.runs === "needs_variables") {
    return (
      <div class="banner notice" role="note">
        <p>
          <strong>It starts only with values of yours</strong>
          {build.reason === null ? "" : (
            <>
              : <bdi>{build.reason}</bdi>
            </>
          )}. {server.variables.length === 0
            ? "Pass them with each session."
            : <Way request={request} path={`/servers/${name}/keys`}>Keep them here</Way>}
        </p>
      </div>
    );
  }
  if (build?.runs !== "needs_network") return null;
  return (
    <div class="banner notice" role="note">
      <p>
        <strong>It was not seen running:</strong>{" "}
        it uses the network while it starts, which its build does not have. Sessions have it.
      </p>
    </div>
  );
}

/** The banner of the server's pages; nothing where all is well. */
export function ServerBanner(
  { request, server }: { request: PageRequest; server: ServerDetail },
) {
  const refusal = refusalOf(request, server);
  if (refusal === null) return <NeedsMore request={request} server={server} />;
  return <RefusalBanner request={request} server={server} refusal={refusal} />;
}
