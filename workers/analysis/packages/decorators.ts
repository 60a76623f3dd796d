/**
 * Decorators that do not call the function which they are given: those of the standard library, and
 * the package's own that only put it into another function (`def wrapper(*args): return func(*args)`).
 *
 * @module
 */
import { argumentsOf, dottedText, firstPart, type PythonNames, resolve } from "../python/names.ts";
import { nodeTypes } from "../syntax/node_types.ts";
import { textOf } from "../syntax/source_tree.ts";
import { ancestor, child, named, type SyntaxNode, walk } from "../syntax/tree.ts";

type Modules = ReadonlyMap<string, PythonNames>;

const NAMES = nodeTypes("identifier");
const DEFINITIONS = nodeTypes("function_definition");
/** Decorators that hand on what they are given, or call it when somebody calls the result. */
const HARMLESS =
  /^(staticmethod|classmethod|abc\.abstractmethod|functools\.(lru_cache|cache|wraps|singledispatch)|typing\.(overload|final|no_type_check)|warnings\.deprecated|contextlib\.(async)?contextmanager)$/;
/** What reads of a function without calling it. */
const LOOKS =
  /^(functools\.(wraps|update_wrapper)|inspect\.(signature|iscoroutinefunction|isfunction|getdoc)|asyncio\.iscoroutinefunction|callable|id|repr|str)$/;
/** What reaches a name otherwise than by saying it. */
const REACHES = /\b(eval|exec|compile|locals|globals|vars|_getframe|currentframe|gc|nonlocal)\b/;

/** The name of the decorator, of which there may be arguments. */
function nameOf(decorator: SyntaxNode): { name: SyntaxNode; isCalled: boolean } | null {
  const [expression] = named(decorator);
  if (expression?.type !== "call") {
    return expression === undefined ? null : { name: expression, isCalled: false };
  }
  const name = child(expression, "function");
  return name === null ? null : { name, isCalled: true };
}

function decoratorsOf(definition: SyntaxNode): SyntaxNode[] {
  const { parent } = definition;
  if (parent?.type !== "decorated_definition") return [];
  return named(parent).filter(({ type }) => type === "decorator");
}

/** Whether an identifier is only looked at: `func.__name__`, `wraps(func)`. */
function isLookedAt(names: PythonNames, node: SyntaxNode): boolean {
  const { parent } = node;
  if (parent?.type === "attribute" && node.field === "object") {
    const attribute = textOf(names.tree, child(parent, "attribute")!);
    const isCalled = parent.parent?.type === "call" && parent.field === "function";
    return !isCalled && /^__(name|doc|module|qualname|annotations|wrapped)__$/.test(attribute);
  }
  if (parent?.type !== "argument_list") return false;
  const callee = child(parent.parent!, "function");
  return callee !== null && LOOKS.test(resolve(names, callee) ?? "");
}

/** Whether the function in which a decorator puts another is only what it gives back. */
function isGivenBack(names: PythonNames, outer: SyntaxNode, inner: SyntaxNode): boolean {
  const name = textOf(names.tree, child(inner, "name")!);
  const isWrapped = decoratorsOf(inner).every((each) => {
    const called = nameOf(each)?.name;
    return called !== undefined && resolve(names, called) === "functools.wraps";
  });
  return isWrapped && usesOf(names, outer, name).every((each) => {
    if (each.parent?.number === inner.number && each.field === "name") return true;
    if (each.parent?.type === "return_statement") {
      return ancestor(each, "function_definition")?.number === outer.number;
    }
    const target = each.parent?.type === "attribute" && each.field === "object"
      ? each.parent
      : null;
    return target?.parent?.type === "assignment" && target.field === "left";
  });
}

function usesOf({ tree }: PythonNames, node: SyntaxNode, name: string): SyntaxNode[] {
  return [...walk(node, NAMES)].filter((each) =>
    textOf(tree, each) === name &&
    !(each.parent?.type === "attribute" && each.field === "attribute") &&
    !(each.parent?.type === "keyword_argument" && each.field === "name")
  );
}

