/**
 * What package manifests say of a project: `pyproject.toml`, `package.json`, `Cargo.toml`, `go.mod`.
 *
 * @module
 */
import { parse as parseToml } from "smol-toml";
import { z } from "zod";
import type { SourceFiles } from "../analyser.ts";
import { httpsAddress } from "./https_address.ts";
import type { Language } from "./languages.ts";

/** What was found; absent members were not. */
export interface PackageFacts {
  lang?: Language;
  name?: string;
  version?: string;
  description?: string;
  license?: string;
  repository?: string;
  /** Files that may be the entrypoint, the likeliest first. */
  entrypoints: string[];
}

const text = z.string().trim().min(1).optional().catch(undefined);
const texts = z.record(z.string(), z.unknown()).optional().catch(undefined);

const PyProject = z.object({
  name: text,
  version: text,
  description: text,
  license: z.union([
    z.string(),
    z.object({ text: z.string() }).transform((x) => x.text),
  ]).optional().catch(undefined),
  urls: texts,
  scripts: texts,
});
const PackageJson = z.object({
  name: text,
  version: text,
  description: text,
  license: text,
  main: text,
  bin: z.union([z.string(), z.record(z.string(), z.string())]).optional().catch(undefined),
  repository: z.union([z.string(), z.object({ url: z.string() }).transform((x) => x.url)])
    .optional().catch(undefined),
});
const Cargo = PyProject.pick({ name: true, version: true, description: true }).extend({
  license: text,
  repository: text,
});

function textOf(files: SourceFiles, path: string): string | null {
  const content = files.get(path);
  return content === undefined ? null : new TextDecoder().decode(content);
}

/** What `read` makes of a file; null when it is absent or broken. */
function attempt<T>(files: SourceFiles, path: string, read: (text: string) => T): T | null {
  const content = textOf(files, path);
  if (content === null) return null;
  try {
    return read(content);
  } catch {
    return null;
  }
}

/** Only what is there. */
function present(facts: { [Name in keyof PackageFacts]?: PackageFacts[Name] | null | undefined }) {
  const kept = Object.entries(facts).filter(([, value]) => value !== undefined && value !== null);
  return { entrypoints: [], ...Object.fromEntries(kept) } as PackageFacts;
}

function serverName(name: string | undefined): string | undefined {
  const plain = name?.replace(/^.*\//, "").toLowerCase().replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "");
  return plain || undefined;
}

function address(value: unknown): string | undefined {
  if (typeof value !== "string") return undefined;
  const plain = value.replace(/^git\+/, "").replace(/^github:/, "https://github.com/");
  const url = httpsAddress(plain);
  return url !== null && new URL(url).pathname.split("/").length >= 3 ? url : undefined;
}

function python(files: SourceFiles): PackageFacts | null {
  return attempt(files, "pyproject.toml", (content) => {
    const document = parseToml(content) as Record<string, Record<string, unknown>>;
    const project = PyProject.parse(document["project"] ?? document["tool"]?.["poetry"] ?? {});
    const urls = Object.entries(project.urls ?? {});
    const wanted = /^(repository|source|source code|code|github|homepage)$/i;
    const modules = Object.values(project.scripts ?? {})
      .filter((value) => typeof value === "string")
      .map((value) => value.split(":")[0]!.replaceAll(".", "/"));
    return present({
      lang: "python",
      name: serverName(project.name),
      version: project.version,
      description: project.description,
      license: project.license,
      repository: urls.filter(([name]) => wanted.test(name)).map(([, url]) => address(url))
        .find((url) => url !== undefined),
      entrypoints: modules.flatMap((path) => [`${path}.py`, `src/${path}.py`])
        .filter((path) => files.has(path)),
    });
  });
}

function javascript(files: SourceFiles): PackageFacts | null {
  return attempt(files, "package.json", (content) => {
    const manifest = PackageJson.parse(JSON.parse(content));
    const { bin } = manifest;
    const bins = bin === undefined ? [] : typeof bin === "string" ? [bin] : Object.values(bin);
    const built = [...bins, ...manifest.main === undefined ? [] : [manifest.main]]
      .map((path) => path.replace(/^\.\//, ""));
    // What runs is often built from a source of the same name.
    const sources = built.map((path) =>
      path.replace(/^(dist|build|lib)\//, "src/").replace(/\.[cm]?js$/, ".ts")
    );
    const entrypoints = [...sources, ...built].filter((path) => files.has(path));
    const typed = files.has("tsconfig.json") || entrypoints[0]?.endsWith(".ts");
    return present({
      lang: typed ? "typescript" : "javascript",
      name: serverName(manifest.name),
      version: manifest.version,
      description: manifest.description,
      license: manifest.license,
      repository: address(manifest.repository),
      entrypoints,
    });
  });
}

function rust(files: SourceFiles): PackageFacts | null {
  return attempt(files, "Cargo.toml", (content) => {
    const manifest = Cargo.parse((parseToml(content) as Record<string, unknown>)["package"]);
    return present({
      ...manifest,
      lang: "rust",
      name: serverName(manifest.name),
      repository: address(manifest.repository),
      entrypoints: ["src/main.rs"].filter((path) => files.has(path)),
    });
  });
}

function go(files: SourceFiles): PackageFacts | null {
  return attempt(files, "go.mod", (content) => {
    const [, module] = /^module\s+(\S+)/m.exec(content) ?? [];
    return present({
      lang: "go",
      name: serverName(module),
      repository: address(`https://${module}`),
      entrypoints: ["main.go"].filter((path) => files.has(path)),
    });
  });
}

/** What the first package manifest among `files` says. */
export function packageFacts(files: SourceFiles): PackageFacts {
  return python(files) ?? javascript(files) ?? rust(files) ?? go(files) ?? { entrypoints: [] };
}
