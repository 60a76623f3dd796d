/**
 * Reads the Python files of packages for malice: what steals, hides what it runs, or runs what
 * somebody sends. Style and faults are the package's own business. Libraries do much that servers do
 * not, so only what none of them has a reason for counts.
 *
 * @module
 */
import { gunzipSync } from "node:zlib";
import { Flow } from "../audit/flow/flow.ts";
import { CREDENTIALS, ENCODED_CODE, ENVIRONMENT, REMOTE_CODE } from "../audit/flow/flow_rules.ts";
import { KeptSecrets } from "../audit/flow/files/kept_secrets.ts";
import { writtenFiles } from "../audit/flow/files/written.ts";
import { functionFinder } from "../audit/flow/functions.ts";
import { judge } from "../audit/flow/judge.ts";
import { Scope } from "../audit/flow/scope.ts";
import { pythonDestroys } from "../audit/python/destroys.ts";
import { pythonMalice } from "../audit/python/malice.ts";
import { pythonPatterns } from "../audit/python/patterns.ts";
import { tellTaleStrings } from "../audit/python/strings.ts";
import { pythonWatching } from "../audit/python/watching.ts";
import { inReportOrder, type RawFinding } from "../finding.ts";
import { moduleNames, namesIn, type PythonNames } from "../python/names.ts";
import { embeddedSources, MAX_EMBEDDED_DEPTH, reportedPlace } from "../python/reach/embedded.ts";
import { embeddedDepth } from "../python/reach/embedded_paths.ts";
import { linkExports } from "../python/reach/exports.ts";
import { loadsOf } from "../python/reach/loads.ts";
import { readNodes } from "../python/reach/module_nodes.ts";
import { linkModules } from "../python/values/elsewhere.ts";
import type { Source } from "../sources.ts";
import { nodeTypes } from "../syntax/node_types.ts";
import { parseSource, sourceTree } from "../syntax/source_tree.ts";
import { child, walk } from "../syntax/tree.ts";
import { isCutOut } from "./cut_out.ts";

/** A packed package that is to be read. */
export interface ToRead {
  name: string;
  /** Its content, as `pack.ts` makes it, among the files of the request. */
  file: string;
}

/** Malice that was found in a package, and what of it was left out. */
export interface Reading {
  name: string;
  /** The worst findings, at most {@link MAX_FINDINGS}; files are paths as they are imported. */
  findings: RawFinding[];
  /** Python files that were not read: they are too many, too large, or cannot be parsed. */
  unread: string[];
}

