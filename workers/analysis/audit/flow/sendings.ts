/**
 * What functions of a project, and the objects of its classes, send of their parameters.
 *
 * @module
 */
import { calleeOf } from "../../python/calls/callee.ts";
import { argumentsOf, type PythonNames } from "../../python/names.ts";
import { nodeTypes } from "../../syntax/node_types.ts";
import { child, type SyntaxNode, walk } from "../../syntax/tree.ts";
import type { FindModule } from "../keys/held.ts";
import { Hooks } from "../keys/hooks.ts";
import { sendingOf } from "../keys/passed_on.ts";
import { methodsOfMade } from "./named_functions.ts";
import type { FindFunction, ObservedCall, Sending } from "./observed.ts";
import { Scope } from "./scope.ts";

const CALLS = nodeTypes("call");

/** What the flow does with a function that is looked at by itself. */
export interface Looks {
  findModule: FindModule;
  /** What a function's names hold at its end, its parameters standing for themselves. */
  scopeOf(names: PythonNames, definition: SyntaxNode, body: SyntaxNode): Scope;
  observedAt(
    names: PythonNames,
    scope: Scope,
    call: Pick<ObservedCall, "node" | "callee" | "given">,
  ): ObservedCall;
}

/** Finds what functions send; each is looked at once. */
export class Sendings {
  readonly #looks: Looks;
  /** What clients put into requests by functions that they hand them. */
  readonly hooks: Hooks;
  readonly #known = new Map<string, readonly Sending[]>();

  constructor(looks: Looks) {
    this.#looks = looks;
    this.hooks = new Hooks(looks.findModule, ({ names, definition }) => {
      const body = child(definition, "body") ?? definition;
      const scope = looks.scopeOf(names, definition, body);
      const call = {
        node: definition,
        callee: null,
        given: { positional: [], keywords: new Map() },
      };
      return looks.observedAt(names, scope, call).labels;
    });
  }

  of({ names, definition }: NonNullable<ReturnType<FindFunction>>): readonly Sending[] {
    const place = `${names.tree.path}\0${definition.number}`;
    const known = this.#known.get(place);
    const body = child(definition, "body");
    if (known !== undefined || body === null) return known ?? [];
    // Set first, so that functions that call each other come to an end.
    this.#known.set(place, []);
    const scope = this.#looks.scopeOf(names, definition, body);
    const kept = new Scope([...scope].filter(([name]) => name.startsWith("self.")));
    const found = [
      ...this.#in(names, body, scope),
      ...methodsOfMade(names, definition).flatMap((each) => this.#in(names, each, kept)),
    ];
    this.#known.set(place, found);
    return found;
  }

  #in(names: PythonNames, body: SyntaxNode, scope: Scope): Sending[] {
    return [...walk(body, CALLS)].flatMap((node) => {
      const expression = child(node, "function");
      const call = {
        node,
        callee: expression === null ? null : calleeOf(names, expression),
        given: argumentsOf(names.tree, node),
      };
      return sendingOf(this.#looks.observedAt(names, scope, call)) ?? [];
    });
  }
}
