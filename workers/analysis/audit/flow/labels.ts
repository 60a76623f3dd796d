/**
 * Where the value of a Python expression comes from: labels that are carried from sources through
 * assignments to sinks.
 *
 * @module
 */
import { calleeOf } from "../../python/callee.ts";
import { stringValue } from "../../python/literals.ts";
import { argumentsOf, dottedText, type PythonNames } from "../../python/names.ts";
import { textOf } from "../../syntax/source_tree.ts";
import { child, type SyntaxNode } from "../../syntax/tree.ts";

/**
 * `tool:<parameter>` comes from a tool's caller, `env` is the whole environment, `credential` a file
 * that holds keys, `network` what a request answered, `encoded` what was decoded.
 */
export type Label = string;

/** Labels of variables, by dotted text (`x`, `self.x`). */
export type Scope = Map<string, Set<Label>>;

/** What expressions are read with. */
export interface Reader {
  names: PythonNames;
  /** Labels that a function of the project gives its result by itself. */
  returned(name: string): Iterable<Label>;
}

/** Results that are no longer the caller's text: numbers, truth, quoted or checked words. */
const CLEAN =
  /^(int|float|bool|len|ord|hash|abs|round|sum|isinstance|id|type|range|uuid\.UUID|shlex\.quote|pipes\.quote|re\.escape|os\.path\.basename|os\.path\.exists|os\.path\.isfile|os\.path\.isdir|secure_filename|werkzeug\.utils\.secure_filename|hashlib\.\w+|urllib\.parse\.quote|urllib\.parse\.quote_plus|datetime\..*|date\.fromisoformat|ipaddress\..*)$/;
const CLEAN_METHOD =
  /\.(isalnum|isdigit|isnumeric|isidentifier|startswith|endswith|exists|is_file|is_dir|count|index|find|hexdigest|digest)$/;
const DECODE =
  /^(base64\.(b64decode|b32decode|b16decode|b85decode|a85decode|urlsafe_b64decode|decodebytes)|bytes\.fromhex|binascii\.(unhexlify|a2b_base64)|codecs\.decode|zlib\.decompress|bz2\.decompress|lzma\.decompress|gzip\.decompress|marshal\.loads)$/;
const FETCH =
  /^(requests\.(get|post|request)|httpx\.(get|post|request|stream)|urllib\.request\.urlopen)$/;
const SENSITIVE =
  /(^|\/|~\/)(\.ssh(\/|$)|id_rsa|id_ed25519|\.aws\/credentials|\.netrc|\.pgpass|\.docker\/config\.json|\.kube\/config|\.git-credentials|\.npmrc|\.pypirc|\.bash_history|\.zsh_history)|^\/etc\/(shadow|passwd|sudoers)$|\/proc\/self\/environ|(Login Data|Cookies|key[34]\.db|logins\.json|wallet\.dat)$|\/(Chrome|Chromium|google-chrome|chromium|Microsoft Edge|BraveSoftware|Firefox|\.mozilla|Safari)\/.{0,100}(History|places\.sqlite|History\.db|Web Data|Bookmarks)$/;

const NO_SECRET =
  /\.ssh\/(known_hosts\w*|config)$|[,;(:]\s|\s(for|from|in|to|the|of|and)\s|^[^/\\]*\sCookies$/;

/** Calls whose result still holds all of their arguments. */
const SHAPES =
  /^(dict|str|list|tuple|repr|bytes|sorted|json\.dumps|pprint\.pformat|base64\.\w+|urllib\.parse\.urlencode|zlib\.compress|gzip\.compress|copy\.(copy|deepcopy)|bytes)$|\.(format|join|encode|decode|copy|items|values|read|readlines|read_text|read_bytes|strip|splitlines|update|append)$/;
const SECRET = new Set<Label>(["env", "credential"]);

/** Whether a path names a file that holds somebody's keys. */
export function isSensitivePath(path: string): boolean {
  // Which hosts are known is no secret, and a sentence is no path.
  return path.length < 500 && SENSITIVE.test(path) && !NO_SECRET.test(path);
}

/** Whether an expression names a sensitive file literally, itself or in its parts. */
export function namesSensitiveFile(names: PythonNames, node: SyntaxNode): boolean {
  const stack = [node];
  for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
    const value = stringValue(names.tree.text, at) ??
      (at.type === "identifier" ? names.constants.get(textOf(names.tree, at)) ?? null : null);
    if (value !== null && isSensitivePath(value)) return true;
    stack.push(...at.children);
  }
  return false;
}

