/**
 * Whether a call that starts a program is given a shell.
 *
 * @module
 */
import { plainValue, valuesOf } from "../../python/values/assigned.ts";
import { calleeOf } from "../../python/calls/callee.ts";
import { foldText } from "../../python/values/folding.ts";
import { argumentsOf, type CallArguments, type PythonNames } from "../../python/names.ts";
import { child, named, type SyntaxNode } from "../../syntax/tree.ts";

/** Whether a call is given a shell: `shell=True`, or any other value that counts as true. */
export function givenShell(names: PythonNames, given: CallArguments): boolean {
  const value = given.keywords.get("shell");
  if (value !== undefined) return isTruthy(names, value);
  // `Popen(args, bufsize, executable, stdin, stdout, stderr, preexec_fn, close_fds, shell)`.
  const ninth = given.positional[8];
  if (ninth?.type === "true" || ninth?.type === "integer") return isTruthy(names, ninth);
  return given.positional.filter(({ type }) => type === "dictionary_splat").some((splat) => {
    const [inner] = named(splat);
    return inner !== undefined && tablesOf(names, inner).some((table) => shellIn(names, table));
  });
}

function tablesOf(names: PythonNames, node: SyntaxNode): SyntaxNode[] {
  const plain = plainValue(node);
  return /^(identifier|attribute)$/.test(plain.type) ? valuesOf(names, plain).values : [plain];
}

function shellIn(names: PythonNames, table: SyntaxNode): boolean {
  if (table.type === "call") {
    const value = argumentsOf(names.tree, table).keywords.get("shell");
    return value !== undefined && isTruthy(names, value);
  }
  if (table.type !== "dictionary") return false;
  return named(table).some((pair) => {
    const key = child(pair, "key");
    const value = child(pair, "value");
    return key !== null && value !== null && foldText(names, key) === "shell" &&
      isTruthy(names, value);
  });
}

function isTruthy(names: PythonNames, node: SyntaxNode): boolean {
  const plain = plainValue(node);
  if (plain.type === "true") return true;
  if (plain.type === "integer") return names.tree.text[plain.start] !== "0";
  if (plain.type === "identifier" || plain.type === "attribute") {
    return valuesOf(names, plain).values.some(({ type }) => type === "true");
  }
  if (plain.type === "not_operator") {
    return /^(false|none)$/.test(named(plain)[0]?.type ?? "");
  }
  if (plain.type === "call") {
    const [first] = argumentsOf(names.tree, plain).positional;
    return calleeOf(names, child(plain, "function") ?? plain)?.name === "bool" &&
      first !== undefined && isTruthy(names, first);
  }
  return (foldText(names, plain) ?? "") !== "";
}
