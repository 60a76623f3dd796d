/**
 * `/docs`: the API's reference, made of its OpenAPI document.
 *
 * @module
 */
import { raw } from "hono/html";
import type { PageRequest } from "../layout/context.ts";
import { Table } from "../layout/parts.tsx";
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

function Operation({ operation }: { operation: ShownOperation }) {
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

function Group({ group }: { group: OperationGroup }) {
  const id = `tag-${group.tag.toLowerCase().replaceAll(/\W+/g, "-")}`;
  return (
    <section aria-labelledby={id}>
      <h3 id={id}>{group.tag}</h3>
      <p class="quiet">{group.description}</p>
      {group.operations.map((operation) => <Operation operation={operation} />)}
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

export async function showReference(
  request: PageRequest,
  read: ReadDocument,
): Promise<Response> {
  const document = OpenApi.parse(await read());
  const { links } = request;
  return await showPage(
    request,
    {
      title: "API reference",
      section: "api",
      canonical: "/docs",
      description: "Every operation of the registry API, with parameters, bodies and responses.",
    },
    <>
      <h1>{document.info.title}</h1>
      <p class="quiet">
        Version {document.info.version} ·{" "}
        <a href={links.path("/api/v1/openapi.json")}>OpenAPI document</a>
      </p>
      <Prose text={document.info.description ?? ""} />
      <h2>Operations</h2>
      {operationsOf(document).map((group) => <Group group={group} />)}
      <h2>Schemas</h2>
      {schemasOf(document).map((schema) => <Shape schema={schema} />)}
    </>,
  );
}
