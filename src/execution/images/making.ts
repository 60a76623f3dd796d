/**
 * What making an image takes: other processes, of which this says what they must do.
 *
 * @module
 */
import type { NeededImage } from "./needed.ts";
import type { Package } from "./packed.ts";

/** What came of importing the modules in a preparing host; no pages where some were refused. */
export interface MadePages {
  pages: Uint8Array;
  /** Environment variables that the packages read. */
  reads: string[];
  /** Modules that no image may have, each with the reason. */
  refused: Record<string, string>;
  /** Packages that are in it. */
  packages: string[];
}

/** What bounds a try beside its memory. */
export interface MakingLimits {
  signal: AbortSignal;
  /** It may take as long as the slowest honest packages; else as long as nearly all do. */
  isLate: boolean;
}

/** A making that took too long, which a machine with less to do may finish. */
export class OutOfTime extends Error {}

/** Has images made and tried, each in a process of its own. */
export interface ImageMaking {
  /** Rejects when there can be no such image. */
  make(
    needed: NeededImage,
    packages: readonly Package[],
    limits: MakingLimits,
  ): Promise<MadePages>;
  /** Starts a server with the image `name` of the node's folder; rejects when that fails. */
  attempt(name: string, needed: NeededImage, limits: MakingLimits): Promise<void>;
}
