/**
 * What is typed into a program behind a terminal of its own: `pid, fd = pty.fork()`, the child runs
 * `os.execvp("sh", …)`, the parent writes to `fd`.
 *
 * @module
 */
import type { RawFinding } from "../../../finding.ts";
import { calleeOf } from "../../../python/calls/callee.ts";
import { argumentsOf, type PythonNames } from "../../../python/names.ts";
import { nodeTypes } from "../../../syntax/node_types.ts";
import { child, walk } from "../../../syntax/tree.ts";
import { startedReader } from "../../programs/programs.ts";
import type { InputReader } from "../../programs/read_input.ts";
import { report } from "../../rule.ts";
import { partOf } from "../files/file_keys.ts";
import { INJECTION, REMOTE_CODE } from "../flow_rules.ts";
import { toolParameter } from "../labels.ts";
import type { ObservedCall } from "../observed.ts";

const CALLS = nodeTypes("call");
const FORKS = /^(pty\.fork|os\.forkpty)$/;
const BECOMES = /^os\.(exec|posix_spawn|spawn)/;

/** The program of the module that runs what it reads. */
function readerOf(names: PythonNames): InputReader | null {
  for (const node of walk(names.tree.root, CALLS)) {
    const name = calleeOf(names, child(node, "function") ?? node)?.name ?? "";
    if (!BECOMES.test(name)) continue;
    const reader = startedReader(names, name, argumentsOf(names.tree, node));
    if (reader !== null) return reader;
  }
  return null;
}

/** The finding of a caller's text, or an answer, that is typed into such a program. */
export function typedInto({ names, node, callee, given, labels }: ObservedCall): RawFinding | null {
  const [to, text] = given.positional;
  if (callee?.name !== "os.write" || to?.type !== "identifier" || text === undefined) return null;
  const maker = partOf(names, to);
  const made = maker === null ? null : calleeOf(names, child(maker, "function") ?? maker);
  if (!FORKS.test(made?.name ?? "")) return null;
  const carried = labels(text);
  const parameter = toolParameter(carried);
  const reader = parameter === null && !carried.has("network") ? null : readerOf(names);
  if (reader === null) return null;
  if (parameter === null) {
    return report(REMOTE_CODE, names.tree, node, `Response data reaches ${reader.program}`);
  }
  const title = `Parameter "${parameter}" is part of what ${reader.program} runs as text`;
  return report(INJECTION[reader.by], names.tree, node, title);
}
