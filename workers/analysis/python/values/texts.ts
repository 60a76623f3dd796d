/**
 * Where the text comes from that a module has compiled and run.
 *
 * @module
 */
import { nodeTypes } from "../../syntax/node_types.ts";
import { textOf } from "../../syntax/source_tree.ts";
import { ancestor, child, named, type SyntaxNode, walk } from "../../syntax/tree.ts";
import { calleeOf } from "../calls/callee.ts";
import { grows, isGlobal, isSetAsAttribute, isSetByName } from "./changed.ts";
import { hostOf } from "../reach/embedded_paths.ts";
import { argumentsOf, type PythonNames } from "../names.ts";
import { isParameter, textsOf, valuesOf } from "../reach/paths.ts";
import { joinPaths, SESSION_ROOT } from "../reach/session_paths.ts";

export type CompiledText =
  /** Literal text: it can be scanned as it stands. */
  | { kind: "stated"; texts: readonly string[] }
  /** The text of a file; null where the file's name is computed. */
  | { kind: "file"; paths: readonly string[] | null }
  /** Text that the caller of a function gives: what follows values judges it. */
  | { kind: "caller" }
  /** Text that is made, decoded or fetched when the program runs. */
  | { kind: "computed" }
  /** No text: code that was compiled elsewhere. */
  | { kind: "none" };

