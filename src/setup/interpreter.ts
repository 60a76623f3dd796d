/**
 * Makes the folder that session hosts read: Pyodide's files, the packed Python modules and the
 * snapshot. It is made beside its place and renamed, so that it is there whole or not at all.
 *
 * @module
 */
import { z } from "zod";
import { writeDurably } from "../files.ts";
import { SetupError, sha256 } from "./files.ts";
import { type Inputs, PYODIDE_FILES, pyodideFile } from "./inputs.ts";
import { type ImageCatalogue, packagesFor } from "../execution/hosts/images.ts";
import type { Package } from "../execution/images/packed.ts";
import { IMAGES } from "./image_plans.ts";
import { libraries, makeImage, tryImages } from "./images.ts";
import { type Part, withPreparingHost } from "./prepare.ts";
import type { Requirement } from "./requirements.ts";
import { findWheels } from "./wheels.ts";

/** What the packing script gives for a package that sessions ask for. */
const PACKAGE = /^\/packages\/([a-z0-9-]+)$/;
/** What the stripped module has and does not export. */
const SYMBOLS = "symbols.json";
/** What it says of them. */
const CATALOGUE = "/catalogue.json";

const catalogue = z.record(
  z.string(),
  z.object({ modules: z.array(z.string()), requires: z.array(z.string()) }),
);

const index = z.object({
  /** Files that every session gets: path in its file system, name in this folder. */
  files: z.array(z.object({ path: z.string(), name: z.string() })),
  /** Files that a session gets when it asks for a package: package, name in this folder. */
  packages: z.record(z.string(), z.string()),
  /** What those packages are: their top-level modules, and the packages that they require. */
  catalogue,
  /** What a session may go on with from the snapshot: file of the pages, packages in it. */
  images: z.record(
    z.string(),
    z.object({
      pages: z.string(),
      packages: z.array(z.string()),
      reads: z.array(z.string()),
      libraries,
    }),
  ),
  lock_info: z.record(z.string(), z.string()),
  /** SHA-256 of every other file in this folder. */
  digests: z.record(z.string(), z.string()),
});
type Index = z.infer<typeof index>;

async function readIndex(folder: string): Promise<Index> {
  return index.parse(JSON.parse(await Deno.readTextFile(`${folder}/index.json`)));
}

/** What the packages and images of the prepared interpreter in `folder` are. */
export async function readCatalogue(folder: string): Promise<ImageCatalogue> {
  const { catalogue, images } = await readIndex(folder);
  return { packages: catalogue, images };
}

/** What images of the prepared interpreter in `folder` are made from. */
export async function readImageInputs(folder: string) {
  const { packages, images, digests } = await readIndex(folder);
  return {
    /** SHA-256 of the snapshot that they differ from. */
    base: digests["snapshot"]!,
    /** SHA-256 of the images that setup made, by name. */
    images: Object.fromEntries(
      Object.entries(images).map(([name, { pages }]) => [name, digests[pages]!]),
    ),
    /** Reads a package, as it was packed. */
    async package(name: string): Promise<Package> {
      const file = packages[name]!;
      const bytes = await Deno.readFile(`${folder}/${file}`);
      const digest = await sha256(bytes);
      if (digest !== digests[file]) throw new SetupError(`The package ${name} is damaged`);
      return { name, digest, bytes };
    },
    /** Reads a package of servers' own; its file is named by its digest. */
    async ownPackage(name: string, file: string): Promise<Package> {
      return { name, digest: file, bytes: await Deno.readFile(`${folder}/${file}`) };
    },
  };
}

/** Whether `folder` holds a whole prepared interpreter: every file is there with its digest. */
export async function isPrepared(folder: string): Promise<boolean> {
  try {
    const { digests } = await readIndex(folder);
    const good = await Promise.all(
      Object.entries(digests).map(async ([name, digest]) =>
        await sha256(await Deno.readFile(`${folder}/${name}`)) === digest
      ),
    );
    return good.length > 0 && good.every((x) => x);
  } catch {
    return false;
  }
}