/** What counts in a package. */
const COUNTS: ReadonlySet<string> = new Set([
  ...[CREDENTIALS, ENCODED_CODE, ENVIRONMENT, REMOTE_CODE].map(({ id }) => id),
  "py/key-sent",
  "py/reverse-shell",
  "py/web-shell",
  "py/home-destroyed",
  "py/hostile-start",
  "py/persistence",
  "py/watching",
  "py/executable-memory",
  "py/hidden-recipient",
]);
/** Test runners put something in the place of standard input too: without these it is no shell. */
const CONNECTS = /\.connect(_ex)?\(|create_connection\(/;
const STARTS = /\bpty\b|\/bin\/\w*sh\b|\bsubprocess\b|\bsystem\(|popen|cmd\.exe|powershell/;
/** Modules through which text leaves a machine. */
const NETWORK =
  "_?socket|socketserver|ssl|requests|httpx|aiohttp|urllib\\.request|urllib3|http\\.client|websockets?|smtplib|ftplib|asyncio|paramiko|pycurl|zmq";
const IMPORTED = new RegExp(`^(${NETWORK})(\\.|$)`);
/** One that is imported by its name as a text. */
const NAMED = new RegExp(`["'](${NETWORK})["']`);
const MAX_FINDINGS = 20;
const MAX_UNREAD = 20;
const MAX_UNPACKED = 160 * 2 ** 20;
/** Bytes of source that are read of a package; of larger ones only what can act. */
const MAX_BYTES = 6 * 2 ** 20;
/** Without any of these words a module neither reaches out of itself nor runs text. */
const ACTS =
  /\b(exec|eval|compile|__import__|importlib|open|environ\w*|getenv|subprocess|popen|system|pty|socket|urllib\d?|urlopen|requests|httpx|aiohttp|smtplib|ftplib|ctypes|pickle|marshal|base64|b64\w+|codecs|zlib|binascii|builtins|globals|locals|vars|__subclasses__|__globals__|runpy|shutil|pathlib)\b|\bhttp\b(?!s?:)|sys\.modules/;
const FUNCTIONS = nodeTypes("function_definition");
const latin1 = new TextDecoder("latin1");

/** The Python files of a packed package. */
function sourcesOf(content: Uint8Array, name: string): Source[] {
  const whole = gunzipSync(content, { maxOutputLength: MAX_UNPACKED });
  const length = new DataView(whole.buffer, whole.byteOffset).getUint32(0, true);
  const list: [string, number][] = JSON.parse(
    new TextDecoder().decode(whole.subarray(4, 4 + length)),
  );
  const folder = `/lib/packages/${name}/`;
  const sources: Source[] = [];
  let at = 4 + length;
  for (const [path, size] of list) {
    const bytes = whole.subarray(at, at + size);
    at += size;
    if (!path.endsWith(".py")) continue;
    const short = path.startsWith(folder) ? path.slice(folder.length) : path;
    sources.push({ path: short, grammar: "python", role: "source", bytes });
  }
  return sources;
}

/** What is read of a package within the bound, and what is left. */
function chosen(sources: readonly Source[]): { read: Source[]; left: Source[] } {
  const total = sources.reduce((sum, { bytes }) => sum + bytes.length, 0);
  if (total <= MAX_BYTES) return { read: [...sources], left: [] };
  const acting = sources.filter(({ bytes }) => ACTS.test(latin1.decode(bytes)))
    .toSorted((a, b) => a.bytes.length - b.bytes.length);
  let room = MAX_BYTES;
  const read = acting.filter(({ bytes }) => (room -= bytes.length) >= 0);
  return { read, left: acting.slice(read.length) };
}

interface Modules {
  modules: Map<string, PythonNames>;
  lastLines: Map<string, number>;
  unread: string[];
}

/** Parses files, and the literal texts that they run. */
async function parsed(sources: readonly Source[]): Promise<Modules> {
  const found: Modules = { modules: new Map(), lastLines: new Map(), unread: [] };
  const left = [...sources];
  for (let source = left.shift(); source !== undefined; source = left.shift()) {
    const parsed = await parseSource(source);
    if (typeof parsed === "string") {
      found.unread.push(source.path);
      continue;
    }
    // Python that no interpreter compiles does nothing.
    if (parsed.broken) continue;
    const tree = await sourceTree(parsed);
    const names = namesIn(tree, moduleNames(tree));
    found.modules.set(source.path, names);
    if (embeddedDepth(source.path) >= MAX_EMBEDDED_DEPTH) continue;
    for (const { source: text, last } of embeddedSources(names, loadsOf(names))) {
      found.lastLines.set(text.path, last);
      left.push(text);
    }
  }
  return found;
}

/** Whether a module can reach the network by itself, whatever its documentation mentions. */
function knowsNetwork({ imports, tree }: PythonNames): boolean {
  return imports.some(({ module, name }) =>
    IMPORTED.test(module) || IMPORTED.test(`${module}.${name}`)
  ) || NAMED.test(tree.text);
}

/** `signal.send(sender, environ=…)`: a method of that name, in a file that knows of no network. */
function isSignal(
  { rule, file, line }: RawFinding,
  modules: ReadonlyMap<string, PythonNames>,
): boolean {
  const names = modules.get(file);
  return rule === ENVIRONMENT.id && names !== undefined && !knowsNetwork(names) &&
    /\.send\w*\(/.test(names.tree.text.split("\n")[line - 1] ?? "");
}

/** What each file shows by itself. */
function ofFile(names: PythonNames): RawFinding[] {
  const nodes = readNodes(names);
  const { text } = names.tree;
  const isShell = CONNECTS.test(text) && STARTS.test(text);
  return [
    ...pythonPatterns(names, nodes).filter(({ rule, severity }) =>
      isShell || rule !== "py/reverse-shell" || severity === "critical"
    ),
    ...pythonMalice(names, nodes),
    ...pythonWatching(names, nodes),
    ...pythonDestroys(names, nodes),
    ...tellTaleStrings(names.tree, nodes.of("string")),
  ];
}

/** What secrets, decoded texts and answers reach, through all files of the package. */
function flowing(modules: ReadonlyMap<string, PythonNames>): RawFinding[] {
  const findings: RawFinding[] = [];
  const written = writtenFiles({ trustsDigests: true });
  const kept = new KeptSecrets();
  linkExports(modules);
  const functions = functionFinder(modules);
  linkModules(modules.values(), functions.findModule);
  const flow = new Flow(functions, (call) => {
    written.observe(call);
    kept.observe(call);
    const finding = judge(call);
    if (finding !== null) findings.push(finding);
  });
  for (const names of modules.values()) {
    const { root } = names.tree;
    flow.follow(names, root, new Scope());
    for (const node of walk(root, FUNCTIONS)) flow.follow(names, child(node, "body")!, new Scope());
  }
  flow.finish();
  return [...findings, ...written.findings(), ...kept.findings()];
}

/** What is no malice, and still nothing to rely on. */
function weighed(finding: RawFinding, modules: ReadonlyMap<string, PythonNames>): RawFinding {
  return finding.rule === REMOTE_CODE.id && isCutOut(finding, modules)
    ? { ...finding, severity: "medium" }
    : finding;
}

/** Looks for malice in all Python files of a package. @param content As `pack.ts` makes it. */
export async function readPackage(content: Uint8Array, name: string): Promise<Reading> {
  const { read, left } = chosen(sourcesOf(content, name));
  const { modules, lastLines, unread } = await parsed(read);
  const all = [...[...modules.values()].flatMap(ofFile), ...flowing(modules)]
    .filter((each) => COUNTS.has(each.rule) && !isSignal(each, modules)).map((each) =>
      reportedPlace(each, lastLines)
    );
  const key = ({ rule, file, line }: RawFinding) => `${rule}\0${file}\0${line}`;
  const once = [...new Map(all.map((each) => [key(each), weighed(each, modules)])).values()];
  return {
    name,
    findings: inReportOrder(once, MAX_FINDINGS),
    unread: [...unread, ...left.map(({ path }) => path)].slice(0, MAX_UNREAD),
  };
}
