/**
 * What ruff does not see in a call: hidden calls of dangerous functions, asynchronous shells, other
 * unpicklers, switched-off checks.
 *
 * @module
 */
import type { RawFinding, Severity } from "../../finding.ts";
import type { Callee } from "../../python/calls/callee_type.ts";
import { stringValue } from "../../python/values/literals.ts";
import type { ModuleNodes } from "../../python/reach/module_nodes.ts";
import { type CallArguments, type PythonNames, resolve } from "../../python/names.ts";
import { sinkOf } from "../../python/calls/sinks.ts";
import { textOf } from "../../syntax/source_tree.ts";
import { child, type SyntaxNode } from "../../syntax/tree.ts";
import { isSensitivePath } from "../flow/sensitive_files.ts";
import { HIDDEN_CALL } from "./hidden.ts";
import { report, type Rule, rule } from "../rule.ts";
import { isOption, isOwnToken, keepsChain } from "./chosen_checks.ts";

const RULES = {
  hidden: HIDDEN_CALL,
  alias: rule(
    "py/aliased-call",
    "medium",
    78,
    "Call the function by its name, so that people and scanners see it",
  ),
  asyncShell: rule(
    "py/async-shell",
    "medium",
    78,
    "Use asyncio.create_subprocess_exec with a list of arguments",
  ),
  pickle: rule(
    "py/unsafe-pickle",
    "medium",
    502,
    "Use JSON or another format that cannot run code",
  ),
  yaml: rule("py/unsafe-yaml", "medium", 20, "Use yaml.safe_load"),
  jwt: rule("py/jwt-unverified", "high", 347, "Verify the signature before trusting the claims"),
  tls: rule("py/tls-unverified", "high", 295, "Leave certificate and host name checks on"),
  compile: rule("py/compile", "low", 95, "Parse the expected values instead of compiling text"),
  dynamicImport: rule(
    "py/dynamic-import",
    "low",
    829,
    "Import modules by name, or choose from a fixed list",
  ),
  archive: rule("py/unpack-archive", "low", 22, "Check the path of every entry before unpacking"),
  model: rule("py/model-loading", "medium", 502, "Load weights only (weights_only=True)"),
  download: rule(
    "py/unpinned-model",
    "medium",
    494,
    "Pin the revision, so that the reviewed version is loaded",
  ),
  oldTls: rule(
    "py/old-tls",
    "medium",
    327,
    "Use ssl.create_default_context(), which negotiates TLS 1.2 or newer",
  ),
  reverseShell: rule(
    "py/reverse-shell",
    "high",
    506,
    "Remove it: no legitimate server gives a remote machine a shell",
  ),
  sensitive: rule("py/sensitive-file", "high", 552, "Do not read the user's keys and histories"),
  cipher: rule("py/weak-cipher", "medium", 327, "Use AES-GCM or ChaCha20-Poly1305"),
} as const satisfies Record<string, Rule>;

const PICKLES =
  /^(dill|cloudpickle|joblib|jsonpickle|pandas\.read_pickle|marshal)(\.|$)|^(pd|pandas)\.read_pickle$/;

interface Called {
  names: PythonNames;
  node: SyntaxNode;
  callee: Callee;
  given: CallArguments;
}

type Hit = { rule: Rule; title: string; severity?: Severity } | null;

const isLiteral = ({ names, given }: Called): boolean =>
  given.positional[0] !== undefined &&
  stringValue(names.tree.text, given.positional[0]) !== null;

const keyword = ({ names, given }: Called, key: string): string => {
  const value = given.keywords.get(key);
  return value === undefined ? "" : textOf(names.tree, value);
};

/** What opens a C library. */
const C_LIBRARY = /^ctypes\.\w*(DLL|dll\.LoadLibrary)$/;

function hidden({ callee }: Called): Hit {
  const kind = sinkOf(callee.name);
  if (callee.detour === null || kind === null) return null;
  if (!["shell", "process", "code", "pickle"].includes(kind)) return null;
  // Loaders of C libraries that only one system has are looked up for the type checkers' sake; what
  // they load is judged wherever it is called.
  if (C_LIBRARY.test(callee.name)) return null;
  if (/^(alias|partial|table)$/.test(callee.detour)) {
    return { rule: RULES.alias, title: `${callee.name} is called under another name` };
  }
  if (callee.detour === "star") {
    const severity: Severity = kind === "process" ? "low" : "medium";
    return { rule: RULES.alias, title: `${callee.name} comes from a star import`, severity };
  }
  const way = callee.detour === "getattr"
    ? "getattr"
    : callee.detour === "import"
    ? "a computed import"
    : "a namespace";
  return { rule: RULES.hidden, title: `${callee.name} is called through ${way}` };
}

