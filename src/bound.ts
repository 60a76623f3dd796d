/**
 * Use cases with their dependencies bound: how listeners and pages call them.
 *
 * @module
 */

/** What is left to give when a use case has its dependencies. */
export type Bound<UseCase> = UseCase extends
  (deps: infer _Deps, ...rest: infer Rest) => infer Result ? (...rest: Rest) => Result : never;

/**
 * Binds the dependencies of use cases, which they take first.
 *
 * @example
 * ```ts
 * const { get, list } = bound(deps, { get: getServer, list: listServers });
 * const { server } = await get("weather");
 * ```
 */
export function bound<
  Deps,
  UseCases extends Record<string, (deps: Deps, ...rest: never[]) => unknown>,
>(deps: Deps, useCases: UseCases): { [Name in keyof UseCases]: Bound<UseCases[Name]> } {
  const entries = Object.entries(useCases)
    .map(([name, useCase]) => [name, (...rest: never[]) => useCase(deps, ...rest)]);
  return Object.fromEntries(entries);
}
