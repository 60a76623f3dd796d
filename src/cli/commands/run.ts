/**
 * `berth run`, which is deprecated.
 *
 * @module
 */

/**
 * Says that `run` is deprecated and what to use instead. It contacts nothing and succeeds
 * whatever the arguments (specification, "Versioning").
 */
export function deprecatedRun(context: { out: (text: string) => void }): void {
  context.out(
    "berth run is deprecated and does nothing.\n" +
      'Use "berth pull NAME" to add the server to the MCP clients on this machine.\n',
  );
}
