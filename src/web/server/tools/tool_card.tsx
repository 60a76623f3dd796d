/**
 * One tool on the page Tools.
 *
 * @module
 */
import type { Links } from "../../../http/links.ts";
import { Copy, Table } from "../../layout/parts.tsx";
import { sourcePath } from "../source/code.tsx";
import { toolAnchor } from "./lines.tsx";
import type { ParameterView } from "./parameters.ts";
import { Signs } from "./signs.tsx";
import type { ToolView } from "./views.ts";

const CHOICES_SHOWN = 20;
const DESCRIPTION_MAX = 4000;
const RESULT_MAX = 4000;

interface RowProps {
  parameter: ParameterView;
  /** Names of the values around it. */
  around: readonly string[];
}

function About({ parameter }: { parameter: ParameterView }) {
  const { description, choices, constraints } = parameter;
  const more = choices.length - CHOICES_SHOWN;
  return (
    <>
      {description === null ? null : (
        <span class="pre">
          <bdi>{description}</bdi>
        </span>
      )}
      {choices.length === 0 ? null : (
        <span class="parameter-note">
          One of {choices.slice(0, CHOICES_SHOWN).map((choice, index) => (
            <>
              {index === 0 ? "" : ", "}
              <code>{choice}</code>
            </>
          ))}
          {more > 0 ? ` and ${more} more` : ""}
        </span>
      )}
      {constraints === null ? null : (
        <span class="parameter-note">
          <bdi>{constraints}</bdi>
        </span>
      )}
    </>
  );
}

/** A parameter, and below it its members with the names of what they are in. */
function Rows({ parameter, around }: RowProps) {
  const { name, type, required, defaultValue, members } = parameter;
  return (
    <>
      <tr>
        <th scope="row" class="break">
          <code>
            {around.map((outer) => <span class="quiet">{outer}.</span>)}
            {name}
          </code>
        </th>
        <td class="break" data-label="Type">
          <code>{type}</code>
        </td>
        <td class="break" data-label="Default">
          {required
            ? <strong class="nowrap">required</strong>
            : defaultValue === null
            ? <span class="quiet">optional</span>
            : <code>{defaultValue}</code>}
        </td>
        <td class="wrap" data-label="About">
          <About parameter={parameter} />
        </td>
      </tr>
      {members.map((member) => <Rows parameter={member} around={[...around, name]} />)}
    </>
  );
}

function Parameters({ tool }: { tool: ToolView }) {
  const { name, parameters, declared } = tool;
  if (parameters === null) {
    if (declared === null) return <p class="quiet">Its parameters are not known.</p>;
    return (
      <pre tabindex={0} aria-label={`Signature of ${name}`}>
        <code>{declared.signature}</code>
      </pre>
    );
  }
  if (parameters.length === 0) return <p class="quiet">No parameters.</p>;
  return (
    <Table
      label={`Parameters of ${name}`}
      dense
      stack
      columns={["Parameter", "Type", "Default", "About"]}
    >
      {parameters.map((parameter) => <Rows parameter={parameter} around={[]} />)}
    </Table>
  );
}

function json(value: unknown): string {
  return JSON.stringify(value, null, 2).slice(0, RESULT_MAX);
}

/** A call as its message has it, and what may come back. */
function Example({ tool, number }: { tool: ToolView; number: number }) {
  const { name, example, returns } = tool;
  if (example === null) return null;
  const { result } = example;
  return (
    <details class="more">
      <summary>
        Example call<span class="visually-hidden">{` of ${name}`}</span>
      </summary>
      <Copy
        id={`example-${number}`}
        text={json({ name, arguments: example.arguments })}
        label={`the call of ${name}`}
      />
      {result === undefined
        ? returns === null ? null : (
          <p class="quiet">
            Returns <code>{returns}</code>
          </p>
        )
        : (
          <>
            <p>Structured result, as its schema has it:</p>
            <pre tabindex={0} aria-label={`Result of ${name}`}><code>{json(result)}</code></pre>
          </>
        )}
    </details>
  );
}

/** Name, signs, description, parameters and an example; `tryPath` where it can be tried here. */
export function ToolCard(
  { links, server, tool, number, runs }: {
    links: Links;
    server: string;
    tool: ToolView;
    number: number;
    /** Whether it can be tried here. */
    runs: boolean;
  },
) {
  const { name, title, description, signs, declared } = tool;
  const anchor = toolAnchor(name);
  return (
    <li class="card" id={anchor}>
      <div class="card-head">
        <h3>
          <a class="plain" href={`#${encodeURIComponent(anchor)}`}>
            <bdi>{name}</bdi>
          </a>
        </h3>
        {title === null || title === name ? null : (
          <span class="quiet">
            <bdi>{title}</bdi>
          </span>
        )}
        <Signs signs={signs} />
        {declared === null ? <span class="tag">not in the source</span> : null}
        {!runs ? null : (
          <a
            class="end"
            href={links.path(`/servers/${server}/try?tool=${encodeURIComponent(name)}`)}
          >
            Try it<span class="visually-hidden">: {name}</span>
          </a>
        )}
      </div>
      {description === null ? <p class="quiet">No description.</p> : (
        <p class="pre">
          <bdi>{description.slice(0, DESCRIPTION_MAX)}</bdi>
        </p>
      )}
      <Parameters tool={tool} />
      <Example tool={tool} number={number} />
      {declared === null ? null : (
        <p class="quiet small">
          Declared as <code>{declared.declaration.slice(0, 200)}</code> in{" "}
          <a href={links.path(sourcePath(server, declared.file, declared.line))}>
            {declared.file}:{declared.line}
          </a>
        </p>
      )}
    </li>
  );
}
