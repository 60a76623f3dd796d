/**
 * Secrets that a command sends by itself: `env | curl -d @- URL`, `curl -d @~/.ssh/id_rsa URL`,
 * `curl -H "$KEY" URL`, `node -e "fetch(URL, process.env)"`. No value of the program goes there.
 *
 * @module
 */
import type { RawFinding } from "../../finding.ts";
import { sinkOf } from "../../python/calls/sinks.ts";
import { CREDENTIALS, ENVIRONMENT } from "../flow/flow_rules.ts";
import type { ObservedCall } from "../flow/observed.ts";
import { isSensitivePath } from "../flow/sensitive_files.ts";
import { readByShell } from "../flow/starting/process.ts";
import { type Destination, destinationsIn, textsOf } from "../keys/destinations.ts";
import { misplaced } from "../keys/judge_keys.ts";
import { isKey } from "../keys/providers.ts";
import { report } from "../rule.ts";
import { runTexts } from "./programs.ts";
import { TALKS } from "./senders.ts";

const ENVIRONMENT_LISTED =
  /(^|[\s;|&(`"'/])(env|printenv|set|export(\s+-p)?|declare\s+-[xp]+)\s*(\||\)|`|>|;)|\/proc\/(self|\$\$|\d+)\/environ\b/;
/** Files that a command sends: `-d @file`, `< file`, `cat file |`. */
const FILES =
  /(?:@|<\s*|\b(?:cat|base64|xxd|gzip\s+-c|tar\s+\S+)\s+|(?:--upload-file|--post-file|--body-file|-T)[=\s]+)["']?([^\s"'|;)`]+)/g;
const VARIABLES = /\$\{?([A-Za-z_]\w*)|%([A-Za-z_]\w*)%/g;
const RUNS_CODE = /\b(python[\d.]*|node|deno|bun)\s(-\S+\s)*(-\w*[ce]|eval)\s/;
const MAX_TEXT = 4000;

/** The environment in Python and JavaScript, whole or a variable of it. */
const ENVIRONMENT_READ =
  /\bos\.environ(?:b?\b(?!\s*(?:\[|\.get\b|\.pop\b))|(?:\.get\(|\[)\s*["'](\w+)|)|\bgetenv\(\s*["'](\w+)|\bprocess\.env\b(?:\.(\w+)|\[["'](\w+)|)/g;
const SENDING = /\b(fetch|https?|axios|net|urlopen|urllib|requests|httpx|socket|http\.client)\b/;

/** The finding of a program's text that sends secrets. */
function sentByCode(call: ObservedCall, code: string): RawFinding | null {
  const destinations = destinationsIn(code.split(/[\s"'`,;()]+/), { addressesOnly: true });
  const [first] = destinations;
  if (first === undefined || !SENDING.test(code)) return null;
  const { names, node } = call;
  const file = code.split(/["'`]/).find(isSensitivePath);
  if (file !== undefined) {
    return report(CREDENTIALS, names.tree, node, `A program sends ${file} to ${first.host}`);
  }
  const read = [...code.matchAll(ENVIRONMENT_READ)].map(([, ...all]) =>
    all.find((each) => each !== undefined)
  );
  if (read.includes(undefined)) {
    const title = `A program sends the whole environment to ${first.host}`;
    return report(ENVIRONMENT, names.tree, node, title);
  }
  return ofKeys(call, read.filter((each) => each !== undefined), destinations);
}

function ofKeys(
  call: ObservedCall,
  variables: readonly string[],
  destinations: Destination[],
): RawFinding | null {
  const keys = variables.filter(isKey);
  return keys.length === 0
    ? null
    : misplaced(call, { keys, units: keys.map((key) => [key]), destinations, inHost: [] });
}

/** The finding of a command, or of a program's text, that sends secrets by itself. */
export function sentByCommand(call: ObservedCall): RawFinding | null {
  const { names, callee, given } = call;
  const name = callee?.name ?? "";
  const values = [...given.positional, ...given.keywords.values()];
  const whole = values.flatMap((each) => textsOf(names, each)).join(" ");
  const run = runTexts(names, name, given).flatMap(({ node, by }) =>
    by === "remote" ? [] : textsOf(names, node).map((text) => ({ by, text }))
  );
  const isShells = sinkOf(name) === "shell" || readByShell(call);
  const texts = [...run, { by: isShells ? "shell" : "list", text: whole }];
  for (const { by, text } of texts) {
    const told = text.slice(0, MAX_TEXT);
    const found = sentByLine(call, told, by === "shell") ??
      (by === "code" || RUNS_CODE.test(told) ? sentByCode(call, told) : null);
    if (found !== null) return found;
  }
  return null;
}

/** The finding of a command line; only a shell knows of variables and pipes. */
function sentByLine(call: ObservedCall, text: string, isShells: boolean): RawFinding | null {
  if (!TALKS.test(text)) return null;
  const { names, node } = call;
  const destinations = destinationsIn(text.replace(VARIABLES, "x").split(/[\s"'=|;<>()`]+/));
  const [first] = destinations;
  if (first === undefined) return null;
  const files = [...text.matchAll(FILES)].map((match) => match[1]!);
  const file = files.find((each) => isSensitivePath(each.replace(/^(\$HOME|\$\{HOME\})/, "~")));
  if (file !== undefined) {
    return report(CREDENTIALS, names.tree, node, `A command sends ${file} to ${first.host}`);
  }
  if (!isShells) return null;
  if (ENVIRONMENT_LISTED.test(text)) {
    const title = `A command sends the whole environment to ${first.host}`;
    return report(ENVIRONMENT, names.tree, node, title);
  }
  const variables = [...text.matchAll(VARIABLES)].map(([, one, other]) => one ?? other!);
  return ofKeys(call, variables, destinations);
}
