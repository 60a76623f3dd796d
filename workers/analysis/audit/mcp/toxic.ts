/**
 * Toxic flows: a server that reads what strangers write, reads what is private, and can send
 * something away. A stranger's text can then tell the model to send the private data. Each alone is
 * what servers are for, so the three together are reported once, and never fail a scan.
 *
 * @module
 */
import type { RawFinding } from "../../finding.ts";
import { type SourceTree, textOf } from "../../syntax/source_tree.ts";
import { child, named, type SyntaxNode } from "../../syntax/tree.ts";
import { isSensitivePath } from "../flow/sensitive_files.ts";
import { report, type Rule } from "../rule.ts";
import { functionAround } from "./assigned.ts";
import type { ReachedCall } from "./reached.ts";
import { familyOf } from "./family.ts";
import type { AuditedServer } from "./server.ts";

const TOXIC: Rule = {
  id: "mcp/toxic-flow",
  severity: "medium",
  cwe: 1427,
  advice:
    "Split the tools among several servers, so that no server reads untrusted text and private " +
    "data and also sends data out. Or let the user confirm what is sent",
};

/** What a call has to do with a toxic flow. */
type Part = "untrusted" | "private" | "outbound";

interface Pattern {
  untrusted: RegExp;
  private: RegExp;
  outbound: RegExp;
  /** Requests that read, whose address decides what they are. */
  fetches: RegExp;
  /** Reading files, whose path decides what they are. */
  files: RegExp;
}

