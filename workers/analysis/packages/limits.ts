/**
 * Bounds on versions that ask for no package: constraints, and what is taken in place of what is asked
 * for.
 *
 * @module
 */
import { own, type State } from "./state.ts";
import type { Need } from "./types.ts";

/** What bounds the versions of a package, as if the server asked for it so. */
export function limitsOf({ declared: { limits } }: State, name: string): Need[] {
  const specs = [...own(limits.constraints, name) ?? [], ...own(limits.overrides, name) ?? []];
  return specs.filter((spec) => spec !== "")
    .map((spec) => ({ name, extras: [], specs: [spec], by: "" }));
}

/** Needs, of any version where an override says which. */
export function overridden({ declared: { limits } }: State, needs: readonly Need[]): Need[] {
  return needs.map((need) =>
    own(limits.overrides, need.name) === undefined ? need : { ...need, specs: [""] }
  );
}
