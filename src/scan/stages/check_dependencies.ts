/**
 * Stage 3 by itself, as a whole scan would have it.
 *
 * @module
 */
import type { Advisories } from "../advisories/advisories.ts";
import type { DependencyAudit } from "../schema.ts";
import type { ScanInput } from "../stage.ts";
import type { AnalysedDeps } from "./analysed.ts";
import { runDependencies } from "./dependencies.ts";
import { runDiscovery } from "./discovery.ts";

/**
 * What is known against the packages of a repository now. Stage 2 runs first: which projects of the
 * repository are the server's depends on what it reaches.
 *
 * @throws {StageFailure} When the manifests could not be read at all.
 */
export async function checkDependencies(
  deps: AnalysedDeps & { advisories: Advisories },
  input: ScanInput,
  signal: AbortSignal,
): Promise<DependencyAudit> {
  const { folders } = await runDiscovery(deps, input, signal);
  return await runDependencies(deps, { ...input, folders }, signal);
}