const PATTERNS: Record<string, Pattern> = {
  python: {
    untrusted:
      /^(imaplib|poplib|feedparser|mailbox)\.|IMAP4|messages\(\)\.(get|list)$|\.(get_issues?|get_issue_comments|get_comments|get_pulls?|search_issues|conversations_history|goto)$/,
    private:
      /^(sqlite3|psycopg2?|pymysql|mysql\.connector|asyncpg|aiosqlite|pymongo|duckdb)\.\w*connect\w*$|^(MongoClient|pymongo\.MongoClient|keyring\.get_password)$|\.(fetchall|fetchone|fetchmany)$|^(imaplib|poplib)\.|IMAP4|messages\(\)\.(get|list)$|files\(\)\.get(_media)?$/,
    outbound:
      /^(requests|httpx)\.(post|put|patch)$|(^|[._])(session|client|http_client)\.(post|put|patch)$|^smtplib\.|\.(sendmail|send_message|chat_postMessage|put_object|upload_file|upload_blob|create_issue|create_comment)$|messages\(\)\.send$/,
    fetches: /^(requests|httpx)\.get$|(^|[._])(session|client|http_client|http)\.get$|urlopen$/,
    files: /^(open|io\.open|aiofiles\.open)$|\.(read_text|read_bytes)$/,
  },
  javascript: {
    untrusted:
      /\.(goto|issues\.\w*(get|list)\w*|pulls\.\w*(get|list)\w*|messages\.(get|list))$|^imap\w*\./i,
    private: /^(new)?(Pool|Client|MongoClient|Database)$|\.(query|findOne|find|all|messages\.get)$/,
    outbound:
      /^axios\.(post|put|patch)$|\.(sendMail|postMessage|putObject|createComment|issues\.create)$/,
    fetches: /^(fetch|axios|axios\.get|got|got\.get)$/,
    files: /^((fs|fsp|fs\.promises|fsPromises)\.)?readFile(Sync)?$|^Deno\.readTextFile$/,
  },
  go: {
    untrusted: /\.(Issues|PullRequests)\.(Get|List\w*)$/,
    private: /^sql\.Open$|\.(Query|QueryRow|QueryContext)$/,
    outbound: /^(http\.Post\w*|smtp\.SendMail)$|\.PutObject$/,
    fetches: /^http\.Get$/,
    files: /^(os|ioutil)\.(ReadFile|Open)$/,
  },
  rust: {
    untrusted: /^$/,
    private: /^sqlx::query\w*$|Connection::open$/,
    outbound: /\bclient\.(post|put|patch)$/,
    fetches: /^reqwest::get$|\bclient\.get$/,
    files: /^(std::|tokio::)?fs::read(_to_string)?$/,
  },
};
const STRANGERS = /\/(issues|comments|pulls|discussions|reviews)\b/;
const PUSHES =
  /\bgit["',\s]{1,6}push\b|hooks\.slack\.com|discord(app)?\.com\/api\/webhooks|\bwebhook/i;
const WRITES = /["'](w|a|x|wb|ab|r\+)["']/;

/** Names of a function's parameters, destructured ones too. */
function parametersOf({ tree, node }: ReachedCall): Set<string> {
  const around = functionAround(node);
  const list = around === null ? null : child(around, "parameters") ?? child(around, "parameter");
  const found = new Set<string>();
  const waiting = list === null ? [] : [list];
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    if (/identifier/.test(at.type)) found.add(textOf(tree, at));
    waiting.push(...at.children.filter(({ field }) => field !== "value" && field !== "type"));
  }
  return found;
}

function argumentsOf({ node }: ReachedCall): SyntaxNode[] {
  const list = child(node, "arguments");
  return list === null ? [] : named(list);
}

/** Whether the first thing in an expression is a parameter: the caller chooses all of it. */
function isCallers(call: ReachedCall, value: SyntaxNode | undefined): boolean {
  if (value === undefined) return false;
  const text = textOf(call.tree, child(value, "value") ?? value).slice(0, 200);
  const name = /^[&*]?(?:[A-Za-z]{0,2}["'`]{1,3}\$?\{)?\s*(?:new URL\()?([A-Za-z_$][\w$]*)/.exec(
    text,
  )
    ?.[1];
  return name !== undefined && parametersOf(call).has(name) && !/^(self|this|cls)$/.test(name);
}

interface Role {
  part: Part;
  /** The caller chooses where the data goes. */
  steered: boolean;
}

/** The parts that a call plays. */
function rolesOf(call: ReachedCall): Role[] {
  const pattern = PATTERNS[familyOf(call.tree)];
  if (pattern === undefined) return [];
  const { name } = call;
  const values = argumentsOf(call);
  const text = textOf(call.tree, call.node).slice(0, 600);
  const roles: Role[] = [];
  const add = (part: Part, steered = false) => roles.push({ part, steered });
  if (pattern.untrusted.test(name)) add("untrusted");
  if (pattern.private.test(name)) add("private");
  const posts = pattern.outbound.test(name) || /\bmethod\s*:\s*["'`](POST|PUT|PATCH)/.test(text);
  if (posts) add("outbound", isCallers(call, values[0]));
  else if (PUSHES.test(text) && /(run|call|Popen|exec\w*|spawn|post|fetch|system)$/i.test(name)) {
    add("outbound", true);
  } else if (pattern.fetches.test(name)) {
    if (isCallers(call, values[0])) {
      add("untrusted");
      // What is asked for can carry data: https://host/?d=…
      add("outbound", true);
    } else if (STRANGERS.test(text)) add("untrusted");
  }
  if (pattern.files.test(name) && !WRITES.test(text)) {
    const literal = /["']([^"'\n]{1,300})["']/.exec(text)?.[1];
    const read = values[0] ?? child(child(call.node, "function") ?? call.node, "object") ??
      undefined;
    if (isCallers(call, read)) {
      add("private");
      add("untrusted");
    } else if (literal !== undefined && isSensitivePath(literal)) add("private");
  }
  return roles;
}

/** What tools say by their names that they do: clients of services hide it from the calls. */
const NAMED: readonly [Part, RegExp][] = [
  [
    "untrusted",
    /^(get|list|read|fetch|search|find|show|download|browse|scrape|crawl)[a-z_-]*(message|mail|inbox|chat|thread|comment|issue|ticket|review|tweet|web_?page|website|url)/i,
  ],
  [
    "private",
    /^(get|list|read|fetch|search|find|show|download|query|execute)[a-z_-]*(file|document|contact|drive|note|calendar|event|message|mail|inbox|database|table|sql|secret|repositor)/i,
  ],
  [
    "outbound",
    /^(send|post|reply|forward|publish|share|create|add|push|upload)[a-z_-]*(message|mail|comment|issue|tweet|webhook|pull_?request|file)/i,
  ],
];
/** Parameters that say where something goes. */
const RECIPIENT =
  /\b(to|recipients?|url|webhook|channel|chat_id|email|address|phone|repo|owner)\b/i;

interface Place {
  tree: SourceTree;
  node: SyntaxNode;
  what: string;
  steered: boolean;
}

function placesOf(server: AuditedServer): Record<Part, Place[]> {
  const places: Record<Part, Place[]> = { untrusted: [], private: [], outbound: [] };
  const seen = new Set<SyntaxNode>();
  for (const { tree, body } of server.entries) {
    for (const call of server.reached(tree, body)) {
      if (seen.has(call.node)) continue;
      seen.add(call.node);
      for (const { part, steered } of rolesOf(call)) {
        const { tree, node, name } = call;
        places[part].push({ tree, node, what: name.slice(0, 60), steered });
      }
    }
  }
  for (const { name, tree, node, signature } of server.tools) {
    const plain = name.replace(/([a-z])([A-Z])/g, "$1_$2");
    for (const [part, pattern] of NAMED) {
      if (!pattern.test(plain)) continue;
      const what = `the tool "${name.slice(0, 60)}"`;
      places[part].push({ tree, node, what, steered: RECIPIENT.test(signature) });
    }
  }
  return places;
}

const shown = ({ tree, node, what }: Place): string =>
  `${what} (${tree.path}:${tree.lineAt(node.start)})`;

/** The finding about a server whose tools make a toxic flow, at the place where data leaves. */
export function toxicFlow(server: AuditedServer): RawFinding[] {
  const places = placesOf(server);
  const exit = places.outbound.find(({ steered }) => steered) ?? places.outbound[0];
  const secret = places.private[0];
  // Strangers' text and private data that are one and the same are no two things.
  const stranger = places.untrusted.find(({ node }) => node !== secret?.node);
  if (exit === undefined || secret === undefined || stranger === undefined) return [];
  const title = `The server reads untrusted text with ${shown(stranger)} and private data ` +
    `with ${shown(secret)}, and sends data out with ${shown(exit)}`;
  // Where the source fixes who gets the data, a stranger gains less.
  const severity = exit.steered ? "medium" : "low";
  return [report(TOXIC, exit.tree, exit.node, title, severity)];
}

/** Every rule of this module. */
export const TOXIC_RULES: readonly Rule[] = [TOXIC];