/** What a call downloads, as written; null when it does not say. */
function downloaded({ names, given }: Called): string | null {
  const keys = ["repo_id", "path", "pretrained_model_name_or_path", "model_id"];
  const what = given.positional.find(({ type }) => type !== "dictionary_splat") ??
    keys.map((key) => given.keywords.get(key)).find((each) => each !== undefined);
  return what === undefined ? null : textOf(names.tree, what);
}

/** A download of a model whose revision the call does not fix. */
function unpinned(called: Called): Hit {
  const what = downloaded(called);
  const revision = keyword(called, "revision");
  if (what === null || /^["'](\.|\/)/.test(what) || /^["'][0-9a-f]{7,40}["']$/.test(revision)) {
    return null;
  }
  // Names a model that stays with its service.
  if (called.callee.name.startsWith("vertexai.")) return null;
  // `**options` may bring the revision along, as may a variable.
  const open = called.given.positional.some(({ type }) => type === "dictionary_splat") ||
    /^[A-Za-z_]/.test(revision) && revision !== "None";
  const trusted = keyword(called, "trust_remote_code") === "True";
  const severity: Severity = trusted ? "high" : open ? "low" : "medium";
  return {
    rule: RULES.download,
    title: "A model is downloaded without a fixed revision",
    severity,
  };
}

/** `log.fileno()` of what `open` gave: how daemons put their output into a file. */
function isOpenedFile(names: PythonNames, descriptor: SyntaxNode): boolean {
  const object = textOf(names.tree, descriptor).replace(/\.fileno\(\)$/, "");
  const made = names.calls.get(object);
  const maker = made === undefined ? null : child(made, "function");
  return /(^|\b)open\b/.test(maker === null ? object : textOf(names.tree, maker)) ||
    /^sys\.(__)?std(in|out|err)/.test(object);
}

