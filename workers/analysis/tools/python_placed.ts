/**
 * Where the functions of a Python project are that dotted names mean.
 *
 * @module
 */
import type { PythonNames } from "../python/names.ts";
import type { PlacedFunction } from "./declaration.ts";
import type { Constants } from "./python_modules.ts";

/** The function of the project that a dotted name means, or null. */
export function placed(
  constants: Constants,
  names: PythonNames,
  meant: string,
): PlacedFunction | null {
  const found = constants.find(names, meant);
  return found === null ? null : { tree: found.names.tree, node: found.definition };
}
