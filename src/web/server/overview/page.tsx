/**
 * `/servers/{name}`: what the server does, how to use it, whether to trust it, and its README.
 *
 * @module
 */
import { raw } from "hono/html";
import type { ShownReadme } from "../../../documents/readmes.ts";
import type { ServerDetail } from "../../../registry/schema.ts";
import { readUsage } from "../../../registry/usage/history.ts";
import { plural } from "../../../text/plural.ts";
import { softwareOf } from "../../discovery/structured.ts";
import type { PageRequest } from "../../layout/context.ts";
import { Empty } from "../../layout/parts.tsx";
import { showPage, showPart } from "../../layout/respond.tsx";
import { headOf, LEAD_MAX, ServerFrame } from "../frame.tsx";
import { loadServer, type ScannedFiles } from "../load.ts";
import { refusalOf } from "../offered.ts";
import { ToolLines } from "../tools/lines.tsx";
import { toolViews } from "../tools/views.ts";
import { Badge, Facts } from "./facts.tsx";
import { Related } from "./related.tsx";
import { Trust } from "./trust.tsx";
import { Use } from "./use.tsx";

/** Tools that are shown; the page Tools has all. */
const TOOLS_SHOWN = 8;

function Tools({ request, server }: { request: PageRequest; server: ServerDetail }) {
  const tools = toolViews(server);
  if (tools.length === 0) return null;
  const path = request.links.path(`/servers/${server.name}/tools`);
  return (
    <section aria-labelledby="tools">
      <h2 id="tools">What it does</h2>
      <ToolLines
        links={request.links}
        server={server.name}
        tools={tools.slice(0, TOOLS_SHOWN)}
      />
      {tools.length <= TOOLS_SHOWN
        ? null
        : <p>and {plural(tools.length - TOOLS_SHOWN, "more tool")}</p>}
      <p>
        <a href={path}>Parameters and examples</a>
      </p>
    </section>
  );
}

function Readme({ readme }: { readme: ShownReadme }) {
  return readme === "not_ready"
    ? <Empty title="The README is being prepared. Reload the page in a moment" />
    : <div class="readme" dir="auto">{raw(readme.html ?? "")}</div>;
}

export async function showOverview(
  request: PageRequest,
  files: ScannedFiles,
): Promise<Response> {
  const loaded = await loadServer(request);
  const { server } = loaded;
  const isOffered = refusalOf(request, server) === null;
  const use = isOffered ? <Use request={request} server={server} /> : null;
  if (request.isPart && use !== null) return await showPart(request, use);
  const readme = await request.services.readmes.show(server.source, () => files(server));
  const hasReadme = readme === "not_ready" || readme.html !== null;
  const { sql, app } = request.services;
  const usage = (await readUsage(sql, [server.name], app.now())).get(server.name)!;
  const facts = <Facts request={request} server={server} usage={usage} hasReadme={hasReadme} />;
  return await showPage(
    request,
    {
      ...headOf(loaded, "", "Overview"),
      structured: softwareOf(server, request.services.app.publicUrl),
    },
    <ServerFrame request={request} loaded={loaded} tab="">
      <div class="columns first">
        <div>
          {use}
          {server.description.length <= LEAD_MAX ? null : (
            <section aria-labelledby="description">
              <h2 id="description">Description</h2>
              <p class="pre">
                <bdi>{server.description}</bdi>
              </p>
            </section>
          )}
          <Tools request={request} server={server} />
        </div>
        <Trust request={request} server={server} />
      </div>
      <div class="columns">
        {hasReadme
          ? (
            <section aria-labelledby="readme">
              <h2 id="readme">README</h2>
              <Readme readme={readme} />
            </section>
          )
          : facts}
        <div>
          {hasReadme ? facts : null}
          {await Related({ request, server })}
          <Badge request={request} name={server.name} />
        </div>
      </div>
    </ServerFrame>,
  );
}