function isWholeEnvironment(names: PythonNames, node: SyntaxNode): boolean {
  if (node.type !== "attribute" && node.type !== "identifier") return false;
  const callee = calleeOf(names, node);
  if (callee?.name !== "os.environ" && callee?.name !== "environ") return false;
  const up = node.parent;
  // One variable of it is what servers need: os.environ["API_KEY"], os.environ.get("API_KEY").
  if (up?.type === "subscript" && child(up, "value") === node) return false;
  if (up?.type === "comparison_operator") return false;
  if (up?.type === "attribute") {
    const method = child(up, "attribute");
    return method !== null && /^(copy|items|values)$/.test(textOf(names.tree, method));
  }
  return true;
}

/** Adds the labels of an expression's value to `found`. */
export function labelsOf(
  reader: Reader,
  scope: Scope,
  expression: SyntaxNode,
  found: Set<Label> = new Set(),
): Set<Label> {
  const { names } = reader;
  const stack = [expression];
  const push = (node: SyntaxNode | null) => node !== null && stack.push(node);
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    if (node.type === "comparison_operator" || node.type === "not_operator") continue;
    if (node.type === "identifier" || node.type === "attribute") {
      if (isWholeEnvironment(names, node)) found.add("env");
      const dotted = dottedText(names.tree, node);
      if (dotted !== null) { for (const label of scope.get(dotted) ?? []) found.add(label); }
      if (node.type === "attribute" && !isBaseName(names, node)) push(child(node, "object"));
      continue;
    }
    if (node.type === "subscript") {
      // A table looked up with the caller's word holds the author's values.
      const table = child(node, "value");
      if (table !== null) addEntry(reader, scope, table, found);
      continue;
    }
    if (node.type === "conditional_expression") {
      // `a if condition else b`: the condition's value is not part of the result.
      push(node.children[0] ?? null);
      push(node.children.at(-1) ?? null);
      continue;
    }
    if (node.type === "keyword_argument" || node.type === "pair") {
      push(child(node, "value"));
      continue;
    }
    if (node.type === "call") {
      ofCall(reader, scope, node, found, stack);
      continue;
    }
    stack.push(...node.children);
  }
  return found;
}

/** One entry of a table carries its labels, but one variable is not the whole environment. */
function addEntry(reader: Reader, scope: Scope, table: SyntaxNode, found: Set<Label>): void {
  for (const label of labelsOf(reader, scope, table)) if (label !== "env") found.add(label);
}

/** `path.name` is a name without folders. */
function isBaseName(names: PythonNames, node: SyntaxNode): boolean {
  const attribute = child(node, "attribute");
  return attribute !== null && /^(name|stem|suffix)$/.test(textOf(names.tree, attribute));
}

function ofCall(
  reader: Reader,
  scope: Scope,
  node: SyntaxNode,
  found: Set<Label>,
  stack: SyntaxNode[],
): void {
  const { names } = reader;
  const callee = child(node, "function");
  if (callee === null) return;
  const name = calleeOf(names, callee)?.name ?? "";
  for (const label of reader.returned(name)) found.add(label);
  if (CLEAN.test(name) || CLEAN_METHOD.test(name)) return;
  if (DECODE.test(name)) found.add("encoded");
  if (FETCH.test(name)) found.add("network");
  if (/^(open|io\.open)$|(^|\.)Path$/.test(name)) {
    const [first] = argumentsOf(names.tree, node).positional;
    if (first !== undefined && namesSensitiveFile(names, first)) found.add("credential");
  }
  if (callee.type === "attribute") {
    const method = child(callee, "attribute");
    const object = child(callee, "object");
    // `.get(key)` gives what was stored, not the key.
    if (method !== null && object !== null && textOf(names.tree, method) === "get") {
      return addEntry(reader, scope, object, found);
    }
    if (object !== null) stack.push(object);
  }
  const list = child(node, "arguments");
  if (list === null) return;
  if (SHAPES.test(name)) {
    stack.push(...list.children);
    return;
  }
  // What an unknown call makes of the environment (a process, a client) is no copy of it.
  for (const each of list.children) {
    for (const label of labelsOf(reader, scope, each)) if (!SECRET.has(label)) found.add(label);
  }
}
