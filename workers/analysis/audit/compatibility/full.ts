/**
 * What no profile of the interpreter has, and which environment variables the code reads: what a
 * server's user can know before running it.
 *
 * @module
 */
import { stringValue } from "../../python/values/literals.ts";
import { argumentsOf, importNode, type PythonNames, resolve } from "../../python/names.ts";
import { nodeTypes } from "../../syntax/node_types.ts";
import { type SourceTree, textOf } from "../../syntax/source_tree.ts";
import { ancestor, child, named, type SyntaxNode, walk } from "../../syntax/tree.ts";
import { inOrder, type Refused } from "./compatibility.ts";
import { reachedBy } from "./reached.ts";
import { isForCheckers } from "../../python/reach/start_imports.ts";
import { BINARY_PACKAGES, HINTS, NATIVE_LOADERS } from "./table.ts";

const CALL_NODES = nodeTypes("call");
const READS = nodeTypes("call", "subscript");

/** An environment variable that the code reads. */
export interface ReadVariable {
  name: string;
  /** Whether the code fails without it: it is read by index, and not in a `try`. */
  required: boolean;
  /** What texts say of it. */
  description?: string;
  secret?: boolean;
  default?: string;
  choices?: string[];
  /** Of a key: where it seems to be sent. */
  hosts?: string[];
  file: string;
  line: number;
}

/** Compiled packages that the full profile has for the interpreter's platform, or a stand-in of. */
const COMPILED_FOR_FULL = new Set(
  "pydantic_core uvloop orjson ormsgpack greenlet asyncpg psycopg2".split(" "),
);

const [PROCESS, THREAD, SOCKET] = [
  "a server runs inside the interpreter: do it in Python",
  "use threading.Thread or an executor",
  "use requests or httpx",
];
const HINT_OF = { process: PROCESS, socket: SOCKET };

/** Calls that raise in every profile: what they are, and what to use instead. */
const CALLS: [pattern: RegExp, what: string, hint: string][] = [
  [
    /^subprocess\.(run|Popen|call|check_call|check_output|getoutput|getstatusoutput)$/,
    "process",
    PROCESS,
  ],
  [/^os\.(system|popen|fork|forkpty|exec\w+|spawn\w+|posix_spawnp?)$/, "process", PROCESS],
  [/^asyncio\.create_subprocess_(exec|shell)$/, "process", PROCESS],
  [/^multiprocessing\.(\w+\.)?(Process|Manager)$/, "process", PROCESS],
  [/^pty\.(spawn|fork)$/, "process", PROCESS],
  [/^_thread\.start_(new|joinable)_thread$/, "thread", THREAD],
  [/^socket\.(socket|create_connection|create_server)$/, "socket", SOCKET],
  [/^asyncio\.(open_connection|start_server|open_unix_connection)$/, "socket", SOCKET],
  [
    /^(smtplib\.SMTP(_SSL)?|ftplib\.FTP(_TLS)?|imaplib\.IMAP4(_SSL)?|poplib\.POP3(_SSL)?)$/,
    "socket",
    SOCKET,
  ],
];

const IMPORTS_MAX = 1000;
const NAME_MAX = 200;

function isTried(node: SyntaxNode): boolean {
  for (let at = node.parent; at !== null; at = at.parent) {
    if (at.type === "try_statement") return true;
    if (at.type === "function_definition" || at.type === "class_definition") return false;
  }
  return false;
}

/** Whether an import waits until a function is called: a server starts without what it names. */
function isLate(tree: SourceTree, node: SyntaxNode): boolean {
  return ancestor(node, "function_definition", "lambda") !== null && !isForCheckers(tree, node);
}

/** Name of the innermost function around a node, as an object to spread. */
function within(tree: SourceTree, node: SyntaxNode): { within?: string } {
  const around = ancestor(node, "function_definition");
  const name = around === null ? null : child(around, "name");
  return name === null ? {} : { within: textOf(tree, name).slice(0, NAME_MAX) };
}

