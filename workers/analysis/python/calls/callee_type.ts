/**
 * What is known of a called function.
 *
 * @module
 */
import type { SyntaxNode } from "../../syntax/tree.ts";
import type { CallArguments, PythonNames } from "../names.ts";

/** A called function. */
export interface Callee {
  /** Dotted name, built-ins bare: `os.system`, `eval`, or a name of the module itself. */
  name: string;
  /** How it was hidden; null for an ordinary call. */
  detour: "alias" | "getattr" | "import" | "namespace" | "partial" | "star" | "table" | null;
  /** Arguments that `functools.partial` put before those of the call. */
  bound?: CallArguments;
}

/** Finds the function behind an expression that is called, `hops` deep in other questions. */
export type FindCallee = (names: PythonNames, node: SyntaxNode, hops?: number) => Callee | null;
