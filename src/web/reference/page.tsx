/**
 * `/docs`: the API's reference, made of its OpenAPI document.
 *
 * @module
 */
import { raw } from "hono/html";
import type { PageRequest } from "../layout/context.ts";
import type { Links } from "../../http/links.ts";
import { plural } from "../../text/plural.ts";
import { Copy, Table } from "../layout/parts.tsx";
import { showPage } from "../layout/respond.tsx";
import { renderMarkdown } from "../../../workers/analysis/readme/render.ts";
import {
  OpenApi,
  type OperationGroup,
  operationsOf,
  schemasOf,
  type ShownOperation,
  type ShownSchema,
} from "./document.ts";
import { requestExamples } from "./examples.ts";

/** Characters of a search. */
const QUERY_MAX = 100;

/** Reads the document of this very service. */
export type ReadDocument = () => Promise<unknown>;

function Prose({ text }: { text: string }) {
  return text === "" ? null : <div class="prose">{raw(renderMarkdown(text))}</div>;
}

function Parameters({ operation }: { operation: ShownOperation }) {
  if (operation.parameters.length === 0) return null;
  return (
    <>
      <h4>Parameters</h4>
      <Table
        label={`Parameters of ${operation.id}`}
        dense
        stack
        columns={["Name", "In", "Type", "Description"]}
      >
        {operation.parameters.map((parameter) => (
          <tr>
            <th scope="row">
              <code>{parameter.name}</code>
              {parameter.required ? <span class="small">&nbsp;required</span> : null}
            </th>
            <td data-label="In">{parameter.in}</td>
            <td class="wrap" data-label="Type">{parameter.type}</td>
            <td class="wrap" data-label="Description">{parameter.description}</td>
          </tr>
        ))}
      </Table>
    </>
  );
}

function Example({ text, label }: { text: string | null; label: string }) {
  if (text === null) return null;
  return <pre tabindex={0} aria-label={label}><code>{text}</code></pre>;
}

/** What the page is made with, beside the document. */
interface View {
  links: Links;
  publicUrl: string;
  /** What is looked for; empty for everything. */
  query: string;
}

function Examples({ operation, links, publicUrl }: View & { operation: ShownOperation }) {
  const { id, tag } = operation;
  const place = `#/${encodeURIComponent(tag)}/${encodeURIComponent(id)}`;
  return (
    <>
      <h4>Request</h4>
      {requestExamples(operation, publicUrl).map(({ label, text }, number) => (
        <details class="more" open={number === 0}>
          <summary>
            {label}
            <span class="visually-hidden">, {operation.summary}</span>
          </summary>
          <Copy id={`${id}-${label.toLowerCase()}`} text={text} label={`${label} of ${id}`} />
        </details>
      ))}
      <p>
        <a href={links.path(`/docs/try${place}`)}>
          Send this request<span class="visually-hidden">: {operation.summary}</span>
        </a>
      </p>
    </>
  );
}

function Operation({ operation, ...view }: View & { operation: ShownOperation }) {
  const { id, method, path, summary, description, needsToken, body, responses } = operation;
  return (
    <details class="operation" id={id}>
      <summary>
        <span class={`method ${method.toLowerCase()}`}>{method}</span> <code>{path}</code>{" "}
        <span class="quiet">{summary}</span>
      </summary>
      <div class="operation-body">
        <Prose text={description} />
        <p class="quiet">{needsToken ? "Requires a bearer token." : "No token required."}</p>
        <Parameters operation={operation} />
        <Examples operation={operation} {...view} />
        {body === null ? null : (
          <>
            <h4>Body</h4>
            <p>
              <code>{body.type}</code>
              {body.schema === null ? null : (
                <>
                  : <a href={`#schema-${body.schema}`}>{body.schema}</a>
                </>
              )}
            </p>
            <Example text={body.example} label={`Example of the body of ${id}`} />
          </>
        )}
        <h4>Responses</h4>
        <ul class="answers">
          {responses.map(({ status, description, example }) => (
            <li>
              <strong>{status}</strong> {description}
              <Example text={example} label={`Example of ${status} of ${id}`} />
            </li>
          ))}
        </ul>
      </div>
    </details>
  );
}

function groupId({ tag }: OperationGroup): string {
  return `tag-${tag.toLowerCase().replaceAll(/\W+/g, "-")}`;
}

function Group({ group, ...view }: View & { group: OperationGroup }) {
  const id = groupId(group);
  return (
    <section aria-labelledby={id}>
      <h3 id={id}>{group.tag}</h3>
      <p class="quiet">{group.description}</p>
      {group.operations.map((operation) => <Operation operation={operation} {...view} />)}
    </section>
  );
}