/** What fails in every profile, of a module. */
export function* missingIn(names: PythonNames): Generator<Refused> {
  const at = (node: SyntaxNode, construct: string, hint: string): Refused => ({
    construct,
    file: names.tree.path,
    line: names.tree.lineAt(node.start),
    hint,
    ...within(names.tree, node),
  });
  for (const each of names.imports.slice(0, IMPORTS_MAX)) {
    const { module, level } = each;
    const top = module.split(".")[0]!;
    const node = importNode(names, each);
    // What is tried has another way.
    if (level > 0 || isTried(node)) continue;
    if (NATIVE_LOADERS.has(top)) yield at(node, `C extension (${top})`, HINTS.loader);
    else if (BINARY_PACKAGES.has(top) && !COMPILED_FOR_FULL.has(top)) {
      yield at(node, `binary wheel (${top})`, HINTS.wheel);
    } else if (isLate(names.tree, node)) yield at(node, `package (${top})`, HINTS.late);
  }
  for (const node of walk(names.tree.root, CALL_NODES)) {
    const callee = child(node, "function");
    const dotted = callee === null ? null : resolve(names, callee);
    if (dotted === null) continue;
    const found = CALLS.find(([pattern]) => pattern.test(dotted));
    const [first] = argumentsOf(names.tree, node).positional;
    const address = first === undefined ? null : stringValue(names.tree.text, first);
    const reached = found === undefined ? reachedBy(dotted, address) : null;
    if (found !== undefined) yield at(node, `${found[1]} (${dotted})`, found[2]);
    if (reached !== null) yield at(node, `${reached} (${dotted})`, HINT_OF[reached]);
  }
}

const PACKAGE_CALL = /^(?:process|socket) \((\w+)\./;

/** Whether a construct is of a module of the repository, which only has the name of a package. */
export function isOwnCall(
  { construct, file }: Refused,
  files: { has(path: string): boolean },
): boolean {
  const top = PACKAGE_CALL.exec(construct)?.[1];
  if (top === undefined) return false;
  const places = ["", "src/", file.slice(0, file.lastIndexOf("/") + 1)];
  return places.some((place) =>
    files.has(`${place}${top}.py`) || files.has(`${place}${top}/__init__.py`)
  );
}

const DEFAULT_MAX = 1000;
const VARIABLE = /^[A-Za-z_][A-Za-z0-9_]{0,127}$/;

/** Variables that a module reads. */
export function* variablesIn(names: PythonNames): Generator<ReadVariable> {
  const read = (node: SyntaxNode, argument: SyntaxNode | undefined, required: boolean) => {
    const name = argument === undefined ? null : stringValue(names.tree.text, argument);
    if (name === null || !VARIABLE.test(name)) return null;
    return { name, required, file: names.tree.path, line: names.tree.lineAt(node.start) };
  };
  for (const node of walk(names.tree.root, READS)) {
    let found: ReadVariable | null = null;
    if (node.type === "call") {
      const callee = child(node, "function");
      const dotted = callee === null ? null : resolve(names, callee);
      if (dotted === "os.getenv" || dotted === "os.environ.get") {
        const [key, fallback] = argumentsOf(names.tree, node).positional;
        found = read(node, key, false);
        const value = fallback === undefined ? null : stringValue(names.tree.text, fallback);
        if (found !== null && value) found.default = value.slice(0, DEFAULT_MAX);
      }
    } else {
      const value = child(node, "value");
      const target = node.parent?.type === "assignment" && child(node.parent, "left") === node;
      if (value !== null && !target && resolve(names, value) === "os.environ") {
        const index = named(node).find((each) => each !== value);
        found = read(node, index, !isTried(node));
      }
    }
    if (found !== null) yield found;
  }
}

/** Variables of several modules, each where it is first read; required if it is so anywhere. */
export function onceAName(variables: Iterable<ReadVariable>): ReadVariable[] {
  const found = new Map<string, ReadVariable>();
  for (const each of variables) {
    const known = found.get(each.name);
    if (known === undefined) found.set(each.name, { ...each });
    else {
      known.required ||= each.required;
      if (each.default !== undefined) known.default ??= each.default;
    }
  }
  return inOrder(found.values());
}

/** Constructs without what says again that a package is imported later. */
export function onceAPackage(constructs: readonly Refused[]): Refused[] {
  const known = new Set<string>();
  return constructs.filter(({ construct }) => {
    const isKnown = known.has(construct);
    if (construct.startsWith("package (")) known.add(construct);
    return !isKnown;
  });
}
