/**
 * Where the value of a Python expression comes from: labels that are carried from sources through
 * assignments to sinks.
 *
 * @module
 */
import { valuesOf } from "../../python/assigned.ts";
import { calleeOf } from "../../python/callee.ts";
import { argumentsOf, dottedText, type PythonNames } from "../../python/names.ts";
import { textOf } from "../../syntax/source_tree.ts";
import { child, type SyntaxNode } from "../../syntax/tree.ts";
import { namesSensitiveFile } from "./sensitive_files.ts";

/**
 * `tool:<parameter>` comes from a tool's caller, `env` is the whole environment, `credential` a file
 * that holds keys, `keys` the path of one, `network` what a request answered, `encoded` what was decoded.
 */
export type Label = string;

/** The parameter that a value comes from, or null. */
export function toolParameter(labels: ReadonlySet<Label>): string | null {
  for (const label of labels) if (label.startsWith("tool:")) return label.slice(5);
  return null;
}

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
/** Calls whose result still holds all of their arguments. */
const SHAPES =
  /^(dict|str|list|tuple|repr|bytes|sorted|json\.dumps|pprint\.pformat|base64\.\w+|urllib\.parse\.urlencode|zlib\.compress|gzip\.compress|copy\.(copy|deepcopy)|bytes)$|\.(format|join|encode|decode|copy|items|values|read|readlines|read_text|read_bytes|strip|splitlines|update|append)$/;
const SECRET = new Set<Label>(["env", "credential", "keys"]);

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

const LISTS = /^(glob\.i?glob|os\.(listdir|scandir|walk))$|\.(iterdir|glob|rglob)$/;

const HOME =
  /^((str\()?(os\.path\.expanduser\(["']~\/?["']\)|(pathlib\.)?Path\.home\(\)|(pathlib\.)?Path\(["']~\/?["']\)\.expanduser\(\)|os\.environ\[["']HOME["']\]|os\.(getenv|environ\.get)\(["']HOME["']\))\)?|["'](\/|\/root\/?|\/home\/?)["'])$/;

/** `os.walk(home)`, `Path.home().rglob("*")`: every file of the user, keys among them. */
function takesWholeHome(
  names: PythonNames,
  call: SyntaxNode,
  name: string,
  folder: SyntaxNode,
): boolean {
  const { positional: [pattern] } = argumentsOf(names.tree, call);
  const deep = name === "os.walk" ||
    (/\.r?glob$/.test(name) && pattern !== undefined &&
      /^["'](\*\*\/)?(\*|\.\*|id_\*|\*_(rsa|key)\*?|\*\.(pem|key|env))["']$/.test(
        textOf(names.tree, pattern),
      ) && (name.endsWith(".rglob") || textOf(names.tree, pattern).includes("**")));
  if (!deep) return false;
  const meant = folder.type === "identifier" ? valuesOf(names, folder).values : [folder];
  return meant.some((each) => HOME.test(textOf(names.tree, each).replace(/\s/g, "")));
}

/** What is read of a file with keys, and the paths of those in a folder. */
function addCredential(
  reader: Reader,
  scope: Scope,
  node: SyntaxNode,
  name: string,
  found: Set<Label>,
): void {
  const { names } = reader;
  const callee = child(node, "function");
  const reads = callee?.type === "attribute" &&
      /\.\s*(read_text|read_bytes|open)$/.test(textOf(names.tree, callee))
    ? child(callee, "object")
    : null;
  const opened = /^(open|io\.open|aiofiles\.open)$|(^|\.)Path$/.test(name)
    ? argumentsOf(names.tree, node).positional[0] ?? null
    : reads;
  if (opened !== null) {
    const isKey = namesSensitiveFile(names, opened) ||
      labelsOf(reader, scope, opened).has("keys");
    if (isKey) {
      found.add(
        name.endsWith("Path") && !namesSensitiveFile(names, opened) ? "keys" : "credential",
      );
    }
    return;
  }
  if (!LISTS.test(name)) return;
  const folder = /^(glob|os)\./.test(name)
    ? argumentsOf(names.tree, node).positional[0] ?? null
    : callee?.type === "attribute"
    ? child(callee, "object")
    : null;
  const isPublic = /\.pub["']/.test(textOf(names.tree, node));
  if (folder === null || isPublic) return;
  if (namesSensitiveFile(names, folder) || takesWholeHome(names, node, name, folder)) {
    found.add("keys");
  }
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
  addCredential(reader, scope, node, name, found);
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
