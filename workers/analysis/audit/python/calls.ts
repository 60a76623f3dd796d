/**
 * What bandit reports and ruff does not: calls whose object ruff cannot follow (attributes of
 * `self`, modules imported under a condition), shells behind a variable, modes of `chmod` wrappers.
 *
 * @module
 */
import type { RawFinding, Severity } from "../../finding.ts";
import { withSpread } from "../../python/calls/spread.ts";
import { plainValue, valuesOf } from "../../python/values/assigned.ts";
import type { ModuleNodes } from "../../python/reach/module_nodes.ts";
import {
  type CallArguments,
  dottedText,
  importNode,
  type PythonNames,
} from "../../python/names.ts";
import { textOf } from "../../syntax/source_tree.ts";
import { child, named, type SyntaxNode } from "../../syntax/tree.ts";
import { report, type Rule, rule } from "../rule.ts";

const RULES = {
  shell: rule("py/shell-argument", "medium", 78, "Pass a list of arguments, without a shell"),
  hostKey: rule(
    "py/unknown-host-keys",
    "high",
    295,
    "Load the keys of known hosts and reject others (RejectPolicy)",
  ),
  unverified: rule(
    "py/request-unverified",
    "high",
    295,
    "Leave certificate checks on. For a private authority, pass the path of its certificate",
  ),
  mode: rule("py/file-mode", "medium", 732, "Give write access to the owner only (0o600, 0o700)"),
  hash: rule("py/weak-hash", "medium", 327, "Use SHA-256 or better"),
  cipher: rule("py/weak-cipher", "medium", 327, "Use AES-GCM or ChaCha20-Poly1305"),
  ecb: rule(
    "py/weak-mode",
    "medium",
    327,
    "Use an authenticated mode such as GCM: ECB reveals equal blocks",
  ),
  yaml: rule("py/unsafe-yaml", "medium", 20, "Use yaml.safe_load"),
  remote: rule("py/remote-command", "medium", 78, "Run fixed commands only"),
  xmlrpc: rule(
    "py/xmlrpc-import",
    "medium",
    20,
    "Use JSON, or defusedxml.xmlrpc: the standard parser is vulnerable to entity attacks",
  ),
} as const satisfies Record<string, Rule>;

const LITERAL_HTML: Rule = {
  id: "py/marked-safe",
  severity: "low",
  cwe: 79,
  advice: "Keep literals in templates, so that nobody adds a value later",
};

/** Nobody checks who answers a request. */
export const UNVERIFIED: Rule = RULES.unverified;

type Hit = { rule: Rule; title: string; severity?: Severity } | null;

interface Call {
  names: PythonNames;
  /** Resolved when it can be, else as written. */
  name: string;
  given: CallArguments;
}

const written = ({ names }: Call, node: SyntaxNode | undefined) =>
  node === undefined ? "" : textOf(names.tree, node);
const keyword = (call: Call, key: string) => written(call, call.given.keywords.get(key));

function shell(call: Call): Hit {
  const value = keyword(call, "shell");
  if (value === "" || /^(False|None|0|""|''|\[\]|\(\))$/.test(value)) return null;
  // ruff speaks of the standard library's own functions.
  if (/^(subprocess|os|commands|popen2)\./.test(call.name) && value === "True") return null;
  return { rule: RULES.shell, title: `${call.name} may run in a shell (shell=${value})` };
}

function hostKey(call: Call): Hit {
  if (!/\.set_missing_host_key_policy$/.test(call.name)) return null;
  const policy = written(call, call.given.positional[0] ?? call.given.keywords.get("policy"));
  if (!/\b(AutoAddPolicy|WarningPolicy)\b/.test(policy)) return null;
  return { rule: RULES.hostKey, title: "Unknown host keys are accepted" };
}

/** Methods of clients, which other objects share: `session.get(url, verify=False)`. */
const REQUESTS = /(^|\.)(get|post|put|patch|delete|head|options|request|stream|send|ws_connect)$/;
const CLIENTS = /\b(requests|httpx|niquests|aiohttp|curl_cffi|requests_\w+)\b/;
const NAMED_CLIENT = /(session|client|http|requests)\w*\.\w+$/i;

/** Whether the source says that a value counts as false: `False`, `not True`, a constant of these. */
function isOff(names: PythonNames, node: SyntaxNode | undefined): boolean {
  const plain = node === undefined ? null : plainValue(node);
  if (plain === null) return false;
  if (plain.type === "false") return true;
  if (plain.type === "integer") return textOf(names.tree, plain) === "0";
  if (plain.type === "not_operator") return named(plain)[0]?.type === "true";
  if (plain.type !== "identifier" && plain.type !== "attribute") return false;
  const { values, open } = valuesOf(names, plain);
  return !open && values.length > 0 && values.every(({ type }) => type === "false");
}

function unverified(call: Call): Hit {
  const { names, name } = call;
  const { keywords } = withSpread(names, call.given);
  if (/\bCERT_NONE\b/.test(written(call, keywords.get("cert_reqs")))) {
    return { rule: RULES.unverified, title: "Certificates are not checked (CERT_NONE)" };
  }
  const isClients = (libraries: RegExp) =>
    libraries.test(name) ||
    REQUESTS.test(name) && (NAMED_CLIENT.test(name) ||
        names.imports.some(({ module }) => libraries.test(module)));
  const off = isOff(names, keywords.get("verify")) && isClients(CLIENTS)
    ? "verify=False"
    : isOff(names, keywords.get("ssl")) && isClients(/\baiohttp\b/)
    ? "ssl=False"
    : null;
  if (off === null) return null;
  return { rule: RULES.unverified, title: `Certificates are not checked (${off})` };
}

