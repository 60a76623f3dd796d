/**
 * Downloads that a function holds against SHA-256 digests which the source states, before anything
 * runs them: what runs was fixed when the source was published, as a program inside a package is.
 *
 * @module
 */
import { calleeOf } from "../../../python/calls/callee.ts";
import { sinkOf } from "../../../python/calls/sinks.ts";
import { argumentsOf, type PythonNames } from "../../../python/names.ts";
import { plainValue, valuesOf } from "../../../python/values/assigned.ts";
import { modulesBeside } from "../../../python/values/elsewhere.ts";
import { stringValue } from "../../../python/values/literals.ts";
import { nodeTypes } from "../../../syntax/node_types.ts";
import { textOf } from "../../../syntax/source_tree.ts";
import { ancestor, child, named, type SyntaxNode, walk } from "../../../syntax/tree.ts";
import { textsOf } from "../../keys/destinations.ts";
import { methodOf } from "../label_forms.ts";
import type { ObservedCall } from "../observed.ts";
import { isFetch } from "../results.ts";
import { digestOf } from "./digest_of.ts";
import type { Write } from "./writes.ts";

const CALLS = nodeTypes("call");
const IFS = nodeTypes("if_statement");
const NAMES = nodeTypes("identifier");
const ASSIGNED = nodeTypes("assignment", "augmented_assignment", "named_expression");
const DIGEST = /^[0-9a-f]{64}$/i;
/** An address as far as it is stated, which says at least whose it is. */
const BEGINNING = /^https:\/\/[^/\0]+\/(?:[^\0]*\/)?/;
/** What happens between a download and its check without running it. */
const IDLE =
  /^(os\.(stat|chmod|fsync|close|makedirs|path\.\w+)|open|io\.open|pathlib\.Path|Path|hashlib\.\w+|hmac\.compare_digest|iter|len|str|print|logg(er|ing)\.\w+|stat\.\w+)$|\.(update|hexdigest|read|read_bytes|chmod|flush|close|stat|lower|get|iter_content|iter_bytes|write|debug|info|raise_for_status)$/;

/** The only value of a name, or the expression itself. */
function meant(names: PythonNames, node: SyntaxNode): SyntaxNode | null {
  const plain = plainValue(node);
  if (plain.type !== "identifier") return plain;
  const { values, open } = valuesOf(names, plain);
  return open || values.length !== 1 ? null : plainValue(values[0]!);
}

/** Whether nothing changes a table of the module, or hands it on. */
function isConstant(names: PythonNames, table: string): boolean {
  const word = new RegExp(`\\b${table}\\b`);
  if (modulesBeside(names).some((each) => each !== names && word.test(each.tree.text))) {
    return false;
  }
  let given = 0;
  for (const node of walk(names.tree.root, NAMES)) {
    if (textOf(names.tree, node) !== table) continue;
    const { parent } = node;
    if (parent?.type === "assignment" && node.field === "left") given++;
    else if (parent?.type === "subscript" && node.field === "value") {
      if (parent.field === "left" || parent.parent?.type === "delete_statement") return false;
    } else if (parent?.type === "attribute") {
      if (!/\.get$/.test(textOf(names.tree, parent))) return false;
    } else if (parent?.type !== "comparison_operator") return false;
  }
  return given === 1;
}

/** The keys of a stated table of digests; null for what is none. */
function keysOfTable(names: PythonNames, table: SyntaxNode): string[] | null {
  const stated = table.type === "identifier" ? meant(names, table) : null;
  if (stated?.type !== "dictionary" || !isConstant(names, textOf(names.tree, table))) return null;
  const pairs = named(stated).filter(({ type }) => type !== "comment");
  const keys = pairs.map((pair) => {
    const [key, value] = [child(pair, "key"), child(pair, "value")];
    const digest = value === null ? null : stringValue(names.tree.text, value);
    return key !== null && DIGEST.test(digest ?? "") ? stringValue(names.tree.text, key) : null;
  });
  return keys.length === 0 || keys.includes(null) ? null : keys as string[];
}

/** A digest that the source states, by itself or in a table, and which entry of the table it is. */
function stated(
  names: PythonNames,
  node: SyntaxNode,
): { table: SyntaxNode | null; key: SyntaxNode | null } | null {
  const value = meant(names, node);
  if (value === null) return null;
  if (DIGEST.test(stringValue(names.tree.text, value) ?? "")) return { table: null, key: null };
  const callee = value.type === "call" ? child(value, "function")! : null;
  const isGet = callee !== null && methodOf(names, callee) === ".get";
  const table = isGet ? child(callee, "object") : child(value, "value");
  const key = isGet ? argumentsOf(names.tree, value).positional : [child(value, "subscript")];
  const isEntry = (isGet || value.type === "subscript") && key.length === 1;
  if (!isEntry || table === null || keysOfTable(names, table) === null) return null;
  return { table, key: key[0] ?? null };
}

/** The two sides of a condition that holds where they differ. */
function differing(names: PythonNames, condition: SyntaxNode): readonly SyntaxNode[] {
  const isNot = condition.type === "not_operator";
  const inner = plainValue(isNot ? named(condition)[0]! : condition);
  if (inner.type === "call" && isNot) {
    const name = calleeOf(names, child(inner, "function")!)?.name ?? "";
    return /(^|\.)compare_digest$/.test(name) ? argumentsOf(names.tree, inner).positional : [];
  }
  const operator = isNot ? "==" : "!=";
  return inner.type === "comparison_operator" &&
      inner.children.some(({ type }) => type === operator)
    ? named(inner)
    : [];
}

