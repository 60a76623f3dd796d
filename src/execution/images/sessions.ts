/**
 * The image that a session begins with, and what a session that has begun says of images to make.
 *
 * @module
 */
import { chooseImage, type ImageCatalogue } from "../hosts/images.ts";
import type { CodeInput, LoadOutcome } from "../interpreters/types.ts";
import type { MadeImages } from "./maker.ts";

/**
 * The largest image that fits the server and its session, and is whole; null for none. A parked
 * session goes on with its own.
 */
export async function imageFor(
  catalogue: ImageCatalogue,
  made: MadeImages | undefined,
  { profile, imports, scanned, files, environment, packages, parked }: CodeInput,
): Promise<string | null> {
  if (parked !== undefined) {
    const { image } = parked;
    // Kept as one in use; one that is gone ends the session.
    if (image !== null && Object.hasOwn(made?.images() ?? {}, image)) await made!.use(image);
    return image;
  }
  if (profile === "restricted" || imports === undefined) return null;
  const server = {
    imports,
    modules: scanned?.modules ?? [],
    files,
    variables: Object.keys(environment),
    packages,
  };
  for (;;) {
    const own = made?.images() ?? {};
    const images = { ...catalogue.images, ...own };
    const image = chooseImage({ ...catalogue, images }, server);
    // One that is damaged is there no more.
    if (image === null || !Object.hasOwn(own, image) || await made!.use(image)) return image;
  }
}

/** A server that runs, or would if it had its variables, may have an image made for later sessions. */
export function noteServer(
  made: MadeImages | undefined,
  { server, author, profile, imports, scanned, files, parked, packages }: CodeInput,
  load: LoadOutcome,
): void {
  if (parked !== undefined) return;
  // With many packages of its own the first start may be too slow, and those with an image are not.
  const isSlow = load.kind === "raised" && load.cause?.kind === "hangs" &&
    (packages?.set ?? null) !== null;
  const runs = load.kind === "loaded" || isSlow ||
    (load.kind === "raised" && load.missing_environment !== undefined);
  if (profile === "restricted" || imports === undefined || !runs) return;
  made?.wanted({
    imports,
    modules: scanned?.modules ?? [],
    paths: files.keys(),
    packages,
    author: author ?? server,
  });
}

/** What keeps files of this node. */
interface Keepers {
  made?: MadeImages | undefined;
  holdPackages?: ((files: readonly string[]) => () => void) | undefined;
}

/** Files of this node that a session has begun with. */
export interface KeptFiles extends Pick<CodeInput, "packages"> {
  image: string | null;
}

/** Keeps what a parked session needs to go on. @returns What ends that. */
export function keepFiles(keepers: Keepers, { packages, image }: KeptFiles): () => void {
  const { holdImage, end } = holdFiles(keepers, { packages });
  holdImage(image);
  return end;
}

/** Keeps what a session may read of this node's files, until it is over. */
export function holdFiles(
  { made, holdPackages }: Keepers,
  { packages }: Pick<CodeInput, "packages">,
): { holdImage: (image: string | null) => void; end: () => void } {
  const ends = [holdPackages?.(Object.values(packages?.files ?? {}))];
  return {
    holdImage(image) {
      if (image !== null) ends.push(made?.hold(image));
    },
    end: () => ends.forEach((end) => end?.()),
  };
}
