/**
 * What a node is called.
 *
 * @module
 */
import { type Config, registryUrl, workerUrl } from "../../config.ts";

/** Longest name of a node. */
const NODE_MAX = 100;

/** What this node is called, here and after a restart. @param config With the listeners' ports. */
export function nodeName(config: Config): string {
  const { port } = new URL(config.ROLE === "worker" ? workerUrl(config) : registryUrl(config));
  return `${Deno.hostname()}${port === "" ? "" : `:${port}`}`.slice(0, NODE_MAX);
}
