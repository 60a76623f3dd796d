/**
 * `/servers/{name}/tools`: each tool with its parameters, from the source and from what the server
 * itself listed.
 *
 * @module
 */
import type { PageRequest } from "../../layout/context.ts";
import { Empty, Notice } from "../../layout/parts.tsx";
import { showPage, showPart } from "../../layout/respond.tsx";
import { plural } from "../../../text/plural.ts";
import { headOf, ServerFrame } from "../frame.tsx";
import { type LoadedServer, loadServer } from "../load.ts";
import { refusalOf } from "../offered.ts";
import { ToolCard } from "./tool_card.tsx";
import { type ToolView, toolViews } from "./views.ts";

/** From how many tools on they can be filtered. */
const FILTER_FROM = 10;
const QUERY_MAX = 200;

/** Whether a tool's name, title, description or parameters have every word of `words`. */
function matches(tool: ToolView, words: readonly string[]): boolean {
  const { name, title, description, parameters } = tool;
  const names = parameters?.map((one) => one.name) ?? [];
  const text = [name, title, description, ...names].join(" ").toLowerCase();
  return words.every((word) => text.includes(word));
}

function Filter({ path, query }: { path: string; query: string }) {
  return (
    <form
      method="get"
      action={path}
      class="search"
      role="search"
      aria-label="Tools"
      hx-get={path}
      hx-target="#tool-list"
      hx-swap="outerHTML"
      hx-trigger="input changed delay:200ms, submit"
      hx-sync="this:replace"
    >
      <label for="tool-query" class="visually-hidden">Filter tools</label>
      <input
        type="search"
        id="tool-query"
        name="q"
        value={query}
        placeholder="Name, parameter or word"
        maxlength={QUERY_MAX}
      />
      <button type="submit" class="secondary">Filter</button>
    </form>
  );
}

/** The tools that `query` leaves; replaced as a whole when a script asks again. */
function List(
  { request, loaded, tools, query }: {
    request: PageRequest;
    loaded: LoadedServer;
    tools: readonly ToolView[];
    query: string;
  },
) {
  const { server } = loaded;
  const runs = refusalOf(request, server) === null;
  const words = query.toLowerCase().split(/\s+/).filter((word) => word !== "");
  const shown = tools.filter((tool) => matches(tool, words));
  return (
    <div id="tool-list">
      <p class="quiet" role="status">
        {words.length === 0
          ? plural(tools.length, "tool")
          : `${plural(shown.length, "tool")} of ${tools.length}`}
      </p>
      {shown.length === 0
        ? <Empty title={tools.length === 0 ? "No tools found" : "No matching tools"} />
        : (
          <ul class="cards">
            {shown.map((tool, number) => (
              <ToolCard
                links={request.links}
                server={server.name}
                tool={tool}
                number={number}
                runs={runs}
              />
            ))}
          </ul>
        )}
    </div>
  );
}

function Names({ names }: { names: readonly string[] }) {
  return (
    <>
      {names.map((name, index) => (
        <>
          {index === 0 ? "" : ", "}
          <code>{name}</code>
        </>
      ))}
    </>
  );
}

/** What the list of tools does not say by itself. */
function Notes(
  { loaded: { server }, tools }: { loaded: LoadedServer; tools: readonly ToolView[] },
) {
  const { tool_discovery: discovery } = server.security_report;
  const known = new Set(tools.map(({ name }) => name));
  const { missing, dynamic, undeclared } = discovery;
  const others = server.tools.names.filter((name) => !known.has(name) && !missing.includes(name));
  return (
    <>
      {missing.length === 0 ? null : (
        <Notice>
          <p>
            Reported but not found in the source: <Names names={missing} />
          </p>
        </Notice>
      )}
      {!dynamic ? null : (
        <Notice>
          <p>This server registers tools at run time, so there may be more.</p>
        </Notice>
      )}
      {undeclared.length === 0 ? null : (
        <p class="quiet">
          {plural(undeclared.length, "tool")} of these {undeclared.length === 1 ? "is" : "are"}{" "}
          not reported by the author.
        </p>
      )}
      {others.length === 0 ? null : (
        <p class="quiet">
          Also reported: <Names names={others} />
        </p>
      )}
    </>
  );
}

export async function showTools(request: PageRequest): Promise<Response> {
  const loaded = await loadServer(request);
  const { server } = loaded;
  const tools = toolViews(server);
  const query = (request.c.req.query("q") ?? "").slice(0, QUERY_MAX);
  const list = <List request={request} loaded={loaded} tools={tools} query={query} />;
  if (request.isPart) return await showPart(request, list);
  const path = request.links.path(`/servers/${server.name}/tools`);
  return await showPage(
    request,
    headOf(loaded, "/tools", "Tools"),
    <ServerFrame request={request} loaded={loaded} tab="/tools">
      <h2>Tools</h2>
      <Notes loaded={loaded} tools={tools} />
      {tools.length < FILTER_FROM ? null : <Filter path={path} query={query} />}
      {list}
    </ServerFrame>,
  );
}
