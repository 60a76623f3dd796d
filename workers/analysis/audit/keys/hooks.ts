/**
 * Functions and objects that a client hands each request before it leaves: `auth=`, hooks, transports,
 * classes made of a library's client. What they put into it goes along with it.
 *
 * @module
 */
import { plainValue, valuesOf } from "../../python/values/assigned.ts";
import { calleeOf } from "../../python/calls/callee.ts";
import {
  argumentsOf,
  dottedText,
  firstPart,
  type PythonNames,
  resolve,
} from "../../python/names.ts";
import { nodeTypes } from "../../syntax/node_types.ts";
import { textOf } from "../../syntax/source_tree.ts";
import { ancestor, child, named, type SyntaxNode, walk } from "../../syntax/tree.ts";
import { isSecretLabel, type Label } from "../flow/labels.ts";
import type { ObservedCall } from "../flow/observed.ts";
import { ownParameters } from "../flow/parameters.ts";
import type { FindModule } from "./held.ts";

/** A function with the module that it is in. */
export interface Definition {
  names: PythonNames;
  definition: SyntaxNode;
}

/** Reads the labels of expressions at the end of a function. */
export type ReadAtEnd = (at: Definition) => (expression: SyntaxNode) => ReadonlySet<Label>;

/** Arguments with which a request, or a client, is given what sees requests. */
const HOOKS =
  /^(auth|transport|mounts|event_hooks|hooks|trace_configs|middlewares|connector|cookie_jar)$/;
/** Attributes of a client that see requests, and methods that add to them. */
const HOOK_ATTRIBUTE = /^\.(auth|hooks|event_hooks|_?transport|mounts|adapters)\b/;
const GIVES_HOOK = /\.(auth|hooks|event_hooks|_?transport|mounts|adapters)\b/;
const ADDS_HOOK =
  /\.(mount|register_hook|add_handler)$|\.(hooks|event_hooks|mounts|adapters|handlers|middlewares|on_request_\w+)\b.*\.(append|extend|update|setdefault|insert)$/;
/** Library classes that put what they are made with into requests. */
const AUTH =
  /^(requests|httpx|aiohttp|requests_\w+|httpx_\w+|niquests|urllib\.request|authlib)(\.\w+)*\.\w*(Auth|Credentials?|OAuth[12]?\w*|Token|Cookies|CookieJar|HTTPPasswordMgr\w*)$/;
