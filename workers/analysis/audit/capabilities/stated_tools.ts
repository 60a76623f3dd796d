/**
 * Classes of tools that say by themselves what they are for, as frameworks of agents have them: with a
 * name, a description and a method that runs them. Which of them a server offers shows only when it
 * runs.
 *
 * @module
 */
import type { Project } from "../../project.ts";
import { moduleValues } from "../../python/values/assigned.ts";
import { stringValue } from "../../python/values/literals.ts";
import type { PythonNames } from "../../python/names.ts";
import { nodeTypes } from "../../syntax/node_types.ts";
import { type SourceTree, textOf } from "../../syntax/source_tree.ts";
import { ancestor, child, named, type SyntaxNode, walk } from "../../syntax/tree.ts";
import type { ToolDeclaration } from "../../tools/declaration.ts";
import { describesAnother } from "./class_calls.ts";

/** Methods that are called with what a model writes, and those that only the class itself calls. */
const RUNS =
  /^(__call__|a?(run|execute|call|invoke|forward)|(run|execute|call|invoke)_async|_[a-z]\w*)$/;
const CLASSES = nodeTypes("class_definition");
const CALLS = nodeTypes("call");
/** What gives an object another text than its class has: in a class, and anywhere. */
const OWN_CHANGE =
  /\bself\.(?:name|description)\s*(?::[^=\n]+)?=(?!=)|\bdef\s+(?:name|description|__getattr\w*__)\b|\bsetattr\b|\bself\.__dict__|\bvars\(/;
const CHANGE =
  /(?<!\bself)\.description\s*(?::[^=\n]+)?=(?!=)|\bsetattr\(\s*(?!self\b)[^,\n]+,\s*(?!["'](?!name["']|description["']))|\b(?:model_copy|model_construct)\(|\breplace\([^)\n]*\bdescription=/;
const MAX_HOPS = 20;

/** What a class says of itself by an attribute; null unless it is one text. */
function stated(names: PythonNames, cls: string, attribute: string): string | null {
  const { values, open } = moduleValues(names, `${cls}.${attribute}`);
  const [value] = values;
  return open || values.length !== 1 ? null : stringValue(names.tree.text, value!);
}

interface Class {
  names: PythonNames;
  node: SyntaxNode;
  name: string;
  bases: string[];
}

function lastPart(text: string): string {
  return text.split(".").at(-1)!;
}

function declares(tree: SourceTree, call: SyntaxNode): boolean {
  const list = child(call, "arguments");
  return list !== null && named(list).some((each) =>
    each.type !== "keyword_argument" ||
    /^(?:name|description)$/.test(textOf(tree, child(each, "name")!))
  );
}

/** The classes of a project, and what they say they are for. */
export class StatedTools {
  readonly #classes: Class[] = [];
  readonly #modules: PythonNames[];
  readonly #changes: boolean;

  constructor(project: Project) {
    this.#modules = project.trees.filter((tree) => project.mayRun(tree))
      .flatMap(({ path }) => project.python.get(path) ?? []);
    this.#changes = this.#modules.some((names) =>
      CHANGE.test(names.tree.text) ||
      [...walk(names.tree.root, CALLS)].some((call) => describesAnother(names, call))
    );
    for (const names of this.#modules) {
      for (const node of walk(names.tree.root, CLASSES)) {
        const list = child(node, "superclasses");
        const bases = (list === null ? [] : named(list))
          .map((each) => lastPart(textOf(names.tree, each)));
        this.#classes.push({ names, node, name: textOf(names.tree, child(node, "name")!), bases });
      }
    }
  }

  /** Classes that are in a line with one: what it is made of, or what is made of it. */
  #line(cls: Class, next: (of: Class, each: Class) => boolean): Class[] {
    const found = [cls];
    for (let at = 0; at < found.length && at < MAX_HOPS; at++) {
      const more = this.#classes.filter((each) => !found.includes(each) && next(found[at]!, each));
      found.push(...more);
    }
    return found;
  }

  /** Whether objects of a class may be given another text than the class has. */
  #isMadeWithOther({ name }: Class): boolean {
    return this.#modules.some(({ tree }) =>
      tree.text.includes(name) &&
      [...walk(tree.root, CALLS)].some((call) =>
        lastPart(textOf(tree, child(call, "function")!)) === name && declares(tree, call)
      )
    );
  }

  #toolOf(cls: Class, definition: SyntaxNode, bodyTree: SourceTree): ToolDeclaration | null {
    const above = this.#line(cls, (of, each) => of.bases.includes(each.name));
    if (above.some(({ names, node }) => OWN_CHANGE.test(textOf(names.tree, node)))) return null;
    if (this.#changes || this.#isMadeWithOther(cls)) return null;
    const said = (attribute: string) => {
      for (const { names, name } of above) {
        if (moduleValues(names, `${name}.${attribute}`).values.length > 0) {
          return stated(names, name, attribute);
        }
      }
      return null;
    };
    const [name, description] = [said("name"), said("description")];
    if (name === null || description === null) return null;
    const { names: { tree }, node } = cls;
    return {
      name: name.slice(0, 200),
      tree,
      node,
      description,
      body: definition,
      bodyTree,
      signature: "",
      annotations: null,
    };
  }

  /**
   * The tools whose classes have a method that runs them, their own or one that they inherit; null for
   * each that does not say what it is for.
   */
  of(names: PythonNames, definition: SyntaxNode): (ToolDeclaration | null)[] {
    const around = ancestor(definition, "class_definition", "function_definition");
    const method = child(definition, "name");
    const cls = this.#classes.find(({ names: { tree }, node }) =>
      tree === names.tree && node.number === around?.number
    );
    if (cls === undefined || method === null) return [null];
    if (!RUNS.test(textOf(names.tree, method))) return [null];
    return this.#line(cls, (of, each) => each.bases.includes(of.name))
      .map((each) => this.#toolOf(each, definition, names.tree));
  }
}