/** The wheels of `requirements`, each checked once more, whoever has touched the folder since. */
async function readWheels(cache: string, folder: string, requirements: Requirement[]) {
  const found = await findWheels(cache, requirements);
  const parts: Part[] = [];
  for (const { name, digests } of requirements) {
    const file = found.get(name);
    const bytes = file === undefined ? null : await Deno.readFile(`${cache}/${file}`);
    if (bytes === null || !digests.includes(await sha256(bytes))) {
      throw new SetupError(`The wheel of ${name} changed while setup was running. Run setup again`);
    }
    parts.push({ name: `${folder}/${file}`, bytes });
  }
  return parts;
}

/** Makes all images of {@link IMAGES}. */
async function makeImages(
  place: { folder: string; cache: string },
  from: {
    catalogue: Index["catalogue"];
    packed: readonly Part[];
    put: (name: string, bytes: Uint8Array) => Promise<void>;
  },
): Promise<Index["images"]> {
  const made = await Promise.all(
    Object.entries(IMAGES).map(async ([name, plan]) => {
      const packages = [...packagesFor(from.catalogue, plan.imports)].sort();
      const given = from.packed.flatMap((part) => {
        const name = PACKAGE.exec(part.name)?.[1];
        return name !== undefined && packages.includes(name) ? [{ ...part, name }] : [];
      });
      const { pages, libraries, reads, refused } = await makeImage(place, plan, given);
      const [fault] = Object.entries(refused);
      if (fault !== undefined) {
        throw new SetupError(`The image ${name} cannot have ${fault[0]}: it ${fault[1]}`);
      }
      await from.put(`image-${name}`, pages);
      return [name, { pages: `image-${name}`, packages, reads, libraries }] as const;
    }),
  );
  return Object.fromEntries(made);
}

/** Fills the empty `folder`. `wheels` holds the checked wheels, `cache` is Deno's for the hosts. */
export async function makeInterpreter(
  folder: string,
  input: { inputs: Inputs; wheels: string; cache: string },
): Promise<void> {
  const digests: Record<string, string> = {};
  async function put(name: string, bytes: Uint8Array) {
    await writeDurably(`${folder}/${name}`, bytes);
    digests[name] = await sha256(bytes);
  }
  async function putIndex(content: Index) {
    await writeDurably(
      `${folder}/index.json`,
      new TextEncoder().encode(JSON.stringify(content, null, 2)),
    );
  }

  const pyodide = await Promise.all(PYODIDE_FILES.map(async (name) => ({
    name,
    bytes: await Deno.readFile(pyodideFile(name)),
  })));
  for (const { name, bytes } of pyodide) await put(name, bytes);
  const lock = JSON.parse(await Deno.readTextFile(pyodideFile("pyodide-lock.json")));
  const lockInfo = z.record(z.string(), z.string()).parse(lock.info);
  const content: Index = {
    files: [],
    packages: {},
    catalogue: {},
    images: {},
    lock_info: lockInfo,
    digests,
  };
  await putIndex(content);

  const files: Part[] = [{ name: "build.py", bytes: input.inputs.buildScript }, ...pyodide];
  files.push(...await readWheels(input.wheels, "wheels", input.inputs.requirements));
  files.push(...await readWheels(input.wheels, "packages", input.inputs.packages));
  for (const { path, bytes } of input.inputs.python) files.push({ name: `python/${path}`, bytes });

  const place = { folder, cache: input.cache };
  const packed = await withPreparingHost(place, (host) => host.prepare("pack", files));
  const common: Part[] = [];
  for (const [i, part] of packed.entries()) {
    if (part.name === CATALOGUE) {
      content.catalogue = catalogue.parse(JSON.parse(new TextDecoder().decode(part.bytes)));
      continue;
    }
    // Stripped: from here on hosts run only that.
    const isOfModule = part.name === SYMBOLS || pyodide.some(({ name }) => name === part.name);
    const name = isOfModule ? part.name : `file-${i}`;
    await put(name, part.bytes);
    const asked = PACKAGE.exec(part.name)?.[1];
    if (asked !== undefined) content.packages[asked] = name;
    else if (!isOfModule) {
      content.files.push({ path: part.name, name });
      common.push(part);
    }
  }
  const [snapshot] = await withPreparingHost(place, (host) => host.prepare("snapshot", common));
  await put("snapshot", snapshot!.bytes);
  await putIndex(content);

  content.images = await makeImages(place, { catalogue: content.catalogue, packed, put });
  await putIndex(content);
  await tryImages(place, IMAGES);
}
