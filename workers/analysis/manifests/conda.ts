/**
 * Environment files of conda: their `pip` lists are requirements of PyPI; packages of conda channels
 * have no advisories of their own and are listed as not checked.
 *
 * @module
 */
import { CONDA_CHANNEL } from "./channels.ts";
import { parseSpecifier } from "./pep508.ts";
import {
  asTable,
  itemsOf,
  type ManifestReader,
  ManifestUnreadable,
  type ReadContext,
  type Requirement,
  requirement,
} from "./requirement.ts";
import { parseYaml } from "./yaml.ts";

function fromPip(list: unknown, file: string): Requirement[] {
  return itemsOf(list).flatMap((item) => {
    const text = typeof item === "string" ? item.trim() : "";
    // Options, folders and other files: as in requirements files, those are read by themselves.
    if (text === "" || /^[-.]|:\/\//.test(text)) return [];
    const parsed = parseSpecifier(text);
    if (parsed === null) throw new ManifestUnreadable("a pip dependency cannot be read");
    const { name, allowed, applies } = parsed;
    const place = { text, file, line: { find: text } };
    return applies ? [requirement({ ecosystem: "PyPI", name, allowed, ...place })] : [];
  });
}

function read(text: string, { file }: ReadContext): Requirement[] {
  // Other tools use the name too: what has no such list is none of conda's.
  return itemsOf(asTable(parseYaml(text))?.dependencies).flatMap((item): Requirement[] => {
    if (typeof item !== "string") return fromPip(asTable(item)?.pip, file);
    const name = /^(?:[\w.-]+::)?([\w.-]+)/.exec(item)?.[1];
    if (name === undefined || /^(?:python|pip)$/i.test(name)) return [];
    const allowed = { kind: "elsewhere", from: CONDA_CHANNEL } as const;
    return [
      requirement({ ecosystem: "PyPI", name, allowed, text: item, file, line: { find: item } }),
    ];
  });
}

/** `environment.yml` and its like. */
export const condaEnvironment: ManifestReader = {
  matches: (name) =>
    /^(?:conda[-_]?)?(?:environment|env)(?:[-_.][\w-]+)?\.ya?ml$|^conda\.ya?ml$/i.test(name),
  read,
};
