/**
 * Credentials and callers' data that go to hosts which nothing declares.
 *
 * @module
 */
import type { AnalyserInput } from "../../analyser.ts";
import { visiting } from "../../files/visiting.ts";
import type { RawFinding } from "../../finding.ts";
import { nodeTypes } from "../../syntax/node_types.ts";
import type { SourceTree } from "../../syntax/source_tree.ts";
import { textOf } from "../../syntax/source_tree.ts";
import { child, named, type SyntaxNode, walk } from "../../syntax/tree.ts";
import { report, type Rule } from "../rule.ts";
import { type Assigned, functionAround } from "./assigned.ts";
import { type Declared, isRemote } from "./declared.ts";
import { CALLS } from "./reached.ts";
import { familyOf } from "./family.ts";
import type { AuditedServer } from "./server.ts";
import { CONSTANT } from "./server_file.ts";

const IDENTIFIER = nodeTypes("identifier");

const SECRET: Rule = {
  id: "mcp/credentials-to-undeclared-host",
  severity: "medium",
  cwe: 201,
  advice: "Name the host in the README, or send the credential only to the service that issued it",
};
const DATA: Rule = {
  id: "mcp/data-to-undeclared-host",
  severity: "medium",
  cwe: 359,
  advice: "Say in the README or in the tool's description where the data goes",
};

const REQUESTS: Record<string, RegExp> = {
  python:
    /^(requests|httpx|aiohttp|urllib\.request|urllib3|request)\.\w+$|(^|[._])(session|client|http|http_client|sess)\)?\.(get|post|put|patch|delete|request|stream)$|(^|\.)(urlopen|AsyncClient|ClientSession)$/i,
  javascript:
    /^(fetch|node_?fetch|axios(\.\w+)?|got(\.\w+)?|ky(\.\w+)?|undici\.\w+|https?\.request|superagent\.\w+|needle|request(\.\w+)?)$|(^|\.)\w*(client|http|api|axios)\.(get|post|put|patch|delete|request)$/i,
  go: /^http\.(NewRequest(WithContext)?|Get|Post|PostForm)$|\.(R\(\)\.)?(Get|Post|Put)$/,
  rust:
    /(^|::)(reqwest|ureq)::(blocking::)?(get|post)$|(^|\.)\w*(client|http)\w*(\(\))?\.(get|post|put|patch|delete)$/i,
};
/** A Python module without any of these words makes none. */
const PYTHON_WORDS = /request|http|url|session|client|sess/i;
/** Requests that carry a body. */
const SENDS = /(^|\.)(post|put|patch|Post|PostForm|request|urlopen)$|^fetch$|NewRequest/;
const BODY_KEY = /^(json|data|content|files|body|payload)$/;

const SECRET_NAME =
  /(api_?key|apikey|(access|auth|bearer|bot|github|secret|refresh|session|api|server|account)_?token|^_?token$|\btoken$|secret|passw(or)?d|credential|bearer)/i;
const KEY_CONSTANT = /^([A-Z0-9]+_)+KEY$/;
/** Names of tokens that are none: of paging, of language models, of cross-site checks. */
const NO_SECRET =
  /(next|page|prev|continuation|sync|csrf|max|min|num|count|total|in|out)put?_?tokens?|tokens$/i;
