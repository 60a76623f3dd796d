/**
 * Statements that honest servers hardly ever need: looking for secrets in the environment, copies of
 * every mail to a fixed address, lists of all users, programs that run as somebody else.
 *
 * @module
 */
import type { RawFinding } from "../../finding.ts";
import { stringValue } from "../../python/values/literals.ts";
import type { ModuleCall, ModuleNodes } from "../../python/reach/module_nodes.ts";
import { dottedText, type PythonNames } from "../../python/names.ts";
import { textOf } from "../../syntax/source_tree.ts";
import { ancestor, child, type SyntaxNode } from "../../syntax/tree.ts";
import { isMailAddress } from "../mail.ts";
import { report, type Rule } from "../rule.ts";

const SEARCHED: Rule = {
  id: "py/environment-searched",
  severity: "medium",
  cwe: 200,
  advice: "Read only the variables that the server needs, by name",
};
const USERS: Rule = {
  id: "py/user-list",
  severity: "medium",
  cwe: 497,
  advice: "Look up only the user you need (pwd.getpwuid)",
};
const SET_USER_ID: Rule = {
  id: "py/set-user-id",
  severity: "high",
  cwe: 732,
  advice: "Do not let a program run with the rights of its owner",
};
const RECIPIENT: Rule = {
  id: "py/hidden-recipient",
  severity: "high",
  cwe: 200,
  advice: "Send mail only to recipients that the caller names",
};

const EXECUTABLE: Rule = {
  id: "py/executable-memory",
  severity: "high",
  cwe: 506,
  advice: "Remove it: a Python program has no reason to write machine code into its memory",
};

const MAX_TEXT = 2000;
const ENVIRONMENT = /^(os\.)?environ(\.(items|keys|copy)\(\))?$/;
const SECRET_WORDS =
  /["'][A-Za-z_]*(KEY|TOKEN|SECRET|PASSW|CREDENTIAL|AUTH)[A-Za-z_]*["']|\b[A-Za-z_.]*(SENSITIVE|SECRET|CREDENTIAL)[A-Za-z_]*\b/i;
/** Code that looks for secrets in order to keep them in. */
const HIDES = /redact|mask|censor|scrub|saniti|\*\*\*|\bdel\b|\.pop\(|\bnot\s+any\b|\bnot\s+in\b/i;

function searched(names: PythonNames, node: SyntaxNode): RawFinding | null {
  const over = child(node, "right");
  if (over === null || !ENVIRONMENT.test(textOf(names.tree, over).replace(/\s/g, ""))) return null;
  const whole = node.type === "for_statement" ? node : node.parent ?? node;
  const text = textOf(names.tree, whole).slice(0, MAX_TEXT);
  if (!SECRET_WORDS.test(text) || HIDES.test(text)) return null;
  return report(SEARCHED, names.tree, whole, "The environment is searched for secrets");
}

/** A name or a literal that is an e-mail address. */
function fixedAddress(names: PythonNames, node: SyntaxNode | null): boolean {
  if (node === null) return false;
  const dotted = dottedText(names.tree, node);
  const constant = dotted === null ? undefined : names.constants.get(dotted);
  const text = stringValue(names.tree.text, node) ?? constant ?? null;
  return text !== null && isMailAddress(text);
}

const isBlindCopy = (text: string | null): boolean => text !== null && /^bcc$/i.test(text);

function recipient(names: PythonNames, node: SyntaxNode): RawFinding | null {
  const { tree } = names;
  let value: SyntaxNode | null = null;
  if (node.type === "pair") {
    const key = child(node, "key");
    if (key !== null && isBlindCopy(stringValue(tree.text, key))) value = child(node, "value");
  } else if (node.type === "keyword_argument") {
    const key = child(node, "name");
    if (key !== null && isBlindCopy(textOf(tree, key))) value = child(node, "value");
  } else {
    const left = child(node, "left");
    const key = left?.type === "subscript" ? child(left, "subscript") : null;
    if (key !== null && isBlindCopy(stringValue(tree.text, key))) value = child(node, "right");
  }
  return fixedAddress(names, value)
    ? report(RECIPIENT, tree, node, "Every mail is copied to an address in the source")
    : null;
}

function ofCall(names: PythonNames, { node, callee, given }: ModuleCall): RawFinding | null {
  const name = callee?.name;
  if (name === undefined) return null;
  if (/^(pwd\.getpwall|grp\.getgrall|spwd\.\w+)$/.test(name)) {
    // Whoever drops its rights looks up the groups of its user this way.
    const severity = name === "grp.getgrall" ? "low" : USERS.severity;
    return report(USERS, names.tree, node, `${name} lists the machine's users`, severity);
  }
  if (/(^|\.)(mmap\.mmap|mprotect|VirtualAlloc(Ex)?|VirtualProtect(Ex)?)$/.test(name)) {
    return executable(names, node, textOf(names.tree, node).slice(0, MAX_TEXT));
  }
  if (!/chmod$/.test(name)) return null;
  const mode = given.positional.at(-1);
  const text = mode === undefined ? "" : textOf(names.tree, mode);
  return /^0o?[2467][0-7]{3}$/.test(text)
    ? report(SET_USER_ID, names.tree, node, `The mode ${text} lets other users run it as its owner`)
    : null;
}

/** Memory whose bytes may be written and run. */
function executable(names: PythonNames, node: SyntaxNode, call: string): RawFinding | null {
  return /PROT_EXEC|prot\s*=\s*(4|5|6|7|0x[4567])\b|mprotect\(.*,\s*7\s*\)|0x40\b|PAGE_EXECUTE/
      .test(call)
    ? report(EXECUTABLE, names.tree, node, "Memory is made that machine code can run in")
    : null;
}

/** `mode | stat.S_ISUID`. A test of the bit (`&`) is harmless. */
function setUserId(names: PythonNames, node: SyntaxNode): RawFinding | null {
  if (!/^(stat\.)?S_IS[UG]ID$/.test(dottedText(names.tree, node) ?? "")) return null;
  const up = ancestor(node, "binary_operator", "augmented_assignment");
  const operator = up === null ? null : child(up, "operator");
  return operator !== null && /^\|=?$/.test(operator.type)
    ? report(SET_USER_ID, names.tree, up!, "A program is set to run as its owner")
    : null;
}

/** Findings of a module. */
export function pythonMalice(names: PythonNames, nodes: ModuleNodes): RawFinding[] {
  return [
    ...nodes.calls.map((each) => ofCall(names, each)),
    ...nodes.of("for_statement", "for_in_clause").map((each) => searched(names, each)),
    ...nodes.of("pair", "keyword_argument", "assignment").map((each) => recipient(names, each)),
    ...nodes.of("attribute").map((each) => setUserId(names, each)),
  ].filter((each) => each !== null);
}

/** Every rule of this module. */
export const MALICE_RULES: readonly Rule[] = [SEARCHED, USERS, SET_USER_ID, RECIPIENT, EXECUTABLE];
