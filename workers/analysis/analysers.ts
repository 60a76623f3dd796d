/**
 * The table of analysers. Each is loaded when first asked for, with its engines.
 *
 * @module
 */
import type { AnalyserName } from "./messages.ts";
import type { Analyser } from "./analyser.ts";
import { moduleOnDemand } from "./on_demand.ts";

const load = (folder: string) =>
  moduleOnDemand<{ analyse: Analyser }>(import.meta.url, `./${folder}/mod.ts`);

const LOADERS: Record<AnalyserName, () => Promise<{ analyse: Analyser }>> = {
  quality: load("quality"),
  audit: load("audit"),
  discovery: load("discovery"),
  manifests: load("manifests"),
  advisories: load("advisories"),
  facts: load("facts"),
  icon: load("icon"),
  card: load("card"),
  packages: load("packages"),
  readme: load("readme"),
  secrets: load("secrets"),
};

export async function loadAnalyser(name: AnalyserName): Promise<Analyser> {
  return (await LOADERS[name]()).analyse;
}
