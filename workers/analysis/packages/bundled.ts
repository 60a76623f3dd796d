/**
 * The libraries that Berth's runtime itself is made of: sessions have them in one version, whatever
 * a server asks for.
 *
 * @module
 */
import { needsOf } from "./requirement.ts";
import { UNKNOWN } from "./search.ts";
import { type Installation, own } from "./state.ts";
import type { Candidate, Need } from "./types.ts";

/** What such a library, or a package of the installation, requires of them. */
export function bundledNeeds({ bundled, requires }: Installation, name: string): Need[] {
  return needsOf(own(requires, name) ?? [], { by: name, extras: [] })
    .filter((need) => own(bundled, need.name) !== undefined);
}

/** Those that `needs` ask for, with those that they require. */
export function bundledFor(
  needs: readonly Need[],
  installation: Installation,
): Map<string, Omit<Candidate, "requires" | "metadata">> {
  const { requires: _requires, metadata: _metadata, ...facts } = UNKNOWN;
  const found = new Map<string, typeof facts>();
  const open = needs.map(({ name }) => name);
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    const version = own(installation.bundled, name);
    if (version === undefined || found.has(name)) continue;
    found.set(name, { ...facts, version });
    open.push(...bundledNeeds(installation, name).map((need) => need.name));
  }
  return found;
}
