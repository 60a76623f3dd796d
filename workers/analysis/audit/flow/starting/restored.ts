/**
 * Classes that data names, of which objects are made again: `getattr(m, name).from_json(text)`. They
 * are what a package stores, as long as nothing of that name in it does more than make objects.
 *
 * @module
 */
import { dottedText, type PythonNames } from "../../../python/names.ts";
import { modulesBeside, placeOf } from "../../../python/values/elsewhere.ts";
import { nodeTypes } from "../../../syntax/node_types.ts";
import { textOf } from "../../../syntax/source_tree.ts";
import { ancestor, child, type SyntaxNode, walk } from "../../../syntax/tree.ts";

const IDENTIFIERS = nodeTypes("identifier");
const FUNCTIONS = nodeTypes("function_definition");
const CALLS = nodeTypes("call");
/** What makes an object of plain data again: no function that runs, fetches or starts is called so. */
const RESTORES = /^(from_(json|dict|dictionary|mapping|record|row))$/;
/** What does more than to make objects, or hides that it does. */
const DOES_MORE =
  /\b(exec\w*|eval|compile|__\w*import\w*__|import_module|globals|locals|vars|setattr|__builtins__|builtins|os|subprocess|pty|shutil|socket|ctypes|marshal|c?[pP]ickle|dill|runpy|FunctionType|CodeType|system|[pP]open|spawn\w*|codeop|urlopen|requests|httpx)\b/;
/** Functions that are followed from such a method. */
const MAX_FOLLOWED = 50;

type Place = [PythonNames, SyntaxNode];

/** The functions of the package that a definition calls by their names. */
function* called([names, definition]: Place): Iterable<Place> {
  for (const call of walk(definition, CALLS)) {
    const callee = child(call, "function");
    const dotted = callee === null ? null : dottedText(names.tree, callee);
    if (dotted === null) continue;
    const own = names.functions.get(dotted) ??
      names.methods.get(dotted.replace(/^(self|cls)\./, ""));
    if (own !== undefined) yield [names, own];
    const [module, name] = placeOf(names, dotted) ?? [null, ""];
    const other = module?.functions.get(name);
    if (module !== null && other !== undefined) yield [module, other];
  }
}

/** Whether a definition, and what it calls of the package, only makes objects. */
function onlyMakes(start: Place): boolean {
  const left = [start];
  const seen = new Map<PythonNames, Set<number>>();
  let followed = 0;
  for (let place = left.pop(); place !== undefined; place = left.pop()) {
    const [names, definition] = place;
    const before = seen.get(names) ?? new Set();
    if (before.has(definition.number)) continue;
    seen.set(names, before.add(definition.number));
    if (++followed > MAX_FOLLOWED || DOES_MORE.test(textOf(names.tree, definition))) return false;
    left.push(...called(place));
  }
  return true;
}

/** Whether every method of the package with this name makes objects, and is what its class defines. */
function isPlain(names: PythonNames, method: string): boolean {
  // `from_json = exec`, `setattr(cls, "from_json", exec)`: another function by that name.
  const given = new RegExp(
    `\\b${method}\\s*(=(?!=)|:=)|\\b(setattr|type)\\b[^\\n]*["']${method}["']|["']${method}["']\\s*[\\]:]|` +
      `\\bas\\s+${method}\\b`,
  );
  return modulesBeside(names).every((module) => {
    const { text, root } = module.tree;
    if (!text.includes(method)) return true;
    return !given.test(text) && [...walk(root, FUNCTIONS)].every((definition) => {
      const name = child(definition, "name");
      return name === null || textOf(module.tree, name) !== method ||
        onlyMakes([module, definition]);
    });
  });
}

/** Whether all that is done with an expression's value is to call its method that restores objects. */
function onlyRestores(names: PythonNames, node: SyntaxNode): boolean {
  const holder = node.parent;
  if (holder?.type !== "attribute" || child(holder, "object")?.number !== node.number) return false;
  const method = child(holder, "attribute");
  const call = holder.parent;
  if (method === null || call?.type !== "call") return false;
  const name = textOf(names.tree, method);
  return child(call, "function")?.number === holder.number && RESTORES.test(name) &&
    isPlain(names, name);
}

/**
 * Whether what is looked up is a class of which only objects are restored: `getattr(m, name)` whose
 * `from_json` is called, at once or by a name of its function that is used for nothing else.
 */
export function isRestored(names: PythonNames, node: SyntaxNode): boolean {
  if (onlyRestores(names, node)) return true;
  const given = node.parent;
  const target = given?.type === "assignment" ? child(given, "left") : null;
  const around = ancestor(node, "function_definition", "lambda");
  if (target?.type !== "identifier" || around?.type !== "function_definition") return false;
  const name = textOf(names.tree, target);
  return [...walk(around, IDENTIFIERS)].every((each) =>
    textOf(names.tree, each) !== name || each.number === target.number || onlyRestores(names, each)
  );
}