const SECRET_KEY =
  /^["'`]?(authorization|proxy-authorization|x-api-key|x-auth-token|api[-_]?key|access_token|auth_token|client_secret|password|token)["'`]?$/i;
const ENVIRONMENT = /environ|getenv|process\.env|Deno\.env|env::var|Getenv/;
const IDENTIFIERS =
  /^(identifier|property_identifier|field_identifier|shorthand_property_identifier|private_property_identifier)$/;

const MAX_STEPS = 2000;
const MAX_HOPS = 2;

/** What is known of a file. */
interface File {
  tree: SourceTree;
  assigned(): Assigned;
  /** The first file that assigns a constant, by the constant's name. */
  constants: ReadonlyMap<string, SourceTree>;
  server: AuditedServer;
}

/** A node and the file that it is in. */
interface Placed {
  tree: SourceTree;
  node: SyntaxNode;
}

function behind({ tree, assigned, constants, server }: File, name: string): readonly Placed[] {
  const own = assigned().get(name);
  if (own !== undefined) return own.map((node) => ({ tree, node }));
  const other = CONSTANT.test(name) ? constants.get(name) : undefined;
  if (other === undefined) return [];
  return server.assigned(other).get(name)!.map((node) => ({ tree: other, node }));
}

const HOST = /^[A-Za-z]{0,3}["'`]{1,3}https?:\/\/(?:[^/"'`\s{}@]{0,80}@)?([^/"'`\s{}:?#$]+)/;

/** The host that an address begins with; null when it is not in the source. */
function hostOf(file: File, { tree, node }: Placed, hops = 0): string | null {
  const text = textOf(tree, node).slice(0, 1000);
  const literal = HOST.exec(text)?.[1];
  if (literal !== undefined) return /\./.test(literal) ? literal.toLowerCase() : null;
  // What the user configures is the user's choice.
  if (hops > 3 || ENVIRONMENT.test(text)) return null;
  const inner =
    /^(?:[\w.]*(?:urljoin|URL|format!|Sprintf|String|format)\(\s*|&)?[A-Za-z]{0,2}["'`]{0,3}\$?\{?\s*([A-Za-z_$][\w.$]*)/
      .exec(text)?.[1];
  const name = inner?.split(".").at(-1);
  if (name === undefined) return null;
  const values = behind(file, name);
  if (values.some((each) => ENVIRONMENT.test(textOf(each.tree, each.node).slice(0, 300)))) {
    return null;
  }
  for (const value of values) {
    const host = hostOf(file, value, hops + 1);
    if (host !== null) return host;
  }
  return null;
}

/** The name of a secret in an expression, followed through assignments. */
function secretIn(
  file: File,
  { tree, node: expression }: Placed,
  steps = { left: MAX_STEPS },
  hops = 0,
): string | null {
  let key: string | null = null;
  let computed = false;
  for (const node of walk(expression)) {
    if (steps.left-- <= 0) return null;
    const text = node.end - node.start > 100 ? "" : textOf(tree, node);
    if (IDENTIFIERS.test(node.type)) {
      if ((SECRET_NAME.test(text) && !NO_SECRET.test(text)) || KEY_CONSTANT.test(text)) return text;
      computed = true;
      if (hops >= MAX_HOPS) continue;
      for (const value of behind(file, text)) {
        const found = value.node === expression ? null : secretIn(file, value, steps, hops + 1);
        if (found !== null) return found;
      }
    } else if (node.type.includes("string") && SECRET_KEY.test(text)) {
      key = text.replace(/["'`]/g, "");
    }
  }
  return computed ? key : null;
}

interface Request {
  name: string;
  node: SyntaxNode;
  address: SyntaxNode;
  /** Arguments beside the address. */
  rest: SyntaxNode[];
}

function positionOf(name: string): number {
  if (/NewRequestWithContext$/.test(name)) return 2;
  return /(NewRequest|\.(request|stream))$/.test(name) ? 1 : 0;
}

function requestAt(tree: SourceTree, node: SyntaxNode, pattern: RegExp): Request | null {
  const callee = child(node, "function") ?? child(node, "constructor");
  const list = child(node, "arguments");
  if (callee === null || list === null) return null;
  const name = textOf(tree, callee).slice(0, 200).replace(/\s/g, "");
  if (!pattern.test(name)) return null;
  const values = named(list);
  const byName = values.find((each) => {
    const key = each.type === "keyword_argument" ? child(each, "name") : null;
    return key !== null && /^(url|base_url)$/.test(textOf(tree, key));
  });
  const positional = values.filter(({ type }) => type !== "keyword_argument");
  const address = (byName === undefined ? null : child(byName, "value")) ??
    positional[positionOf(name)] ?? positional[0];
  if (address === undefined) return null;
  return {
    name,
    node,
    address,
    rest: values.filter((each) => each !== address && each !== byName),
  };
}

/** Whether a part of a request is its body, and holds more than literals. */
function sendsData(file: File, { name, node, rest }: Request): boolean {
  const { tree } = file;
  if (!SENDS.test(name)) return false;
  const bodies = rest.filter((each) => {
    if (each.type !== "keyword_argument") return true;
    const key = child(each, "name");
    return key !== null && BODY_KEY.test(textOf(tree, key));
  }).map((each) => child(each, "value") ?? each);
  if (functionAround(node) === null) return false;
  return bodies.some((body) => isComputed(file, { tree, node: body }));
}

function isComputed(file: File, { tree, node: body }: Placed, hops = 0): boolean {
  for (const node of walk(body, IDENTIFIER)) {
    const values = hops < 1 ? behind(file, textOf(tree, node)) : [];
    if (values.length === 0 || values.some((value) => isComputed(file, value, hops + 1))) {
      return true;
    }
  }
  return false;
}

function ofRequest(file: File, request: Request, declared: Declared): RawFinding | null {
  const { tree } = file;
  const host = hostOf(file, { tree, node: request.address });
  if (host === null || !isRemote(host)) return null;
  const around = functionAround(request.node);
  // Go and Rust set headers after they have made the request.
  const later = /^(go|rust)$/.test(tree.grammar) && around !== null ? [around] : [];
  let secret: string | null = null;
  for (const part of [request.address, ...request.rest, ...later]) {
    secret ??= secretIn(file, { tree, node: part });
  }
  if (secret !== null) {
    const values = behind(file, secret).map((each) => textOf(each.tree, each.node).slice(0, 200));
    if (declared.has(host, [secret, ...values])) return null;
    const title = `The secret "${secret.slice(0, 60)}" goes to ${host}, which is not documented`;
    return report(SECRET, tree, request.node, title);
  }
  if (!sendsData(file, request) || declared.has(host)) return null;
  return report(DATA, tree, request.node, `Data goes to ${host}, which is not documented`);
}

/** Findings about the requests of the files that may run. */
export async function undeclaredHosts(
  server: AuditedServer,
  input: AnalyserInput,
): Promise<RawFinding[]> {
  const constants = new Map<string, SourceTree>();
  for (const tree of server.running) {
    for (const name of server.files.get(tree.path)!.constants) {
      if (!constants.has(name)) constants.set(name, tree);
    }
  }
  const findings: RawFinding[] = [];
  for await (const tree of visiting(server.running, input)) {
    const pattern = REQUESTS[familyOf(tree)];
    if (pattern === undefined) continue;
    if (tree.grammar === "python" && !PYTHON_WORDS.test(tree.text)) continue;
    const file: File = { tree, assigned: () => server.assigned(tree), constants, server };
    for (const node of walk(tree.root, CALLS)) {
      const request = requestAt(tree, node, pattern);
      const finding = request === null ? null : ofRequest(file, request, server.declared);
      if (finding !== null) findings.push(finding);
    }
  }
  return findings;
}

/** Every rule of this module. */
export const HOST_RULES: readonly Rule[] = [SECRET, DATA];
