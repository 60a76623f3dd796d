/**
 * `/start`: from nothing to a called tool, with this installation's own addresses; and `robots.txt`.
 *
 * @module
 */
import type { PageContext, PageRequest } from "../layout/context.ts";
import { Copy } from "../layout/parts.tsx";
import { showPage } from "../layout/respond.tsx";
import { CLIENT_TABLE } from "../../mcp_clients/table.ts";
import type { WebServices } from "../services.ts";
import { Term } from "./glossary.tsx";
import { endpointOf } from "../server/endpoint.ts";

/** The clients that there are snippets for, as a list in a sentence. */
function clientNames(): string {
  const names = Object.values(CLIENT_TABLE).map(({ label }) => label);
  return `${names.slice(0, -1).join(", ")} or ${names.at(-1)}`;
}

function callExample({ workerUrl, needsToken }: PageRequest["services"], name: string): string {
  return [
    `curl -s "${endpointOf(workerUrl, name)}" \\`,
    '  -H "Content-Type: application/json" -H "Mcp-Session-Id: my-first-session" \\',
    ...(needsToken ? ['  -H "Authorization: Bearer $TOKEN" \\'] : []),
    `  -d '{"jsonrpc": "2.0", "id": 1, "method": "tools/list"}'`,
  ].join("\n");
}

function createExample(publicUrl: string): string {
  return [
    `curl -s "${publicUrl}/api/v1/servers" -H "Authorization: Bearer $TOKEN" \\`,
    '  -H "Content-Type: application/json" -d \'{',
    '    "name": "my-server", "version": "1.0.0", "description": "What it does",',
    '    "lang": "python", "license": "MIT", "entrypoint": "server.py",',
    '    "repository": {"url": "https://github.com/you/my-server"}',
    "  }'",
  ].join("\n");
}

function Addresses({ services, links }: PageRequest) {
  return (
    <section aria-labelledby="addresses">
      <h2 id="addresses">Addresses of this installation</h2>
      <dl class="facts long">
        <div>
          <dt>Registry API</dt>
          <dd>
            <code>{services.app.publicUrl}/api/v1</code>
          </dd>
        </div>
        <div>
          <dt>Execution</dt>
          <dd>
            <code>{services.workerUrl}/mcp</code>
          </dd>
        </div>
        <div>
          <dt>API reference</dt>
          <dd>
            <a href={links.path("/docs")}>/docs</a>
          </dd>
        </div>
      </dl>
    </section>
  );
}

/** The server of the examples: the most used of those that can be called for nothing. */
async function exampleName({ services, visitor }: PageRequest): Promise<string> {
  const { registry } = services.app;
  const viewer = await registry.viewer(visitor.caller);
  const asked = {
    sort: "popular",
    limit: 1,
    lang: "python",
    max_price: 0,
    scan_passed: true,
  } as const;
  for (const query of [{ ...asked, runs_here: true }, asked]) {
    const { servers } = await registry.list(query, viewer);
    if (servers[0] !== undefined) return servers[0].name;
  }
  return "NAME";
}

export async function showStart(request: PageRequest): Promise<Response> {
  const { services, links } = request;
  const { publicUrl } = services.app;
  const name = await exampleName(request);
  return await showPage(
    request,
    {
      title: "Quick start",
      section: "start",
      canonical: "/start",
      description: "Find, call and publish MCP servers at this registry, with its own addresses.",
    },
    <div class="guide">
      <h1>Quick start</h1>
      <section aria-labelledby="use">
        <h2 id="use">Use a server</h2>
        <p>
          <a href={links.path("/")}>Find one</a>, see what its scan found, and try its tools in the
          browser. Its <em>Install</em> page has the configuration for{" "}
          {clientNames()}. Any other client that supports MCP over HTTP needs only the address:
        </p>
        <Copy id="endpoint" text={endpointOf(services.workerUrl, name)} label="the address" />
        <p>Without a client, from a terminal:</p>
        <Copy id="call" text={callExample(services, name)} label="the call" />
        <p>
          Each value of <code>Mcp-Session-Id</code> is its own{" "}
          <Term word="session" links={links}>session</Term>. It ends after 30 minutes of inactivity
          or with a <code>DELETE</code>.
        </p>
      </section>
      <section aria-labelledby="publish">
        <h2 id="publish">Publish your server</h2>
        <ol>
          <li>
            <a href={links.path("/publish")}>Enter the URL of its repository</a>. Berth fills in the
            rest from there.
          </li>
          <li>
            Berth scans exactly the commit that will run, in five stages, and tells you what to fix.
          </li>
          <li>Everyone can find and call it.</li>
        </ol>
        <p>
          Using the API, with a token from <a href={links.path("/profile/tokens")}>your profile</a>:
        </p>
        <Copy id="create" text={createExample(publicUrl)} label="the request" />
        <p>Using the command line:</p>
        <Copy
          id="cli"
          text={`export BERTH_REGISTRY=${publicUrl}\nberth login\nberth init\nberth publish`}
          label="the commands"
        />
      </section>
      <Addresses {...request} />
    </div>,
  );
}

/** What crawlers leave alone: pages that are somebody's, start something, or repeat others. */
const ROBOTS = [
  "User-agent: *",
  ...[
    "/admin",
    "/api/",
    "/login",
    "/logout",
    "/oidc/",
    "/profile",
    "/publish",
    "/scans/",
    "/servers/*/manage",
    "/servers/*/source/",
    "/servers/*/try",
    "/*?",
  ].map((path) => `Disallow: ${path}`),
  "",
].join("\n");

/** Answers `/robots.txt`, which keeps crawlers off pages of users and pages that cost work. */
export function robots({ app }: Pick<WebServices, "app">) {
  return (c: PageContext): Response => {
    c.header("Cache-Control", "public, max-age=3600");
    return c.text(`${ROBOTS}\nSitemap: ${app.publicUrl}/sitemap.xml\n`);
  };
}