/** Methods that are handed a request, and how an object is made. */
const METHODS = [
  "__init__",
  "__call__",
  "auth_flow",
  "sync_auth_flow",
  "async_auth_flow",
  "handle_request",
  "handle_async_request",
  "send",
  "add_headers",
  "build_request",
  "prepare_request",
  "request",
  "http_request",
  "https_request",
  "rebuild_auth",
];
/** What a class is made of that is a client, or sees requests. */
const CLIENT_BASE = /(Session|Client|Auth|AuthBase|Transport|Adapter|Handler)\b/;
const BODY = nodeTypes("assignment", "augmented_assignment", "call", "return_statement", "yield");
const CHANGES = nodeTypes("assignment", "call");
/** A condition that chooses by the place where a request goes. */
const CHOOSES_HOST =
  /\b(url|host|hostname|netloc|domain|origin)\b[\s\S]*(==|\bin\b|startswith|endswith|match)|["'][\w-]+\.[\w.-]+["']\s*(==|\bin\b)/;
const MAX_HOPS = 4;
const MAX_VALUES = 8;
const MAX_TEXT = 200;

/** Whether a statement of a hook is only for requests to a place that a condition names. */
function isForHost({ names, definition }: Definition, node: SyntaxNode): boolean {
  for (let at = node.parent; at !== null && at.number !== definition.number; at = at.parent) {
    const condition = /^(if_statement|elif_clause)$/.test(at.type) ? child(at, "condition") : null;
    if (condition !== null && CHOOSES_HOST.test(textOf(names.tree, condition))) return true;
  }
  return false;
}

/** The expressions that a function puts into what it is handed, or gives back. */
function putIn(at: Definition): SyntaxNode[] {
  const { names, definition } = at;
  const body = child(definition, "body");
  if (body === null) return [];
  if (definition.type === "lambda") return [body];
  const own = new Set([...ownParameters(names, definition), "self"]);
  const isOwn = (text: string) => own.has(firstPart(text)) || text.startsWith("super()");
  return [...walk(body, BODY)].filter((node) => !isForHost(at, node)).flatMap((node) => {
    if (node.type === "call") {
      const callee = child(node, "function");
      if (callee === null || !isOwn(textOf(names.tree, callee))) return [];
      const { positional, keywords } = argumentsOf(names.tree, node);
      return [...positional, ...keywords.values()];
    }
    if (/^(return_statement|yield)$/.test(node.type)) return named(node);
    const left = child(node, "left");
    const right = child(node, "right");
    return right !== null && /^(attribute|subscript)$/.test(left?.type ?? "") &&
        isOwn(textOf(names.tree, left!))
      ? [right]
      : [];
  });
}

/** A statement or a call that may give an object a hook, and what it gives something to. */
interface Change {
  text: string;
  number: number;
}

const changes = new WeakMap<PythonNames, Map<string, Change[]>>();

/** The changes of a module to what a name begins. */
function changesOf(names: PythonNames, first: string): { text: string; node: SyntaxNode }[] {
  let known = changes.get(names);
  if (known === undefined) {
    changes.set(names, known = new Map());
    for (const node of walk(names.tree.root, CHANGES)) {
      const changed = child(node, node.type === "call" ? "function" : "left");
      if (!/^(attribute|subscript)$/.test(changed?.type ?? "")) continue;
      const text = textOf(names.tree, changed!).slice(0, MAX_TEXT);
      if (!(node.type === "call" ? ADDS_HOOK : GIVES_HOOK).test(text)) continue;
      const key = firstPart(text);
      known.set(key, [...known.get(key) ?? [], { text, number: node.number }]);
    }
  }
  return (known.get(first) ?? []).map(({ text, number }) => ({
    text,
    node: names.tree.root.numbered(number),
  }));
}

/** What the hooks of a project put into requests. */
export class Hooks {
  readonly #known = new Map<string, ReadonlySet<Label>>();

  constructor(readonly findModule: FindModule, readonly read: ReadAtEnd) {}

  /** Secrets that a function puts into what it is handed. */
  #of(at: Definition): ReadonlySet<Label> {
    const place = `${at.names.tree.path}\0${at.definition.number}`;
    let known = this.#known.get(place);
    if (known !== undefined) return known;
    // Set first, so that hooks that hand on to each other come to an end.
    this.#known.set(place, new Set());
    const nodes = putIn(at);
    const read = nodes.length === 0 ? null : this.read(at);
    known = new Set(nodes.flatMap((each) => [...read!(each)]).filter(isOfProject));
    this.#known.set(place, known);
    return known;
  }

  /** The methods of a class of the project that see requests; with `made`, of a client's class. */
  #methodsOf(names: PythonNames, callee: SyntaxNode, made: boolean): Definition[] {
    const meant = resolve(names, callee) ?? dottedText(names.tree, callee);
    if (meant === null) return [];
    const module = meant.includes(".")
      ? this.findModule(names, meant.slice(0, meant.lastIndexOf(".")))
      : names;
    if (module === undefined) return [];
    const cls = meant.split(".").at(-1)!;
    const found = METHODS.map((each) => module.methods.get(`${cls}.${each}`))
      .filter((each) => each !== undefined);
    const around = found[0] === undefined ? null : ancestor(found[0], "class_definition");
    const bases = around === null ? null : child(around, "superclasses");
    const isClients = bases !== null && CLIENT_BASE.test(textOf(module.tree, bases));
    return made && !isClients ? [] : found.map((definition) => ({ names: module, definition }));
  }

  /** Secrets that what an expression stands for puts into requests. */
  #ofExpression(call: ObservedCall, expression: SyntaxNode, hops = 0): Label[] {
    const { names } = call;
    const node = plainValue(expression);
    if (hops > MAX_HOPS) return [];
    const deeper = (each: SyntaxNode) => this.#ofExpression(call, each, hops + 1);
    if (/^(list|tuple|set|dictionary)$/.test(node.type)) {
      return named(node).flatMap((each) =>
        deeper(each.type === "pair" ? child(each, "value") ?? each : each)
      );
    }
    if (node.type === "lambda") return [...this.#of({ names, definition: node })];
    if (node.type === "identifier" || node.type === "attribute") {
      const found = this.#function(call, node);
      if (found !== null) return [...this.#of(found)];
      const { values } = valuesOf(names, node);
      return [
        ...values.slice(0, MAX_VALUES).filter(({ type }) => type !== "identifier").flatMap(deeper),
        ...this.#added(call, node, hops),
      ];
    }
    if (node.type !== "call") return [];
    const callee = child(node, "function")!;
    const { positional, keywords } = argumentsOf(names.tree, node);
    const all = [...positional, ...keywords.values()];
    const methods = this.#methodsOf(names, callee, false);
    const made = this.#function(call, callee);
    const name = calleeOf(names, callee)?.name ?? "";
    const isKept = methods.length > 0 || made !== null || AUTH.test(name) ||
      name === "functools.partial";
    const given = isKept ? all.flatMap((each) => [...call.labels(each)]) : [];
    const inner = made !== null && methods.length === 0 ? [made] : methods;
    return [
      ...given.filter(isOfProject),
      ...inner.flatMap((each) => [...this.#of(each)]),
      ...all.flatMap(deeper),
    ];
  }

  #function(call: ObservedCall, node: SyntaxNode): Definition | null {
    const dotted = dottedText(call.names.tree, node);
    const found = dotted === null
      ? null
      : call.find(call.names, resolve(call.names, node) ?? dotted);
    return found;
  }

  /** What an object is given after it was made: `session.auth = …`, `session.mount(…)`. */
  #added(call: ObservedCall, object: SyntaxNode, hops: number): Label[] {
    const { names } = call;
    const dotted = dottedText(names.tree, object);
    if (dotted === null || dotted === "self" || hops > MAX_HOPS) return [];
    const around = (node: SyntaxNode) => ancestor(node, "function_definition")?.number;
    const own = around(object);
    const isSame = (node: SyntaxNode) =>
      dotted.startsWith("self.") || around(node) === undefined || around(node) === own;
    const found: Label[] = [];
    for (const { text, node } of changesOf(names, firstPart(dotted))) {
      if (!text.startsWith(`${dotted}.`) || !isSame(node)) continue;
      const rest = text.slice(dotted.length);
      const given = node.type === "call"
        ? ADDS_HOOK.test(rest) ? argumentsOf(names.tree, node).positional : []
        : HOOK_ATTRIBUTE.test(rest)
        ? [child(node, "right")]
        : [];
      for (const each of given) {
        if (each !== null) found.push(...this.#ofExpression(call, each, hops + 1));
      }
    }
    return found;
  }

  /** Secrets that hooks put into the request that a call sends, with a client that `makers` made. */
  along(call: ObservedCall, object: SyntaxNode | null, makers: readonly SyntaxNode[]): Label[] {
    const hooks = [...call.given.keywords].filter(([key]) => HOOKS.test(key)).map(([, each]) =>
      each
    );
    const found: Label[] = [];
    for (const maker of makers) {
      const callee = child(maker, "function");
      const { positional, keywords } = argumentsOf(call.names.tree, maker);
      hooks.push(...[...keywords].filter(([key]) => HOOKS.test(key)).map(([, each]) => each));
      if (callee === null) continue;
      if (/(^|\.)build_opener$/.test(textOf(call.names.tree, callee))) hooks.push(...positional);
      const methods = this.#methodsOf(call.names, callee, true);
      for (const each of methods) found.push(...this.#of(each));
    }
    if (object !== null) found.push(...this.#added(call, object, 0));
    return [...found, ...hooks.flatMap((each) => this.#ofExpression(call, each))];
  }
}

/** Whether a label is a secret, and not what a function is given by whoever calls it. */
function isOfProject(label: Label): boolean {
  return isSecretLabel(label) && !/^(param|var-of):/.test(label);
}
