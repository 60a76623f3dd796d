/**
 * Makes images: what a session of a server that imports packages begins with. Each is kept as its
 * difference from the common snapshot.
 *
 * @module
 */
import { z } from "zod";
import type { SessionPackages } from "../../workers/session/bodies.ts";
import type { GivenPackages } from "../packages/session_packages.ts";
import { SetupError } from "./files.ts";
import type { ImagePlan } from "./image_plans.ts";
import { type Part, type PreparingBounds, withPreparingHost } from "./prepare.ts";

const SERVER = `
from mcp.server.fastmcp import FastMCP
FastMCP("trial").run()
`;

const MAX_FACTS_BYTES = 1 << 20;

/** Compiled modules in an image: path in an interpreter, and the package that has it. */
export const libraries = z.array(z.object({ path: z.string(), package: z.string() }));

/** What the making of an image has seen its modules do. */
const facts = z.object({
  /** Environment variables that they read: sessions that set one get no such image. `*`: all. */
  reads: z.array(z.string().max(128)).max(2000),
  /** Modules that no image may have, each with the reason. */
  refused: z.record(z.string(), z.string()),
  /** Packages that are in it. */
  packages: z.array(z.string().max(300)).max(1000),
});

/** An image as a preparing host gives it, not yet tried; empty where modules were refused. */
export interface MadeImage extends z.infer<typeof facts> {
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
  { imports, modules, own = null }: Pick<ImagePlan, "imports" | "modules"> & {
    own?: SessionPackages | null;
  },
  packages: readonly Part[],
  bounds?: PreparingBounds,
): Promise<MadeImage> {
  const parts = await withPreparingHost(
    place,
    (host) => host.prepare("image", packages, { modules: [...imports, ...modules], own }),
    bounds,
  );
  const find = (name: string) => parts.find((each) => each.name === name)?.bytes;
  function json(name: string): unknown {
    const text = find(name) ?? new Uint8Array();
    // Code of the packages may have written it.
    if (text.length > MAX_FACTS_BYTES) throw new SetupError("The image says too much of itself");
    return JSON.parse(new TextDecoder().decode(text) || "[]");
  }
  return {
    pages: find("snapshot") ?? new Uint8Array(),
    libraries: libraries.parse(json("libraries")),
    ...facts.parse(json("facts")),
  };
}

/**
 * Starts a server with each image, as a session would. `own`: packages of the server's own.
 *
 * @throws {SetupError} When one does not work.
 */
export async function tryImages(
  place: Place,
  plans: Readonly<Record<string, Pick<ImagePlan, "trial"> & { own?: GivenPackages | null }>>,
  bounds?: PreparingBounds,
): Promise<void> {
  await withPreparingHost(place, async (host) => {
    for (const [name, { trial, own = null }] of Object.entries(plans)) {
      const outcome = await host.tryImage(name, trial + SERVER, own);
      if (!/^\{"kind": ?"loaded"/.test(outcome)) {
        throw new SetupError(`The image ${name} does not work: ${outcome.slice(0, 2000)}`);
      }
    }
  }, bounds);
}