function byName(called: Called): Hit {
  const { callee: { name }, given } = called;
  if (/(^|\.)create_subprocess_shell$/.test(name)) {
    const severity = isLiteral(called) ? "low" : "medium";
    return { rule: RULES.asyncShell, title: "A shell is started asynchronously", severity };
  }
  if (PICKLES.test(name) && /(load|loads|decode|read_pickle)$/.test(name)) {
    return { rule: RULES.pickle, title: `${name} runs code contained in the data` };
  }
  if (/^(numpy|np)\.load$/.test(name) && keyword(called, "allow_pickle") === "True") {
    return {
      rule: RULES.pickle,
      title: "numpy.load with allow_pickle runs code contained in the data",
    };
  }
  if (/^yaml\.(unsafe_load|unsafe_load_all|full_load|full_load_all)$/.test(name)) {
    return { rule: RULES.yaml, title: `${name} creates arbitrary objects` };
  }
  if (/^(jwt|jose\.jwt)\.decode$/.test(name)) {
    const options = keyword(called, "options") + keyword(called, "verify");
    if (/["']?verify_signature["']?\s*[:=]\s*False|^False$/.test(options)) {
      const title = "A token is decoded without checking its signature";
      const [token] = given.positional;
      const own = token !== undefined && isOwnToken(called.names, token);
      return { rule: RULES.jwt, title, severity: own ? "low" : RULES.jwt.severity };
    }
  }
  if (name === "compile" && given.positional.length >= 3 && !isLiteral(called)) {
    return { rule: RULES.compile, title: "Text is compiled to code" };
  }
  if ((name === "importlib.import_module" || name === "__import__") && !isLiteral(called)) {
    return { rule: RULES.dynamicImport, title: "A module is imported by a computed name" };
  }
  if (name === "shutil.unpack_archive") {
    return { rule: RULES.archive, title: "An archive is unpacked without checking its entries" };
  }
  if (name === "torch.load" && keyword(called, "weights_only") !== "True") {
    return { rule: RULES.model, title: "torch.load runs code contained in the file" };
  }
  if (/(^|\.)(from_pretrained|hf_hub_download|snapshot_download|load_dataset)$/.test(name)) {
    const hit = unpinned(called);
    if (hit !== null) return hit;
  }
  const [from] = given.positional;
  if (
    name === "os.dup2" && from !== undefined &&
    /\.fileno\(\)$/.test(textOf(called.names.tree, from)) && !isOpenedFile(called.names, from)
  ) {
    return { rule: RULES.reverseShell, title: "A connection becomes standard input or output" };
  }
  if (/\.algorithms\.(ARC4|CAST5|SEED|TripleDES|IDEA|Blowfish)$/.test(name)) {
    return { rule: RULES.cipher, title: `${name.split(".").at(-1)} is broken or too weak` };
  }
  const version = keyword(called, "ssl_version") + keyword(called, "method");
  if (/\b(PROTOCOL_)?(SSLv2|SSLv3|SSLv23|TLSv1|TLSv1_1)(_METHOD)?$/.test(version)) {
    const severity = /^(OpenSSL\.)?SSL\.Context$|^ssl\./.test(name) ? "high" : "medium";
    return { rule: RULES.oldTls, title: `${version} is broken`, severity };
  }
  if (
    /(^|\.)(TCPConnector|create_connection)$/.test(name) &&
    (keyword(called, "ssl") === "False" || keyword(called, "verify_ssl") === "False")
  ) {
    return { rule: RULES.tls, title: "Certificates are not checked" };
  }
  return null;
}

/** Settings that the clients of a service read by themselves. What is sent away is told apart. */
const OF_SERVICE: readonly [file: RegExp, service: RegExp][] = [
  [/\.aws\//, /aws|boto/i],
  [/\.kube\//, /k8s|kube|helm/i],
  [/\.docker\//, /docker|podman|container/i],
  [/\.npmrc$/, /npm/i],
  [/\.pypirc$/, /pypi/i],
];

function sensitive({ names, callee, given, node }: Called): RawFinding | null {
  if (!/^(open|io\.open|codecs\.open)$|(^|\.)(Path|expanduser|read_text)$/.test(callee.name)) {
    return null;
  }
  const [first] = given.positional;
  const path = first === undefined ? null : stringValue(names.tree.text, first);
  if (path === null || !isSensitivePath(path)) return null;
  // /etc/passwd holds no passwords, but it is what every proof of concept reads.
  const own = OF_SERVICE.some(([file, service]) =>
    file.test(path) && (service.test(names.tree.path) ||
      names.imports.some(({ module }) => service.test(module)))
  );
  const severity = own ? "medium" : RULES.sensitive.severity;
  return report(RULES.sensitive, names.tree, node, `${JSON.stringify(path)} is opened`, severity);
}

/** Variables that switch checks off for whatever reads them, by the value that does so. */
const SWITCHES: readonly (readonly [variable: RegExp, value: RegExp])[] = [
  [/\b(PYTHONHTTPSVERIFY|NODE_TLS_REJECT_UNAUTHORIZED)\b/, /^["']0["']$/],
  [/\b(CURL_CA_BUNDLE|REQUESTS_CA_BUNDLE)\b/, /^["']{2}$/],
];

/** `ctx.check_hostname = False`, `ctx.verify_mode = ssl.CERT_NONE`, and no checks for all that connects. */
function switchedOff(names: PythonNames, node: SyntaxNode): RawFinding | null {
  const left = child(node, "left");
  const right = child(node, "right");
  const attribute = left?.type === "attribute" ? child(left, "attribute") : null;
  const entry = left?.type === "subscript" ? child(left, "subscript") : null;
  if (attribute === null && entry === null || right === null) return null;
  const name = textOf(names.tree, attribute ?? entry!).replace(/^["']|["']$/g, "");
  const value = textOf(names.tree, right);
  if (entry !== null) {
    const isSwitch = SWITCHES.some(([variable, off]) => variable.test(name) && off.test(value));
    if (!isSwitch && !(name === "cert_reqs" && /\bCERT_NONE\b/.test(value))) return null;
    const severity = isOption(names, node) ? "medium" : RULES.tls.severity;
    return report(RULES.tls, names.tree, node, `${name} switches checks off`, severity);
  }
  const off = name === "cert_reqs" && /\bCERT_NONE\b/.test(value) ||
    name === "check_hostname" && value === "False" ||
    name === "verify_mode" && resolve(names, right) === "ssl.CERT_NONE" ||
    name === "_create_default_https_context" &&
      resolve(names, right) === "ssl._create_unverified_context" ||
    name === "verify" && value === "False";
  if (!off) return null;
  const lax = isOption(names, node) || name === "check_hostname" && keepsChain(names, node);
  const severity = lax ? "medium" : RULES.tls.severity;
  return report(RULES.tls, names.tree, node, `${name} is switched off`, severity);
}

/** Findings of a module that need no knowledge of values. */
export function pythonPatterns(names: PythonNames, nodes: ModuleNodes): RawFinding[] {
  const findings = nodes.of("assignment").map((node) => switchedOff(names, node));
  for (const { node, callee, given } of nodes.calls) {
    if (callee === null) continue;
    const called = { names, node, callee, given };
    findings.push(sensitive(called));
    const hit = hidden(called) ?? byName(called);
    if (hit !== null) findings.push(report(hit.rule, names.tree, node, hit.title, hit.severity));
  }
  return findings.filter((each) => each !== null);
}

/** Every rule of this module. */
export const PATTERN_RULES: readonly Rule[] = Object.values(RULES);