function mode(call: Call): Hit {
  if (!/chmod$/.test(call.name) || call.given.positional.length !== 2) return null;
  const octal = /^0o?([0-7]{3,4})$/.exec(written(call, call.given.positional[1]))?.[1];
  if (octal === undefined) return null;
  const bits = parseInt(octal, 8);
  if ((bits & 0o012) === 0) return null;
  const severity = (bits & 0o002) !== 0 ? "high" : "medium";
  return {
    rule: RULES.mode,
    title: `The mode 0o${octal} gives other users access to the file`,
    severity,
  };
}

const usesCrypto = ({ names }: Call) =>
  names.imports.some(({ module }) => /^Crypto(dome|domex)?(\.|$)/.test(module));

function cryptography(call: Call): Hit {
  if (/(^|\.)hashes\.(MD5|SHA1)$/.test(call.name)) {
    return { rule: RULES.hash, title: `${call.name.split(".").at(-1)} is broken` };
  }
  if (/(^|\.)(ARC2|ARC4|Blowfish|DES3?|XOR|CAST)\.new$/.test(call.name) && usesCrypto(call)) {
    const title = `${call.name.split(".").at(-2)} is broken or too weak`;
    return { rule: RULES.cipher, title };
  }
  if (/(^|\.)MD[245]\.new$/.test(call.name) && usesCrypto(call)) {
    return { rule: RULES.hash, title: `${call.name.split(".").at(-2)} is broken` };
  }
  if (/(^|\.)modes\.ECB$/.test(call.name)) {
    return { rule: RULES.ecb, title: "ECB encrypts equal blocks to equal blocks" };
  }
  return null;
}

function yaml(call: Call): Hit {
  if (call.name !== "yaml.load" && call.name !== "yaml.load_all") return null;
  const loader = keyword(call, "Loader") + written(call, call.given.positional[1]);
  if (/\b(C?SafeLoader|BaseLoader)\b/.test(loader)) return null;
  return { rule: RULES.yaml, title: `${call.name} can create arbitrary objects` };
}

function remote(call: Call, usesParamiko: boolean): Hit {
  if (!usesParamiko || !/(^|\.)(exec_command|invoke_shell)$/.test(call.name)) return null;
  const [command] = call.given.positional;
  const severity = command?.type === "string" && !/^[a-zA-Z]*f/.test(written(call, command))
    ? "low"
    : "medium";
  return { rule: RULES.remote, title: "A command runs on another machine", severity };
}

/** ruff speaks of computed texts. */
function markedSafe({ name, given }: Call): Hit {
  if (!/(^|\.)(mark_safe|SafeText|SafeString)$/.test(name)) return null;
  if (given.positional[0]?.type !== "string") return null;
  return { rule: LITERAL_HTML, title: "A literal is marked as safe HTML" };
}

const CGI: Rule = {
  id: "py/cgi-handler",
  severity: "medium",
  cwe: 284,
  advice: "Serve over WSGI or ASGI: CGI lets a request header choose the proxy (httpoxy)",
};

function cgi({ name }: Call): Hit {
  if (!/^(wsgiref\.handlers\.CGIHandler|twisted\.web\.twcgi\.CGIScript)$/.test(name)) return null;
  return { rule: CGI, title: "A program is served over CGI" };
}

function imports(names: PythonNames): RawFinding[] {
  const found = names.imports.filter(({ module, level }) =>
    level === 0 && /^xmlrpc(lib)?(\.|$)/.test(module)
  );
  return [...new Set(found.map((each) => importNode(names, each)))].map((node) =>
    report(RULES.xmlrpc, names.tree, node, "XML from other machines is parsed")
  );
}

/** Findings about the calls and imports of a module. */
export function pythonCalls(names: PythonNames, nodes: ModuleNodes): RawFinding[] {
  const findings = imports(names);
  const usesParamiko = names.imports.some(({ module }) => /^(paramiko|fabric)(\.|$)/.test(module));
  for (const { node, expression, callee, given } of nodes.calls) {
    const attribute = expression.type === "attribute" ? child(expression, "attribute") : null;
    const text = dottedText(names.tree, expression) ??
      (attribute === null ? null : `.${textOf(names.tree, attribute)}`);
    const name = callee?.name ?? text;
    if (name === null) continue;
    // A module that a call gave, as in `httpx = importorskip("httpx")`, still has its name.
    const calls = text === null || text === name ? [name] : [name, text];
    for (const each of calls) {
      const call = { names, name: each, given };
      const hit = shell(call) ?? hostKey(call) ?? unverified(call) ?? mode(call) ??
        cryptography(call) ?? yaml(call) ?? remote(call, usesParamiko) ??
        markedSafe(call) ?? cgi(call);
      if (hit === null) continue;
      findings.push(report(hit.rule, names.tree, node, hit.title, hit.severity));
      break;
    }
  }
  return findings;
}

/** Every rule of this module. */
export const CALL_RULES: readonly Rule[] = [...Object.values(RULES), LITERAL_HTML, CGI];
