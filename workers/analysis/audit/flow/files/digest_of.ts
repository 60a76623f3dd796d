/**
 * Whether an expression is the SHA-256 digest of what a call has written into a file.
 *
 * @module
 */
import { calleeOf } from "../../../python/calls/callee.ts";
import { argumentsOf, type PythonNames } from "../../../python/names.ts";
import { plainValue, valuesOf } from "../../../python/values/assigned.ts";
import { stringValue } from "../../../python/values/literals.ts";
import { nodeTypes } from "../../../syntax/node_types.ts";
import { textOf } from "../../../syntax/source_tree.ts";
import { child, type SyntaxNode, walk } from "../../../syntax/tree.ts";
import { methodOf } from "../label_forms.ts";
import { fileKeys } from "./file_keys.ts";
import type { Write } from "./writes.ts";

const CALLS = nodeTypes("call");
const LOOPS = nodeTypes("for_statement");
const MAX_HOPS = 4;

interface Written {
  names: PythonNames;
  around: SyntaxNode;
  write: Write;
}

/** Whether an expression is the file that is written, not only one of the same name. */
function isFile({ names, write }: Written, node: SyntaxNode): boolean {
  const same = (key: string) => !key.startsWith("file:");
  const keys = new Set(fileKeys(names, write.file).filter(same));
  return fileKeys(names, node).some((key) => same(key) && keys.has(key));
}

/** Whether an expression is what was written, or is read of the file. */
function isContent(written: Written, node: SyntaxNode, hops = 0): boolean {
  const { names, around, write } = written;
  const plain = plainValue(node);
  if (hops > MAX_HOPS) return false;
  if (write.content !== null && textOf(names.tree, plain) === textOf(names.tree, write.content)) {
    return true;
  }
  const deeper = (each: SyntaxNode) => isContent(written, each, hops + 1);
  if (plain.type === "identifier") {
    const name = textOf(names.tree, plain);
    const loop = [...walk(around, LOOPS)].find((each) =>
      textOf(names.tree, child(each, "left")!) === name && each.start < plain.start &&
      each.end > plain.end
    );
    if (loop !== undefined) return deeper(child(loop, "right")!);
    const { values, open } = valuesOf(names, plain);
    return !open && values.every(deeper);
  }
  if (plain.type === "lambda") return deeper(child(plain, "body")!);
  if (plain.type !== "call") return false;
  const callee = child(plain, "function")!;
  const object = callee.type === "attribute" ? child(callee, "object") : null;
  if (object !== null && /^\.read(_bytes)?$/.test(methodOf(names, callee))) {
    return isFile(written, object);
  }
  const [first] = argumentsOf(names.tree, plain).positional;
  return calleeOf(names, callee)?.name === "iter" && first !== undefined && deeper(first);
}

/** What a hash is made with; null for what is no SHA-256. */
function hashed(names: PythonNames, made: SyntaxNode): readonly SyntaxNode[] | null {
  const callee = made.type === "call" ? child(made, "function") : null;
  const name = callee === null ? "" : calleeOf(names, callee)?.name;
  const { positional } = callee === null ? { positional: [] } : argumentsOf(names.tree, made);
  if (name === "hashlib.sha256") return positional;
  const [kind, ...rest] = name === "hashlib.file_digest" ? positional.toReversed() : positional;
  const isNamed = name === "hashlib.new" || name === "hashlib.file_digest";
  return isNamed && kind !== undefined && stringValue(names.tree.text, kind) === "sha256"
    ? rest
    : null;
}

/** Whether `digest` is `sha256(…).hexdigest()` of what `write` writes, in the function around. */
export function digestOf(
  names: PythonNames,
  digest: SyntaxNode,
  around: SyntaxNode,
  write: Write,
): boolean {
  const written = { names, around, write };
  const only = (node: SyntaxNode | null): SyntaxNode | null => {
    if (node?.type !== "identifier") return node;
    const { values, open } = valuesOf(names, node);
    return open || values.length !== 1 ? null : plainValue(values[0]!);
  };
  const call = only(plainValue(digest));
  const callee = call?.type === "call" ? child(call, "function") : null;
  if (callee === null || methodOf(names, callee) !== ".hexdigest") return false;
  const holder = child(callee, "object")!;
  const made = only(holder);
  const given = made === null ? null : hashed(names, made);
  if (given === null) return false;
  const ofFile = given.length === 1 && isFile(written, given[0]!);
  const updates = holder.type !== "identifier" ? [] : [...walk(around, CALLS)].filter((each) => {
    const updated = child(each, "function")!;
    return methodOf(names, updated) === ".update" &&
      textOf(names.tree, child(updated, "object")!) === textOf(names.tree, holder);
  }).flatMap((each) => argumentsOf(names.tree, each).positional);
  const all = [...given, ...updates];
  return all.length > 0 && (ofFile && updates.length === 0 ||
    all.every((each) => isContent(written, each)));
}
