/**
 * Makes images: what a session of a server that imports packages begins with. Each is kept as its
 * difference from the common snapshot.
 *
 * @module
 */
import { z } from "zod";
import { SetupError } from "./files.ts";
import type { ImagePlan } from "./image_plans.ts";
import { type Part, withPreparingHost } from "./prepare.ts";

const SERVER = `
from mcp.server.fastmcp import FastMCP
FastMCP("trial").run()
`;

/** Compiled modules in an image: path in an interpreter, and the package that has it. */
export const libraries = z.array(z.object({ path: z.string(), package: z.string() }));

export interface MadeImage {
  pages: Uint8Array;
  libraries: z.infer<typeof libraries>;
}

/** Where setup makes an interpreter, and the hosts' code cache. */
type Place = { folder: string; cache: string };

/**
 * Makes an image from the prepared interpreter at `place`, in a process of its own. `packages`: those
 * that it has, packed.
 */
export async function makeImage(
  place: Place,
  { imports, modules }: ImagePlan,
  packages: readonly Part[],
): Promise<MadeImage> {
  const parts = await withPreparingHost(
    place,
    (host) => host.prepare("image", packages, [...imports, ...modules]),
  );
  const find = (name: string) => {
    const part = parts.find((each) => each.name === name);
    if (part === undefined) throw new SetupError(`The image of ${imports} has no ${name}`);
    return part.bytes;
  };
  const listed = JSON.parse(new TextDecoder().decode(find("libraries")));
  return { pages: find("snapshot"), libraries: libraries.parse(listed) };
}

/**
 * Starts a server with each image, as a session would.
 *
 * @throws {SetupError} When one does not work.
 */
export async function tryImages(
  place: Place,
  plans: Readonly<Record<string, ImagePlan>>,
): Promise<void> {
  await withPreparingHost(place, async (host) => {
    for (const [name, { trial }] of Object.entries(plans)) {
      const outcome = await host.tryImage(name, trial + SERVER);
      if (!/^\{"kind": ?"loaded"/.test(outcome)) {
        throw new SetupError(`The image ${name} does not work: ${outcome.slice(0, 2000)}`);
      }
    }
  });
}