function Shape({ schema }: { schema: ShownSchema }) {
  return (
    <details class="operation" id={`schema-${schema.name}`}>
      <summary>
        <code>{schema.name}</code> <span class="quiet">{schema.description}</span>
      </summary>
      <div class="operation-body">
        <Table
          label={`Fields of ${schema.name}`}
          dense
          stack
          columns={["Field", "Type", "Description"]}
        >
          {schema.fields.map(({ name, type, required, description }) => (
            <tr>
              <th scope="row">
                <code>{name}</code>
                {required ? null : <span class="small">&nbsp;optional</span>}
              </th>
              <td class="wrap" data-label="Type">{type}</td>
              <td class="wrap" data-label="Description">{description}</td>
            </tr>
          ))}
        </Table>
      </div>
    </details>
  );
}

/** The groups with what `query` asks for: each word in the operation's path, name or summary. */
export function matching(groups: readonly OperationGroup[], query: string): OperationGroup[] {
  const words = query.toLowerCase().split(/\s+/).filter((word) => word !== "");
  return groups.map((group) => ({
    ...group,
    operations: group.operations.filter(({ id, method, path, summary, tag }) => {
      const text = [id, method, path, summary, tag].join(" ").toLowerCase();
      return words.every((word) => text.includes(word));
    }),
  })).filter(({ operations }) => operations.length > 0);
}

/** The schemas for `query`: those that it names, and those of the bodies of what it found. */
function schemasFor(
  schemas: readonly ShownSchema[],
  groups: readonly OperationGroup[],
  query: string,
): ShownSchema[] {
  const words = query.toLowerCase().split(/\s+/);
  const used = new Set(groups.flatMap((group) => group.operations.map(({ body }) => body?.schema)));
  return schemas.filter(({ name }) =>
    used.has(name) || words.every((word) => name.toLowerCase().includes(word))
  );
}

function Search({ links, query }: View) {
  return (
    <form method="get" action={links.path("/docs")} role="search" class="find">
      <div class="search">
        <label for="q" class="visually-hidden">Search operations</label>
        <input
          type="search"
          id="q"
          name="q"
          value={query}
          placeholder="Search operations, for example: tokens"
          maxlength={QUERY_MAX}
        />
        <button type="submit">Search</button>
      </div>
    </form>
  );
}

function Contents(
  { groups, hasSchemas }: { groups: readonly OperationGroup[]; hasSchemas: boolean },
) {
  return (
    <nav aria-label="Contents" class="contents">
      <ul>
        {groups.map((group) => (
          <li>
            <a href={`#${groupId(group)}`}>{group.tag}</a>{" "}
            <span class="quiet small">{group.operations.length}</span>
          </li>
        ))}
        {hasSchemas
          ? (
            <li>
              <a href="#schemas">Schemas</a>
            </li>
          )
          : null}
      </ul>
    </nav>
  );
}

export async function showReference(
  request: PageRequest,
  read: ReadDocument,
): Promise<Response> {
  const document = OpenApi.parse(await read());
  const { links } = request;
  const query = (request.c.req.query("q") ?? "").trim().slice(0, QUERY_MAX);
  const groups = matching(operationsOf(document), query);
  const schemas = schemasFor(schemasOf(document), groups, query);
  const view: View = { links, publicUrl: request.services.app.publicUrl, query };
  return await showPage(
    request,
    {
      title: "API reference",
      section: "api",
      ...(query === "" ? { canonical: "/docs" } : {}),
      description: "Every operation of the registry API, with parameters, bodies and responses.",
    },
    <>
      <h1>{document.info.title}</h1>
      <p class="quiet">
        Version {document.info.version} ·{" "}
        <a href={links.path("/api/v1/openapi.json")}>OpenAPI document</a> ·{" "}
        <a href={links.path("/docs/try")}>Send requests from the browser</a>
      </p>
      <Prose text={document.info.description ?? ""} />
      <Search {...view} />
      <Contents groups={groups} hasSchemas={schemas.length > 0} />
      <h2>Operations</h2>
      {query === "" ? null : (
        <p role="status">
          {plural(groups.flatMap(({ operations }) => operations).length, "operation")} found ·{" "}
          <a href={links.path("/docs")}>Show all</a>
        </p>
      )}
      {groups.map((group) => <Group group={group} {...view} />)}
      {schemas.length === 0 ? null : <h2 id="schemas">Schemas</h2>}
      {schemas.map((schema) => <Shape schema={schema} />)}
    </>,
  );
}
