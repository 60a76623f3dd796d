/**
 * Makes images while a node runs, in preparing hosts: behind the walls of session hosts, without
 * network and variables, and with nothing of a server in them.
 *
 * @module
 */
import type { ImageCatalogue } from "../execution/hosts/images.ts";
import { packagesFor, withOwn } from "../execution/hosts/images.ts";
import { type ImageMaking, type MakingLimits, OutOfTime } from "../execution/images/making.ts";
import type { NeededImage } from "../execution/images/needed.ts";
import { type ImagePlan, IMAGES } from "./image_plans.ts";
import { makeImage, tryImages } from "./images.ts";
import type { PreparingBounds } from "./prepare.ts";

/** Many times what nearly all packages take. */
const FIRST_TIMEOUT_MS = 60_000;
/** Many times what the largest honest packages take: they get what a busy machine has left over. */
const LATE_TIMEOUT_MS = 300_000;
/** The most that an image may write over the memory of a session. */
const PAGES_MAX_BYTES = 128 << 20;
/** As builds. */
const NICENESS = 10;

/** What setup knows of packages among `needed`: modules that they import late, and trials. */
function plansFor(
  catalogue: ImageCatalogue["packages"],
  { packages, own }: NeededImage,
): Pick<ImagePlan, "modules" | "imports" | "trial">[] {
  return [IMAGES["pydantic"]!, IMAGES["httpx"]!].filter(({ imports }) => {
    const required = packagesFor(withOwn(catalogue, own ?? undefined), imports);
    return required.size > 0 && [...required].every((name) => packages.includes(name));
  });
}

/** Whether a session has all of it from its first moment. */
function trialOf(modules: readonly string[]): string {
  return `
import sys
missing = [name for name in ${JSON.stringify(modules)} if name not in sys.modules]
assert not missing, missing
del missing
`;
}

/** How images of the interpreter at `place` are made; a session may have `memoryMb`. */
export function nodeImageMaking(
  place: { folder: string; cache: string },
  { catalogue, memoryMb, timeouts, niceness = NICENESS }: {
    catalogue: ImageCatalogue["packages"];
    memoryMb: number;
    timeouts?: { first: number; late: number };
    niceness?: number;
  },
): ImageMaking {
  const { first, late } = timeouts ?? { first: FIRST_TIMEOUT_MS, late: LATE_TIMEOUT_MS };
  const timeoutOf = ({ isLate }: MakingLimits) => isLate ? late : first;
  const bounds = (limits: MakingLimits): PreparingBounds => ({
    memoryMb,
    timeoutMs: timeoutOf(limits),
    madeBytes: PAGES_MAX_BYTES,
    niceness,
    signal: limits.signal,
  });
  /** What was out of time may go well when the machine has less to do. */
  async function inTime<T>(limits: MakingLimits, work: () => Promise<T>): Promise<T> {
    const begun = performance.now();
    try {
      return await work();
    } catch (error) {
      if (performance.now() - begun < timeoutOf(limits)) throw error;
      throw new OutOfTime(error instanceof Error ? error.message : String(error));
    }
  }
  return {
    async make(needed, packages, limits) {
      const lateModules = plansFor(catalogue, needed).flatMap(({ imports, modules }) => [
        ...imports,
        ...modules,
      ]);
      const modules = [...new Set([...lateModules, ...needed.modules])];
      return await inTime(limits, () =>
        makeImage(
          place,
          { imports: [], modules, own: needed.own?.told ?? null },
          packages,
          bounds(limits),
        ));
    },
    async attempt(name, needed, limits) {
      const trials = plansFor(catalogue, needed).map(({ trial }) => trial);
      const trial = [trialOf(needed.modules), ...trials].join("\n");
      const plan = { [name]: { trial, own: needed.own } };
      await inTime(limits, () => tryImages(place, plan, bounds(limits)));
    },
  };
}
