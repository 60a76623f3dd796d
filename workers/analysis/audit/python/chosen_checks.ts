/**
 * Checks of certificates and signatures that are left out for a reason the source states: the user asks
 * for it, the chain is still verified, the token is the program's own.
 *
 * @module
 */
import { argumentsOf, dottedText, type PythonNames } from "../../python/names.ts";
import { isParameter, valuesOf } from "../../python/values/assigned.ts";
import { stringValue } from "../../python/values/literals.ts";
import { nodeTypes } from "../../syntax/node_types.ts";
import { textOf } from "../../syntax/source_tree.ts";
import { ancestor, child, named, type SyntaxNode, walk } from "../../syntax/tree.ts";

/** Words, as in `skip_tls_verify` and `verifySsl`, of a setting for such checks. */
const OPTION =
  /^(no)?(verify|verified|verification|unverified|insecure|ssl|tls|https|certs?|certificates?|strict|unsafe|selfsigned|signed|hostname)$/;
const ENVIRONMENT = /(^|\.)(environ|environ\.get|getenv|getenvb|config|env|env\.bool|get_env\w*)$/;
const NO_CHAIN = /CERT_NONE|_create_unverified_context/;
const NAMES = nodeTypes("identifier", "attribute", "call", "subscript");
const LITERAL =
  /^(string|concatenated_string|integer|float|true|false|none|list|tuple|dictionary)$/;
const MAX_NAMES = 20;

function isAbout(text: string): boolean {
  return text.replace(/([a-z0-9])([A-Z])/g, "$1 $2").toLowerCase().split(/[^a-z0-9]+/)
    .some((word) => OPTION.test(word));
}

/** `os.environ["INSECURE"]`, `os.getenv("INSECURE")`: null if it is another kind of expression. */
function environmentName(names: PythonNames, node: SyntaxNode): string | null {
  const from = node.type === "call"
    ? child(node, "function")
    : node.type === "subscript"
    ? child(node, "value")
    : null;
  if (from === null || !ENVIRONMENT.test(textOf(names.tree, from))) return null;
  const key = node.type === "call"
    ? argumentsOf(names.tree, node).positional[0]
    : child(node, "subscript");
  return key === undefined || key === null ? null : stringValue(names.tree.text, key);
}

/** Whether a name of a condition is a setting for the check: the source alone does not say its value. */
function isSetting(names: PythonNames, node: SyntaxNode): boolean {
  const variable = environmentName(names, node);
  if (variable !== null) return isAbout(variable);
  if (node.type !== "identifier" && node.type !== "attribute") return false;
  const name = dottedText(names.tree, node);
  if (name === null || !isAbout(name.split(".").at(-1)!)) return false;
  const { values, open } = valuesOf(names, node);
  if (values.some((value) => !LITERAL.test(value.type))) return true;
  if (values.length > 0 && !open) return false;
  // Nothing gives it a value: a parameter, or a field of an object.
  return node.type === "attribute" ? !names.constants.has(name) : isParameter(names, node, name);
}

/** Whether a condition holds as long as nobody sets anything. */
function holdsByItself(names: PythonNames, condition: SyntaxNode): boolean {
  const text = textOf(names.tree, condition);
  if (/^(not\s+)?(True|False|None|\d+|["'])|\bor\s+(True|\d|["'])/.test(text)) return true;
  const denied = condition.type === "not_operator";
  const node = denied ? named(condition)[0] : condition;
  if (node === undefined) return false;
  const given = environmentName(names, node) === null
    ? valuesOf(names, node).values
    : argumentsOf(names.tree, node).positional.slice(1);
  return given.some((value) => {
    if (!LITERAL.test(value.type)) return false;
    const isFalse = /^(False|None|0|["']{2}|\[\]|\(\)|\{\})$/.test(textOf(names.tree, value));
    return isFalse === denied;
  });
}

/** Whether a place runs only where a setting of the user turns checks off. */
export function isOption(names: PythonNames, node: SyntaxNode): boolean {
  for (let at: SyntaxNode = node; at.parent !== null; at = at.parent) {
    const { parent } = at;
    if (parent.type === "function_definition" || parent.type === "module") return false;
    const condition = parent.type === "conditional_expression"
      ? named(parent)[1] ?? null
      : /^(if_statement|elif_clause)$/.test(parent.type)
      ? child(parent, "condition")
      : null;
    if (condition === null || condition === at) continue;
    const inner = [...walk(condition, NAMES)].slice(0, MAX_NAMES);
    const isSet = inner.some((each) => isSetting(names, each));
    if (isSet && !holdsByItself(names, condition)) return true;
  }
  return false;
}

/** Whether only the host's name goes unchecked in the function around a place. */
export function keepsChain(names: PythonNames, node: SyntaxNode): boolean {
  const around = ancestor(node, "function_definition") ?? names.tree.root;
  return !NO_CHAIN.test(textOf(names.tree, around));
}

/** Whether a token is one that the program has just made. */
export function isOwnToken(names: PythonNames, token: SyntaxNode): boolean {
  const { values, open } = valuesOf(names, token);
  return !open && values.length > 0 && values.every((value) => {
    const call = value.type === "await" ? value.children.at(-1)! : value;
    const callee = call.type === "call" ? child(call, "function") : null;
    const name = callee === null ? "" : textOf(names.tree, callee);
    return /(^|[._])(create|issue|mint|make|generate|build|encode|sign)\w*$/i.test(name) &&
      /token|jwt|encode/i.test(name);
  });
}
