/**
 * What is said of images that a node made.
 *
 * @module
 */
import type { KnownImage } from "../hosts/images.ts";
import type { ImageContent } from "./content.ts";
import type { ImageOutcome } from "./outcomes.ts";

/** What a node has made and is about to try. */
export interface NewImage {
  packages: string[];
  modules: string[];
  /** See {@link KnownImage}. */
  own: string | null;
  reads: string[];
  pages: Uint8Array;
  /** What its packages read of their files, packed; null for nothing. */
  files: Uint8Array | null;
}

/** How many there are now, and how much of the disk they take. */
export interface StoreFigures {
  images: number;
  bytes: number;
}

/** Keeps images within bounds. */
export interface ImageStore {
  /** The images that there are, by name. */
  images(): Readonly<Record<string, KnownImage>>;
  /**
   * Notes that a session is about to begin with it; false when it is damaged or gone, and then it is
   * no longer there.
   */
  use(name: string): Promise<boolean>;
  /** A session begins with it, and may read it until that is over. @returns What ends that. */
  hold(name: string): () => void;
  /** Keeps an image under `name` once `attempt` has run with the name that it has meanwhile. */
  put(name: string, image: NewImage, attempt: (name: string) => Promise<void>): Promise<void>;
  /** What it is known by between nodes; null when there is no such image any more. */
  digest(name: string): string | null;
  /** The name here of the image with that digest; null when there is none. */
  named(digest: string): string | null;
  /** What another node needs of it; null when it is damaged or gone. */
  content(name: string): Promise<ImageContent | null>;
  /** Keeps an image of another node. @throws {Error} When it is not the one with that digest. */
  receive(digest: string, content: ImageContent): Promise<void>;
  outcome(key: string): ImageOutcome | null;
  setOutcome(key: string, outcome: ImageOutcome): Promise<void>;
  figures(): StoreFigures;
}
