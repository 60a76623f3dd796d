/**
 * Where what comes of a run is shown.
 *
 * @module
 */
import type { Child } from "hono/jsx";
import type { PageRequest } from "../layout/context.ts";
import { Form } from "../layout/forms.tsx";
import type { Outgoing, Tool } from "./mcp.ts";
import { RUN_SLOTS } from "./run.tsx";

/** A call that runs, and where what comes of it goes. */
export interface Running {
  call: Outgoing;
  tool: Tool;
  slots: Child[];
}

/** Where a script shows what happens; empty until a tool is run. */
export function Output() {
  return (
    <div id="output" class="output-area">
      <div id="run-status" class="run-status" hidden>
        <p role="status" id="run-text">Running…</p>
        <progress id="run-progress" aria-label="Progress of the tool"></progress>
        <button type="button" class="secondary" id="run-cancel">Cancel</button>
      </div>
      <div id="run-result"></div>
      <details id="run-logs-box" open hidden>
        <summary>Log</summary>
        <ul id="run-logs" class="logs"></ul>
      </details>
      <details id="run-raw-box" hidden>
        <summary>Raw messages</summary>
        <pre id="run-raw" tabindex={0} aria-label="Raw messages"></pre>
      </details>
      <section id="run-history-box" aria-labelledby="run-history-title" hidden>
        <h3 id="run-history-title">Earlier calls</h3>
        <div id="run-history"></div>
      </section>
    </div>
  );
}

/** What happens, without scripts: the page goes on while the tool runs. */
export function RunningOutput(
  { request, base, running }: { request: PageRequest; base: string; running: Running },
) {
  const { call, tool, slots } = running;
  return (
    <section class="output-area" aria-labelledby="running" id="output">
      <h3 id="running" class="visually-hidden">Run</h3>
      <div class="run-status">
        <p role="status">Running. Messages from the tool appear here.</p>
        <Form request={request} action={`${base}/cancel`} class="button-form">
          <input type="hidden" name="call" value={String(call.id)} />
          <input type="hidden" name="tool" value={tool.name} />
          <button type="submit" class="secondary">Cancel</button>
        </Form>
      </div>
      <ul class="logs" aria-label="Log">{slots[RUN_SLOTS.log]}</ul>
      {slots[RUN_SLOTS.result]}
    </section>
  );
}
