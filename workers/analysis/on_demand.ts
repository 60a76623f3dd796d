/**
 * Modules and packages that are loaded when they are first used. Deno resolves and reads at the
 * start whatever an address in the source leads to, deferred or in `import(…)` as well, which takes
 * longer than most scans need them for. Here addresses are made when they are needed.
 *
 * @module
 */
import { createRequire } from "node:module";

// From here on, only folders that an analysis process may read are looked through.
const require = createRequire(new URL("../../node_modules/", import.meta.url));

/**
 * Gives the package `name`, which is loaded at the first call.
 *
 * @example
 * ```ts
 * const semver = packageOnDemand<typeof import("semver")>("semver");
 * semver().compare("1.0.0", "2.0.0");
 * ```
 */
export function packageOnDemand<Package>(name: string): () => Package {
  let loaded: Package | undefined;
  return () => loaded ??= require(name) as Package;
}

/**
 * Gives the module at `path` from the one at `base`, which is loaded at the first call.
 *
 * @example
 * ```ts
 * const load = moduleOnDemand<typeof import("./go.ts")>(import.meta.url, "./go.ts");
 * const { goTools } = await load();
 * ```
 */
export function moduleOnDemand<Module>(base: string, path: string): () => Promise<Module> {
  return async () => await import(new URL(path, base).href);
}
