/**
 * Whether a function that is called as if it checked something does. Its name says nothing: a function
 * of the project is looked into, and of libraries those that only read or shape a text clear nothing.
 *
 * @module
 */
import { calleeOf } from "../../../python/calls/callee.ts";
import { evaluation } from "../../../python/calls/evaluation.ts";
import { argumentsOf, type PythonNames } from "../../../python/names.ts";
import { isDangerous } from "../../../python/calls/sinks.ts";
import { nodeTypes } from "../../../syntax/node_types.ts";
import { textOf } from "../../../syntax/source_tree.ts";
import { child, named, type SyntaxNode, walk } from "../../../syntax/tree.ts";
import { lambdaOf } from "../named_functions.ts";
import type { FindFunction } from "../observed.ts";

const CHECKER =
  /^validators\.\w+$|(^|[._])(is_)?(valid|safe|sanit|escape|clean|secure|check|verify|ensure|allow|permit|guard|quote_?(?:ident|name|table|col)|qualif|identifier|normali[sz]e_path|resolve[a-z_]*path)[a-z_]*$/i;
/** They make objects of a text, escape it for pages, start what they are given: any text remains. */
const CHECKS_NOTHING =
  /(^|\.)(safe_(load|dump)(_all)?|cleandoc|ensure_(future|ascii)|check_(call|output|returncode)|(model_)?validate_(json|python|strings|call|assignment)|model_validate)$|^(asyncio|anyio|html|inspect|json|jsonschema|fastjsonschema|pydantic|pydantic_core|yaml|ruamel|cgi|xml|logging|typing|marshmallow|cerberus|voluptuous|bleach|markupsafe|nh3|builtins)\./;
/** Calls whose result, or whose error, depends on what the text is. */
const RESTRICTS =
  /^(int|float|uuid\.UUID|ipaddress\.\w+|shlex\.quote|re\.(match|fullmatch|search|sub|findall|escape)|os\.path\.(commonpath|basename|exists|isfile|isdir|lexists)|secure_filename|werkzeug\.\w+\.\w+|datetime\..*|decimal\.Decimal)$|(^|\.)(match|fullmatch|search|sub|findall|isalnum|isalpha|isdigit|isnumeric|isdecimal|isidentifier|is_relative_to|relative_to|startswith|endswith|issubset|isdisjoint|issuperset|intersection|difference|exists|is_file|is_dir|get|index|check_password_hash|compare_digest|translate)$/;
/** `text.replace("'", "''")`: what ends a text in another language is escaped. */
const ESCAPES = /\.replace\(\s*("\\?['`\]\\;|&$<>]"|'\\?["`\]\\;|&$<>]'|"\\""|'\\'')\s*,/;
const BODY = nodeTypes("call", "comparison_operator", "subscript");
const RAISES = nodeTypes("raise_statement", "assert_statement");
const RETURNS = nodeTypes("return_statement");
const MAX_HOPS = 3;
const MAX_DENIED = 3;

export interface CheckReader {
  names: PythonNames;
  find: FindFunction;
}

type Definition = NonNullable<ReturnType<FindFunction>>;

function has(body: SyntaxNode, types: ReturnType<typeof nodeTypes>): boolean {
  for (const _ of walk(body, types)) return true;
  return false;
}

/** `x == ""`, `x is None`, `len(x) > 9`, `type(x) == str`: what says nothing of the text. */
function isIdle(names: PythonNames, comparison: SyntaxNode): boolean {
  const text = textOf(names.tree, comparison).slice(0, 500);
  return /\bis\s+(not\s+)?None\b|\blen\(|\btype\(|\bstr\b|(==|!=)\s*(""|''|None|True|False|0)\s*$/
    .test(text);
}

/** `";" in x`: one word that is denied leaves all others. */
function deniesOne(comparison: SyntaxNode): boolean {
  const [left] = named(comparison);
  return left?.type === "string" &&
    comparison.children.some(({ type }) => type === "in" || type === "not in");
}

/** Whether what a function does depends on what the text is. */
function restricts({ names, definition }: Definition, find: FindFunction, hops: number): boolean {
  const body = child(definition, "body");
  if (body === null) return false;
  let denied = 0;
  for (const node of walk(body, BODY)) {
    if (node.type === "comparison_operator") {
      if (isIdle(names, node)) continue;
      if (!deniesOne(node) || ++denied >= MAX_DENIED) return true;
      continue;
    }
    if (node.type === "subscript") {
      // A table of the author's, looked up with the caller's word.
      const table = child(node, "value");
      if (table?.type === "identifier" && /^[A-Z_]+$/.test(textOf(names.tree, table))) return true;
      continue;
    }
    const callee = child(node, "function")!;
    const name = calleeOf(names, callee)?.name ?? textOf(names.tree, callee).slice(0, 200);
    if (RESTRICTS.test(name) || ESCAPES.test(textOf(names.tree, node).slice(-100))) return true;
    // `Kind(x)`: one of the author's values.
    if (/^[A-Z]/.test(name) && isEnum(names, name)) return true;
    if (hops < MAX_HOPS && clears({ names, find }, node, hops + 1)) return true;
  }
  return false;
}

const CLASSES = nodeTypes("class_definition");

function isEnum(names: PythonNames, name: string): boolean {
  for (const each of walk(names.tree.root, CLASSES)) {
    if (textOf(names.tree, child(each, "name")!) !== name) continue;
    const bases = child(each, "superclasses");
    return bases !== null && /Enum\b/.test(textOf(names.tree, bases));
  }
  return false;
}

/** Whether a call clears what it is given: it refuses other texts, or gives a better one. */
export function clears({ names, find }: CheckReader, call: SyntaxNode, hops = 0): boolean {
  const callee = child(call, "function");
  if (callee === null) return false;
  const written = textOf(names.tree, callee).slice(0, 200);
  const name = calleeOf(names, callee)?.name ?? written;
  if (hops === 0 && !CHECKER.test(written) && !CHECKER.test(name)) return false;
  const target = find(names, name) ?? lambdaOf(names, name);
  if (target === null) {
    return CHECKER.test(name) && !CHECKS_NOTHING.test(name) && !CHECKS_NOTHING.test(written) &&
      !runs(names, call, callee, name);
  }
  const body = child(target.definition, "body");
  if (body === null) return false;
  // An answer that nobody reads changes nothing.
  const read = call.parent?.type !== "expression_statement" &&
    !(call.parent?.type === "await" && call.parent.parent?.type === "expression_statement");
  const answers = target.definition.type === "lambda" || has(body, RETURNS);
  return (has(body, RAISES) || (read && answers) || calls(body, hops)) &&
    restricts(target, find, hops);
}

const CALLS = nodeTypes("call");

/** A function that hands the check on to others may be refused by them. */
function calls(body: SyntaxNode, hops: number): boolean {
  return hops < MAX_HOPS && !has(body, RETURNS) && has(body, CALLS);
}

/** `subprocess.check_output` checks nothing that it is given, nor does what evaluates it. */
function runs(names: PythonNames, call: SyntaxNode, callee: SyntaxNode, name: string): boolean {
  return isDangerous(name) ||
    evaluation(names, callee, name, argumentsOf(names.tree, call)) !== null;
}
