/**
 * What every Node built-in resolves to in a session host, but for the host's own main module: the
 * import map of `src/execution/hosts/import_map.ts` points here.
 *
 * @module
 */
throw new Error("This module is not available in the sandbox");
