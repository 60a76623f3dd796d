/**
 * A tool on the page of a session: its form, and the links to the others.
 *
 * @module
 */
import type { PageRequest } from "../layout/context.ts";
import { Form } from "../layout/forms.tsx";
import { Alert } from "../layout/parts.tsx";
import { RAW } from "./arguments.ts";
import { argumentFields } from "./fields.ts";
import { ArgumentControls } from "./form.tsx";
import type { Tool } from "./mcp.ts";
import { Output, type Running, RunningOutput } from "./output.tsx";
import type { Schema } from "./schema.ts";

/** The state of a form that is shown again. */
export interface TryState {
  tool: Tool;
  sent: URLSearchParams | null;
  faults: ReadonlyMap<string, string>;
}

function Hints({ tool }: { tool: Tool }) {
  const { readOnlyHint, destructiveHint } = tool.annotations ?? {};
  return (
    <>
      {readOnlyHint === true ? <span class="tag">declared read-only</span> : null}
      {destructiveHint === true ? <span class="tag">declared destructive</span> : null}
    </>
  );
}

/** A tool: what it says of itself, the form of its arguments, and its output. */
export function ToolForm(
  { request, base, state, running }: {
    request: PageRequest;
    base: string;
    state: TryState;
    running: Running | null;
  },
) {
  const { tool, sent, faults } = state;
  const rawFault = faults.get(RAW);
  const schema: Schema = tool.inputSchema;
  return (
    <section class="try-tool" aria-labelledby="tool-title">
      <div class="card-head">
        <h2 id="tool-title">
          <bdi>{(tool.title ?? tool.name).slice(0, 200)}</bdi>
        </h2>
        <Hints tool={tool} />
      </div>
      {tool.description === undefined ? null : (
        <p class="pre">
          <bdi>{tool.description.slice(0, 4000)}</bdi>
        </p>
      )}
      {faults.size === 0 ? null : (
        <Alert>
          <p>Fix {faults.size === 1 ? "this value" : "these values"}:</p>
          <ul>
            {[...faults.values()].map((fault) => (
              <li>
                <bdi>{fault}</bdi>
              </li>
            ))}
          </ul>
        </Alert>
      )}
      <Form
        request={request}
        action={`${base}/run`}
        class="try-form"
        attributes={{ "data-try": "" }}
      >
        <input type="hidden" name="tool" value={tool.name} />
        <ArgumentControls field={argumentFields(schema)} view={{ sent, faults, root: schema }} />
        <details class="more" open={sent !== null && (sent.get(RAW) ?? "") !== ""}>
          <summary>Arguments as JSON</summary>
          <label for="raw">Sent instead of the fields above unless empty</label>
          <textarea
            id="raw"
            name={RAW}
            rows={5}
            class="mono"
            spellcheck={false}
            aria-describedby={rawFault === undefined ? undefined : "raw-fault"}
            aria-invalid={rawFault === undefined ? undefined : "true"}
          >
            {sent?.get(RAW) ?? ""}
          </textarea>
          {rawFault === undefined ? null : <p class="fault" id="raw-fault">{rawFault}</p>}
        </details>
        <button type="submit">Run</button>
      </Form>
      {running === null
        ? <Output />
        : <RunningOutput request={request} base={base} running={running} />}
    </section>
  );
}

/** The tool that the address or the form names; the first one else. */
export function findTool(tools: readonly Tool[], name: string | null): Tool | null {
  return tools.find((tool) => tool.name === name) ?? tools[0] ?? null;
}
