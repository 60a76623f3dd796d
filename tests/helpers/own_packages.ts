/**
 * Packages of servers' own, where sessions of an interpreter find them.
 *
 * @module
 */
import { packFiles } from "../../workers/session/interpreter/packages.ts";
import { openPackageFiles, type PackageFiles } from "../../src/packages/files.ts";
import { givenOf, type GivenPackages } from "../../src/packages/session_packages.ts";
import { FORMAT } from "../../src/packages/store.ts";
import { sha256Of } from "../../src/bytes.ts";
import type { SessionPackages } from "../../workers/session/bodies.ts";

/** A package: its sources by path, and what it requires. */
export interface OwnPackage {
  files: Record<string, string>;
  requires?: string[];
}

/** Puts packages into `folder`, the interpreter's, for a server that has these, by name. */
export async function ownPackages(
  folder: string,
  packages: Record<string, OwnPackage>,
): Promise<GivenPackages> {
  const told: SessionPackages = { installed: Object.keys(packages), own: {}, sdks: {} };
  const files: Record<string, string> = {};
  for (const [name, { files: sources, requires = [] }] of Object.entries(packages)) {
    const place = `/lib/packages/${name}`;
    const info = { [`${name}-1.0.dist-info/METADATA`]: `Name: ${name}\nVersion: 1.0\n` };
    const bytes = packFiles(
      Object.entries({ ...sources, ...info }).map(([path, text]) => ({
        path: `${place}/${path}`,
        bytes: new TextEncoder().encode(text),
      })),
    );
    files[name] = `package-${FORMAT}-${await sha256Of(bytes)}`;
    await Deno.writeFile(`${folder}/${files[name]}`, bytes, { mode: 0o644 });
    const modules = Object.keys(sources).map((path) => path.split("/")[0]!.replace(/\.py$/, ""));
    told.own[name] = { version: "1.0", modules: [...new Set(modules)], requires, place };
  }
  return await givenOf(told, files);
}

/** The package files of the interpreter in `folder`, as many as there may be. */
export function testPackageFiles(folder: string, maxBytes = 2 ** 30): PackageFiles {
  return openPackageFiles({ folder, maxBytes, now: () => new Date() });
}
