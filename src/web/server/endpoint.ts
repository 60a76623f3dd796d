/**
 * The address of a server for MCP clients.
 *
 * @module
 */

/** The address that MCP clients call. */
export function endpointOf(workerUrl: string, name: string): string {
  return `${workerUrl}/mcp?name=${name}`;
}