/** Whether errors of a statement end there. */
function isSwallowed(names: PythonNames, node: SyntaxNode, around: SyntaxNode | null): boolean {
  for (let up = node.parent; up !== null && up.number !== around?.number; up = up.parent) {
    if (up.type === "try_statement") {
      const body = child(up, "body");
      const isInside = body !== null && node.start < body.end;
      if (isInside && up.children.some(({ type }) => type === "except_clause")) return true;
    }
    if (
      up.type === "with_statement" && /suppress|raises/.test(textOf(names.tree, up.children[1]!))
    ) {
      return true;
    }
  }
  return false;
}

interface Download {
  call: ObservedCall;
  write: Write;
  around: SyntaxNode;
}

/** Whether the addresses that the function asks, all by one name, are those of the table. */
function isOfTable({ call: { names, node }, around }: Download, key: string, keys: string[]) {
  const asked = [...walk(around, CALLS)].filter((each) => {
    const callee = child(each, "function")!;
    return each.start <= node.start &&
      (each.number === node.number && /urlretrieve$/.test(textOf(names.tree, callee)) ||
        isFetch(names, callee, calleeOf(names, callee)?.name ?? ""));
  }).map((each) => {
    const { positional, keywords } = argumentsOf(names.tree, each);
    return keywords.get("url") ?? positional[0];
  });
  return asked.length > 0 && asked.every((each) => {
    if (each === undefined || textOf(names.tree, each) !== key) return false;
    const texts = textsOf(names, each);
    return texts.length > 0 && texts.every((text) => {
      const beginning = BEGINNING.exec(text)?.[0];
      return beginning !== undefined && keys.every((known) => known.startsWith(beginning));
    });
  });
}

/** Whether a check is reached after every download, but those whose address no table names. */
function isReached(
  download: Download,
  check: SyntaxNode,
  { table, key }: NonNullable<ReturnType<typeof stated>>,
): boolean {
  const { call: { names, node }, around } = download;
  for (let up = check; up.number !== around.number; up = up.parent!) {
    if (up.start <= node.start && up.end >= node.end) return true;
    if (up.number === check.number || up.type === "block") continue;
    const condition = up.type === "if_statement" ? child(up, "condition") : null;
    if (condition === null || table === null || key === null) return false;
    const inside = child(up, "consequence")!;
    const written = textOf(names.tree, condition).replace(/\s+/g, " ");
    const url = textOf(names.tree, key);
    const keys = keysOfTable(names, table);
    const isIn = written === `${url} in ${textOf(names.tree, table)}` &&
      check.start >= inside.start && check.end <= inside.end;
    if (!isIn || keys === null || !isOfTable(download, url, keys)) return false;
  }
  return true;
}

/** Whether nothing between a download and its check runs something, or gives a known name a value. */
function isQuiet({ call: { names, node, find }, around }: Download, check: SyntaxNode): boolean {
  const between = (each: SyntaxNode) => each.start >= node.end && each.end <= check.start;
  const before = names.tree.text.slice(around.start, node.end);
  const isKnown = (target: SyntaxNode) =>
    new RegExp(`\\b${textOf(names.tree, target).replace(/\W+/g, "\\W+")}\\b`).test(before);
  const condition = child(check, "condition")!;
  const isIdle = (each: SyntaxNode) => {
    const callee = child(each, "function")!;
    const name = calleeOf(names, callee)?.name ?? methodOf(names, callee);
    return IDLE.test(name) && find(names, name) === null && sinkOf(name) !== "process" &&
      sinkOf(name) !== "shell";
  };
  return [...walk(around, CALLS)].every((each) =>
    !between(each) && !(each.start >= condition.start && each.end <= condition.end) ||
    isIdle(each)
  ) && [...walk(around, ASSIGNED)].every((each) => {
    const target = child(each, "left") ?? child(each, "name");
    return !between(each) || each.type === "augmented_assignment" || target === null ||
      !isKnown(target);
  });
}

/** Whether every use of the function is a call whose errors go on. */
function isHeeded({ call: { names }, around }: Download): boolean {
  const name = textOf(names.tree, child(around, "name")!);
  const word = new RegExp(`\\b${name}\\b`);
  return modulesBeside(names).every((module) =>
    !word.test(module.tree.text) || [...walk(module.tree.root, NAMES)].every((node) => {
      if (textOf(module.tree, node) !== name) return true;
      const { parent } = node;
      if (parent?.type === "function_definition" && node.field === "name") return true;
      if (ancestor(node, "import_from_statement") !== null) return true;
      const used = parent?.type === "attribute" && node.field === "attribute" ? parent : node;
      return used.parent?.type === "call" && used.field === "function" &&
        !isSwallowed(module, used.parent, null);
    })
  );
}

/** Whether the function that downloads a file checks it as this module says. */
export function isHeldToDigest(call: ObservedCall, write: Write): boolean {
  const { names, node } = call;
  const around = ancestor(node, "function_definition");
  if (around === null || !/sha256/.test(textOf(names.tree, around))) return false;
  const download = { call, write, around };
  const isCheck = (check: SyntaxNode) => {
    const last = named(child(check, "consequence")!).at(-1);
    if (check.start < node.end || last?.type !== "raise_statement") return false;
    const sides = differing(names, child(check, "condition")!);
    if (sides.length !== 2) return false;
    const [expected, at] = [stated(names, sides[1]!), stated(names, sides[0]!)];
    const held = expected ?? at;
    return held !== null && digestOf(names, sides[expected === null ? 1 : 0]!, around, write) &&
      isReached(download, check, held) && isQuiet(download, check) &&
      !isSwallowed(names, check, around);
  };
  return [...walk(around, IFS)].some(isCheck) && isHeeded(download);
}
