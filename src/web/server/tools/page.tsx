/**
 * `/servers/{name}/tools`: each tool with its parameters, as the scan found them.
 *
 * @module
 */
import type { DiscoveredTool } from "../../scan/schema.ts";
import type { PageRequest } from "../layout/context.ts";
import { Empty, Notice, Table } from "../layout/parts.tsx";
import { plural } from "../../text/plural.ts";
import { showPage } from "../layout/respond.tsx";
import { headOf, refusalOf, ServerFrame } from "./frame.tsx";
import { loadServer } from "./load.ts";
import { parseSignature } from "./signature.ts";
import { sourcePath } from "./source/code.tsx";

const HINTS: [RegExp, string][] = [
  [/read_?only_?hint["']?\s*[:=]\s*true/i, "read-only"],
  [/destructive_?hint["']?\s*[:=]\s*true/i, "destructive"],
  [/destructive_?hint["']?\s*[:=]\s*false/i, "non-destructive"],
  [/idempotent_?hint["']?\s*[:=]\s*true/i, "idempotent"],
  [/open_?world_?hint["']?\s*[:=]\s*true/i, "open world"],
];

/** What the declaration says of the tool's behaviour. */
function annotationsOf({ declaration }: DiscoveredTool): string[] {
  return HINTS.filter(([pattern]) => pattern.test(declaration)).map(([, text]) => text);
}

function Parameters({ tool }: { tool: DiscoveredTool }) {
  const signature = parseSignature(tool.signature);
  if (signature === null) {
    return (
      <pre tabindex={0} aria-label={`Signature of ${tool.name}`}>
        <code>{tool.signature}</code>
      </pre>
    );
  }
  const { parameters, returns } = signature;
  return (
    <>
      {parameters.length === 0 ? <p class="quiet">No parameters.</p> : (
        <Table
          label={`Parameters of ${tool.name}`}
          dense
          stack
          columns={["Parameter", "Type", "Default"]}
        >
          {parameters.map(({ name, type, defaultValue }) => (
            <tr>
              <th scope="row">
                <code>{name}</code>
              </th>
              <td class="break" data-label="Type">{type === null ? "any" : <code>{type}</code>}</td>
              <td class="break" data-label="Default">
                {defaultValue === null
                  ? <strong class="nowrap">required</strong>
                  : <code>{defaultValue}</code>}
              </td>
            </tr>
          ))}
        </Table>
      )}
      {returns === null ? null : (
        <p class="quiet">
          Returns <code>{returns}</code>
        </p>
      )}
    </>
  );
}

function Tool(
  { request, server, tool, runs }: {
    request: PageRequest;
    server: string;
    tool: DiscoveredTool;
    /** Whether it can be tried here. */
    runs: boolean;
  },
) {
  const { links } = request;
  const annotations = annotationsOf(tool);
  const source = sourcePath(server, tool.file, tool.line);
  return (
    <li class="card">
      <div class="card-head">
        <h3>
          <bdi>{tool.name}</bdi>
        </h3>
        {annotations.map((text) => <span class="tag">{text}</span>)}
        {!runs ? null : (
          <a
            class="end"
            href={links.path(`/servers/${server}/try?tool=${encodeURIComponent(tool.name)}`)}
          >
            Try it<span class="visually-hidden">: {tool.name}</span>
          </a>
        )}
      </div>
      {tool.description === null ? <p class="quiet">No description.</p> : (
        <p class="pre">
          <bdi>{tool.description.slice(0, 4000)}</bdi>
        </p>
      )}
      <Parameters tool={tool} />
      <p class="quiet small">
        Declared as <code>{tool.declaration.slice(0, 200)}</code> in{" "}
        <a href={links.path(source)}>
          {tool.file}:{tool.line}
        </a>
      </p>
    </li>
  );
}

export async function showTools(request: PageRequest): Promise<Response> {
  const loaded = await loadServer(request);
  const { server } = loaded;
  const runs = refusalOf(request, server) === null;
  const { tool_discovery: discovery } = server.security_report;
  const unseen = server.tools.names.filter((name) =>
    !discovery.found.some((tool) => tool.name === name)
  );
  const extra = discovery.undeclared.length;
  return await showPage(
    request,
    headOf(loaded, "/tools", "Tools"),
    <ServerFrame request={request} loaded={loaded} tab="/tools">
      {discovery.missing.length === 0 ? null : (
        <Notice>
          <p>
            Reported but not found in the source: {discovery.missing.map((name) => (
              <>
                <code>{name}</code>
                {" "}
              </>
            ))}
          </p>
        </Notice>
      )}
      {!discovery.dynamic ? null : (
        <Notice>
          <p>This server registers tools at run time, so there may be more.</p>
        </Notice>
      )}
      <h2>
        {plural(discovery.found.length, "tool")} found in the source
      </h2>
      {extra === 0 ? null : (
        <p class="quiet">
          {plural(extra, "tool")} of these {extra === 1 ? "is" : "are"} not reported by the author.
        </p>
      )}
      {discovery.found.length === 0 ? <Empty title="No tools found" /> : (
        <ul class="cards">
          {discovery.found.map((tool) => (
            <Tool
              request={request}
              server={server.name}
              tool={tool}
              runs={runs}
            />
          ))}
        </ul>
      )}
      {unseen.length === 0 ? null : (
        <p class="quiet">
          Also reported: {unseen.join(", ")}
        </p>
      )}
    </ServerFrame>,
  );
}
