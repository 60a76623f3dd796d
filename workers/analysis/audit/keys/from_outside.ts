/**
 * Attributes of objects that only the users of a project give it: parameters of what nothing in the
 * project calls. What its other modules put into objects of their own is not in these.
 *
 * @module
 */
import { isParameter, plainValue, valuesOf } from "../../python/values/assigned.ts";
import { dottedText, type PythonNames } from "../../python/names.ts";
import { nodeTypes } from "../../syntax/node_types.ts";
import { type SourceTree, textOf } from "../../syntax/source_tree.ts";
import { ancestor, child, named, type SyntaxNode, walk } from "../../syntax/tree.ts";
import { variablesRead } from "./variables.ts";

const CLASSES = nodeTypes("class_definition");
const IDENTIFIERS = nodeTypes("identifier");
/** Ways to come to a class without its name. */
const UNNAMED =
  /__subclasses__|__init_subclass__|\bmetaclass\b|\bgetmembers|\b(?:globals|locals|vars)\(|\bsys\.modules\s*[[.]|__dict__\s*[[.]/;
/** Ways in which a class, or an object of it, makes another object, or itself once more. */
const MAKES_ITSELF = /\bcls\(|\btype\(self\)|__class__|__new__|(?<!super\(\))\.__init__\(/;
const MAX_HOPS = 6;
/** A project without any of these words reads no variable and no file with keys. */
export const SOURCES =
  /environ|getenv|dotenv|decouple|Env\(|Settings|\.(?:ssh|aws|kube|netrc|config|env)\b|history|Cookies|Login Data|wallet|keychain|credential|169\.254|metadata|\/proc\//i;

/** What is known of a project. */
export interface Surroundings {
  modules: ReadonlyMap<string, PythonNames>;
  /** The class of the project that a call makes an object of, with its module. */
  classOf(call: SyntaxNode): [PythonNames, string] | null;
}

/** Whether a call makes an object of a class of the project that reads no key by itself. */
function isEmptyObject(call: SyntaxNode, classOf: Surroundings["classOf"]): boolean {
  const list = child(call, "arguments");
  const [names, name] = classOf(call) ?? [null, ""];
  const made = names?.methods.get(`${name}.__init__`);
  const cls = made === undefined ? null : ancestor(made, "class_definition");
  if (names === null || cls === null || list === null || named(list).length > 0) return false;
  return child(cls, "superclasses") === null && !SOURCES.test(textOf(names.tree, cls));
}

function isImported(node: SyntaxNode): boolean {
  // By another name it is used without its own.
  if (ancestor(node, "aliased_import") !== null) return false;
  return ancestor(node, "import_statement", "import_from_statement") !== null;
}

/** Whether anything in the modules says a name, other than its definition and plain imports. */
function isMentioned(modules: ReadonlyMap<string, PythonNames>, name: string): boolean {
  for (const { tree } of modules.values()) {
    if (UNNAMED.test(tree.text)) return true;
    if (!tree.text.includes(name)) continue;
    if (new RegExp(`\\bgetattr\\([^)]{0,200}["']${name}["']`).test(tree.text)) return true;
    for (const node of walk(tree.root, IDENTIFIERS)) {
      if (textOf(tree, node) !== name || isImported(node)) continue;
      const isDefinition = node.field === "name" &&
        /^(class|function)_definition$/.test(node.parent?.type ?? "");
      if (!isDefinition) return true;
    }
  }
  return false;
}

/** Whether a target is an attribute of what only a method that makes an object has a name for. */
export function isMakersOwn(names: PythonNames, target: SyntaxNode): boolean {
  const object = target.type === "attribute" ? child(target, "object") : null;
  const made = ancestor(target, "function_definition", "lambda");
  const called = made?.type === "function_definition" ? child(made, "name") : null;
  if (object?.type !== "identifier" || called === null) return false;
  if (textOf(names.tree, called) !== "__init__" || textOf(names.tree, object) === "self") {
    return false;
  }
  const { values, open } = valuesOf(names, object);
  return (!open || isParameter(names, object, textOf(names.tree, object))) &&
    values.every((value) => ancestor(value, "function_definition")?.number === made?.number);
}

/** The class or function by whose name a function around `node` is called; null for any name. */
function calledBy(node: SyntaxNode): SyntaxNode | null {
  const definition = ancestor(node, "function_definition", "lambda");
  if (definition?.type !== "function_definition") return null;
  const holder = ancestor(definition, "function_definition", "lambda", "class_definition");
  if (holder !== null && holder.type !== "class_definition") return null;
  const called = holder ?? definition;
  // A decorator may hand it to anybody.
  return [definition, called].some(({ parent }) => parent?.type === "decorated_definition")
    ? null
    : called;
}

/** Whether a class that another one is made of says a word. */
function isInherited(
  modules: ReadonlyMap<string, PythonNames>,
  { tree }: PythonNames,
  cls: SyntaxNode,
  word: string,
): boolean {
  const waiting: [SourceTree, SyntaxNode][] = [[tree, cls]];
  const seen = new Set<string>();
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const list = child(next[1], "superclasses");
    for (const base of list === null ? [] : named(list)) {
      const name = textOf(next[0], base).split(".").at(-1)!;
      if (!/^\w+$/.test(name)) return true;
      if (seen.has(name)) continue;
      seen.add(name);
      for (const { tree: other } of modules.values()) {
        if (!other.text.includes(name)) continue;
        for (const each of walk(other.root, CLASSES)) {
          if (textOf(other, child(each, "name") ?? each) !== name) continue;
          if (new RegExp(`\\b${word}\\b|\\bsetattr\\b`).test(textOf(other, each))) return true;
          waiting.push([other, each]);
        }
      }
    }
  }
  return false;
}

/**
 * The variables whose values an attribute may have besides what is given from outside of the project:
 * `settings.key` of a parameter, `self.key` that is filled from one. Null where it may come from
 * elsewhere in the project.
 */
export function variablesBeside(
  names: PythonNames,
  attribute: SyntaxNode,
  { modules, classOf }: Surroundings,
): ReadonlySet<string> | null {
  let given = false;
  const found = new Set<string>();
  const isOutside = (node: SyntaxNode, hops: number): boolean => {
    const plain = plainValue(node);
    const all = (nodes: readonly SyntaxNode[]) => nodes.every((each) => isOutside(each, hops + 1));
    if (hops > MAX_HOPS) return false;
    switch (plain.type) {
      case "none":
        return true;
      case "boolean_operator":
        return all(named(plain));
      case "conditional_expression":
        return all([plain.children[0]!, plain.children.at(-1)!]);
      case "call": {
        const read = variablesRead(names, plain);
        for (const each of read?.names ?? []) found.add(each);
        return read === null ? isEmptyObject(plain, classOf) : read.names !== null;
      }
      case "attribute": {
        const object = child(plain, "object");
        return object?.type === "identifier" && textOf(names.tree, object) !== "self" &&
          isOutside(object, hops + 1);
      }
      case "identifier": {
        const { values, open } = valuesOf(names, plain);
        const isGiven = isParameter(names, plain, textOf(names.tree, plain));
        given ||= isGiven;
        return (isGiven || !open) && all(values);
      }
      default:
        return false;
    }
  };
  const called = calledBy(attribute);
  const name = called === null ? null : child(called, "name");
  const own = child(attribute, "attribute");
  if (called === null || name === null || own === null) return null;
  let sources: SyntaxNode[] = [attribute];
  if (dottedText(names.tree, attribute) === `self.${textOf(names.tree, own)}`) {
    const { values, open } = valuesOf(names, attribute);
    if (open || !values.every((each) => isOutside(each, 0))) return null;
    sources = values;
    if (isInherited(modules, names, called, textOf(names.tree, own))) return null;
  } else if (!isOutside(attribute, 0)) return null;
  if (called.type === "class_definition") {
    // Whoever is given an object may call its methods, and these may make another one.
    const methods = sources.flatMap((each) => ancestor(each, "function_definition") ?? []);
    const isOpen = methods.some((each) => {
      const method = textOf(names.tree, child(each, "name")!);
      return method !== "__init__" && isMentioned(modules, method);
    });
    if (isOpen || MAKES_ITSELF.test(textOf(names.tree, called))) return null;
  }
  return given && !isMentioned(modules, textOf(names.tree, name)) ? found : null;
}