const MAX_HOPS = 8;
const IDENTIFIERS = nodeTypes("identifier");
const NAMED = nodeTypes("identifier", "attribute");
const SUBSCRIPTS = nodeTypes("subscript");
const WITH_ITEMS = nodeTypes("as_pattern", "assignment");
const OPENS = /^(open|io\.open|codecs\.open|tokenize\.open|_io\.open)$/;
/** A codec that reads a file otherwise than the scan does. */
const ODD_ENCODING = /encoding\s*=\s*(?!["'](utf-?8(-sig)?|ascii)["'])/i;
const READS = new Set(["read", "read_text", "read_bytes"]);
/** What leaves a text as it is. */
const SAME = new Set(["decode", "encode"]);

function isPlainCodec(names: PythonNames, call: SyntaxNode): boolean {
  const { positional, keywords } = argumentsOf(names.tree, call);
  const codec = positional[0] ?? keywords.get("encoding");
  if (codec === undefined) return true;
  return /^["'](utf-?8|ascii)["']$/i.test(textOf(names.tree, codec));
}

/** The call that a name of an open file stands for: `with open(p) as f`, `f = open(p)`. */
function openedAs(names: PythonNames, name: string): SyntaxNode | null {
  for (const node of walk(names.tree.root, WITH_ITEMS)) {
    const isPattern = node.type === "as_pattern";
    const target = isPattern ? child(node, "alias") : child(node, "left");
    if (target === null || textOf(names.tree, target) !== name) continue;
    const value = isPattern ? named(node)[0] : child(node, "right");
    if (value?.type === "call") return value;
  }
  return null;
}

/** Of several texts, what the worst of them is. */
function worstOf(found: readonly CompiledText[]): CompiledText {
  for (const kind of ["computed", "file", "caller", "none"] as const) {
    const of = found.filter((each) => each.kind === kind);
    if (of.length === 0) continue;
    if (kind !== "file") return of[0]!;
    const paths = of.flatMap((each) => each.kind === "file" ? [each.paths] : []);
    return { kind, paths: paths.includes(null) ? null : paths.flatMap((each) => each!) };
  }
  return { kind: "stated", texts: found.flatMap((it) => it.kind === "stated" ? it.texts : []) };
}

/** Whether a name is a parameter of a lambda that is a part of the expression. */
function isInnerParameter(
  { tree }: PythonNames,
  expression: SyntaxNode,
  used: SyntaxNode,
  name: string,
): boolean {
  for (let at = used.parent; at !== null && at.start >= expression.start; at = at.parent) {
    const list = at.type === "lambda" ? child(at, "parameters") : null;
    if (list === null) continue;
    const own = [...walk(list, IDENTIFIERS)].some((each) => textOf(tree, each) === name);
    if (own) return at.end <= expression.end;
  }
  return false;
}

/** What a parameter is where nobody gives it; undefined for one that has to be given. */
function defaultOf({ tree }: PythonNames, used: SyntaxNode, name: string): SyntaxNode | undefined {
  const around = ancestor(used, "function_definition", "lambda");
  const list = around === null ? null : child(around, "parameters");
  const parameter = (list === null ? [] : named(list)).find((each) => {
    const own = child(each, "name");
    return own !== null && textOf(tree, own) === name;
  });
  return parameter === undefined ? undefined : child(parameter, "value") ?? undefined;
}

class Origin {
  constructor(readonly names: PythonNames) {}

  of(node: SyntaxNode, hops: number): CompiledText {
    if (hops > MAX_HOPS) return { kind: "computed" };
    if (node.type === "parenthesized_expression" && named(node).length === 1) {
      return this.of(named(node)[0]!, hops + 1);
    }
    const texts = textsOf(this.names, node);
    if (texts !== null && this.#isChanged(node)) return { kind: "computed" };
    if (texts !== null && texts.length > 0) return { kind: "stated", texts };
    if (node.type === "call") return this.#call(node, hops);
    if (node.type === "conditional_expression") {
      // What is asked is no part of the text.
      return worstOf(
        [node.children[0]!, node.children.at(-1)!].map((each) => this.of(each, hops + 1)),
      );
    }
    if (node.type === "identifier") return this.#name(node, hops);
    return this.#byParts(node);
  }

  /** Whether an expression takes an entry of a table to which the module adds others. */
  #isChanged(node: SyntaxNode): boolean {
    const { text } = this.names.tree;
    for (const each of walk(node, NAMED)) {
      const name = textOf(this.names.tree, each).split(".").at(-1)!;
      if (each.field === "attribute" || !text.includes(name)) continue;
      if (isSetByName(text, name) || this.names.changed.has(name)) return true;
      if (each.type === "identifier" && isSetAsAttribute(text, name)) return true;
    }
    for (const each of walk(node, SUBSCRIPTS)) {
      const table = child(each, "value");
      if (table?.type !== "identifier") continue;
      if (grows(text, textOf(this.names.tree, table))) return true;
    }
    return false;
  }

  #name(node: SyntaxNode, hops: number): CompiledText {
    const name = textOf(this.names.tree, node);
    if (isParameter(this.names, node, name)) {
      const given = defaultOf(this.names, node, name);
      const of = given === undefined ? null : this.of(given, hops + 1);
      return of?.kind === "file" ? of : { kind: "caller" };
    }
    const values = valuesOf(this.names, name);
    if (values.length === 0) return this.#byParts(node);
    const isShared = isGlobal(this.names.tree.text, name);
    const found = values.map((each): CompiledText => {
      const of = this.of(each, hops + 1);
      // Nobody follows what one function is given to where another compiles it.
      return isShared && of.kind === "caller" ? { kind: "computed" } : of;
    });
    return worstOf(found);
  }

  #call(node: SyntaxNode, hops: number): CompiledText {
    const expression = child(node, "function");
    if (expression === null) return { kind: "computed" };
    const by = calleeOf(this.names, expression)?.name ?? "";
    const { positional } = argumentsOf(this.names.tree, node);
    if (by === "compile") return { kind: "none" };
    if (by === "ast.parse" || by === "ast.Expression" || by === "ast.fix_missing_locations") {
      return positional[0] === undefined ? { kind: "none" } : this.of(positional[0], hops + 1);
    }
    if (by === "inspect.getsource") return { kind: "none" };
    const file = this.#file(node, expression, by, hops);
    if (file !== null) return file;
    const method = expression.type === "attribute"
      ? textOf(this.names.tree, child(expression, "attribute")!)
      : "";
    if (SAME.has(method) && isPlainCodec(this.names, node)) {
      return this.of(child(expression, "object")!, hops + 1);
    }
    return this.#byParts(node);
  }

  /** `open(p).read()`, `Path(p).read_text()`, `f.read()`, resources of a package. */
  #file(
    node: SyntaxNode,
    expression: SyntaxNode,
    by: string,
    hops: number,
  ): CompiledText | null {
    const given = argumentsOf(this.names.tree, node).positional;
    if (/^(pkgutil\.get_data|importlib\.resources\.(read_text|read_binary))$/.test(by)) {
      return { kind: "file", paths: this.#resource(given[0], given[1]) };
    }
    if (expression.type !== "attribute") return null;
    if (!READS.has(textOf(this.names.tree, child(expression, "attribute")!))) return null;
    if (ODD_ENCODING.test(textOf(this.names.tree, node))) return { kind: "file", paths: null };
    const object = child(expression, "object")!;
    const opened = object.type === "identifier"
      ? openedAs(this.names, textOf(this.names.tree, object)) ?? object
      : object;
    const callee = opened.type === "call" ? child(opened, "function") : null;
    const opener = callee === null ? "" : calleeOf(this.names, callee)?.name ?? "";
    if (ODD_ENCODING.test(textOf(this.names.tree, opened))) return { kind: "file", paths: null };
    if (OPENS.test(opener)) {
      const path = argumentsOf(this.names.tree, opened).positional[0];
      return { kind: "file", paths: textsOf(this.names, path) };
    }
    if (/(^|\.)open$/.test(opener) && callee!.type === "attribute") {
      return { kind: "file", paths: textsOf(this.names, child(callee!, "object")) };
    }
    const paths = textsOf(this.names, object) ?? this.#traversed(object, hops);
    if (paths !== null) return { kind: "file", paths };
    return /read_(text|bytes)$/.test(by) || textOf(this.names.tree, node).endsWith(".read_text()")
      ? { kind: "file", paths: null }
      : null;
  }

  /** A file of a package: `pkgutil.get_data(__package__, "x.txt")`. */
  #resource(holder: SyntaxNode | undefined, name: SyntaxNode | undefined): string[] | null {
    const files = textsOf(this.names, name);
    if (files === null || holder === undefined) return null;
    const written = textOf(this.names.tree, holder);
    const own = /^__(package|name)__$/.test(written);
    const holders = own ? ["."] : textsOf(this.names, holder);
    if (holders === null) return null;
    const here = `${SESSION_ROOT}/${hostOf(this.names.tree.path)}`.replace(/\/[^/]*$/, "");
    return holders.flatMap((each) =>
      files.map((file) => joinPaths([own ? here : each.replaceAll(".", "/"), file]))
    );
  }

  /** `importlib.resources.files(pkg) / "x.txt"`, `files(pkg).joinpath("x.txt")`. */
  #traversed(object: SyntaxNode, hops: number): string[] | null {
    if (hops > MAX_HOPS) return null;
    const isJoin = object.type === "call" && child(object, "function")?.type === "attribute";
    const left = object.type === "binary_operator"
      ? child(object, "left")
      : isJoin
      ? child(child(object, "function")!, "object")
      : null;
    const right = object.type === "binary_operator"
      ? child(object, "right")
      : isJoin
      ? argumentsOf(this.names.tree, object).positional[0]
      : null;
    const callee = left?.type === "call" ? child(left, "function") : null;
    if (callee === null || right === null || right === undefined) return null;
    if (calleeOf(this.names, callee)?.name !== "importlib.resources.files") return null;
    return this.#resource(argumentsOf(this.names.tree, left!).positional[0], right);
  }

  /** Made of what a caller gives, or of something else. */
  #byParts(node: SyntaxNode): CompiledText {
    const seen = new Set<string>();
    const waiting = [node];
    for (let at = waiting.pop(); at !== undefined && seen.size < 100; at = waiting.pop()) {
      for (const each of walk(at, IDENTIFIERS)) {
        if (each.field === "attribute" || each.parent?.type === "keyword_argument") {
          if (each.field !== "value") continue;
        }
        const name = textOf(this.names.tree, each);
        if (isInnerParameter(this.names, at, each, name)) continue;
        if (isParameter(this.names, each, name) && name !== "self" && name !== "cls") {
          return { kind: "caller" };
        }
        if (seen.has(name)) continue;
        seen.add(name);
        if (ancestor(each, "function_definition") !== null) {
          waiting.push(...valuesOf(this.names, name));
        }
      }
    }
    return { kind: "computed" };
  }
}

/** Where the text comes from that an expression gives to a compiler. */
export function compiledText(names: PythonNames, node: SyntaxNode): CompiledText {
  return new Origin(names).of(node, 0);
}
