/**
 * Loading what a command needs when it runs. Deno loads at the start whatever an address in the
 * source leads to, also in `import(…)`; so that `berth --version` starts as fast as an empty program,
 * the addresses are made here.
 *
 * @module
 */

/**
 * What loads modules of the command line by their paths without the ending.
 *
 * @example
 * ```ts
 * const load = loader<{ "scan/local": typeof import("../scan/local.ts") }>();
 * const { findTools } = await load("scan/local");
 * ```
 */
export function loader<Modules>(): <Name extends keyof Modules & string>(
  name: Name,
) => Promise<Modules[Name]> {
  return async (name) => await import(new URL(`./${name}.ts`, import.meta.url).href);
}