/** The one parameter of a function; null where it has others. */
function onlyParameter({ tree }: PythonNames, definition: SyntaxNode): string | null {
  const parameters = named(child(definition, "parameters")!);
  const [first] = parameters;
  if (parameters.length !== 1 || first === undefined) return null;
  const own = first.type === "typed_parameter" ? named(first)[0]! : first;
  return own.type === "identifier" ? textOf(tree, own) : null;
}

/** Whether a function gives back what it is given, or another that calls it, and calls it nowhere else. */
function wrapsOnly(names: PythonNames, definition: SyntaxNode): boolean {
  const given = onlyParameter(names, definition);
  if (given === null) return false;
  const inner = [...walk(child(definition, "body")!, DEFINITIONS)].filter((each) =>
    ancestor(each, "function_definition", "lambda")?.number === definition.number
  );
  if (!inner.every((each) => isGivenBack(names, definition, each))) return false;
  return usesOf(names, child(definition, "body")!, given).every((each) => {
    if (isLookedAt(names, each)) return true;
    if (each.parent?.type === "return_statement") {
      return ancestor(each, "function_definition", "lambda")?.number === definition.number;
    }
    const isCalled = each.parent?.type === "call" && each.field === "function";
    return isCalled && inner.some((one) => {
      const body = child(one, "body")!;
      return each.start >= body.start && each.end <= body.end &&
        ancestor(each, "function_definition", "lambda")?.number === one.number;
    });
  });
}

/** The one function of a package that has a name, where nothing else has it. */
function onlyFunction(
  modules: Modules,
  name: string,
): { names: PythonNames; node: SyntaxNode } | null {
  const given = new RegExp(
    `\\b${name}\\s*(?::[^=\\n]*)?=(?!=)|\\b(?:class|as|for|global)\\s+${name}\\b`,
  );
  const found: { names: PythonNames; node: SyntaxNode }[] = [];
  for (const names of modules.values()) {
    if (!names.tree.text.includes(name)) continue;
    if (given.test(names.tree.text)) return null;
    for (const node of walk(names.tree.root, DEFINITIONS)) {
      if (textOf(names.tree, child(node, "name")!) === name) found.push({ names, node });
    }
  }
  return found.length === 1 ? found[0]! : null;
}

/** Whether a function of the package, used as a decorator, leaves to callers when the other runs. */
function ownWraps(modules: Modules, name: string, isCalled: boolean): boolean {
  const found = onlyFunction(modules, name);
  if (found === null) return false;
  const { names, node } = found;
  if (node.parent?.type !== "module" || REACHES.test(textOf(names.tree, node))) return false;
  if (!isCalled) return wrapsOnly(names, node);
  const inner = [...walk(child(node, "body")!, DEFINITIONS)].filter((each) =>
    ancestor(each, "function_definition", "lambda")?.number === node.number
  );
  return inner.length === 1 && isGivenBack(names, node, inner[0]!) &&
    decoratorsOf(inner[0]!).length === 0 && wrapsOnly(names, inner[0]!);
}

/** Whether nothing that decorates a function may run it. */
export function onlyWrapped(
  modules: Modules,
  names: PythonNames,
  definition: SyntaxNode,
): boolean {
  return decoratorsOf(definition).every((each) => {
    const found = nameOf(each);
    const written = found === null ? null : dottedText(names.tree, found.name);
    if (found === null || written === null) return false;
    const meant = resolve(names, found.name) ?? written;
    if (HARMLESS.test(meant)) {
      // `lru_cache(f)` of another function is given that one.
      const call = found.isCalled ? found.name.parent! : null;
      const given = call === null ? [] : argumentsOf(names.tree, call).positional;
      return given.every(({ type }) => /^(integer|none|string|identifier)$/.test(type));
    }
    const own = written.split(".").at(-1)!;
    const head = firstPart(written);
    const isOwn = names.functions.has(written) ||
      [...modules.values()].some((each) => each !== names && each.functions.has(own)) &&
        names.bindings.has(head);
    return isOwn && ownWraps(modules, own, found.isCalled);
  });
}
