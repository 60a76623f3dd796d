/**
 * The table of analysers. Each is loaded when first asked for, with its engines.
 *
 * @module
 */
import type { AnalyserName } from "./messages.ts";
import type { Analyser } from "./analyser.ts";

const LOADERS: Record<AnalyserName, () => Promise<{ analyse: Analyser }>> = {
  quality: () => import("./quality/mod.ts"),
  audit: () => import("./audit/mod.ts"),
  discovery: () => import("./discovery/mod.ts"),
  manifests: () => import("./manifests/mod.ts"),
  advisories: () => import("./advisories/mod.ts"),
  facts: () => import("./facts/mod.ts"),
  packages: () => import("./packages/mod.ts"),
  readme: () => import("./readme/mod.ts"),
  secrets: () => import("./secrets/mod.ts"),
};

export async function loadAnalyser(name: AnalyserName): Promise<Analyser> {
  return (await LOADERS[name]()).analyse;
}
