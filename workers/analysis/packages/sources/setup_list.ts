/**
 * Which modules a `setup.py` installs, where it lists them: read from its syntax tree, as distutils
 * leaves nothing else in what it distributes. Nothing of it runs.
 *
 * @module
 */
import { argumentsOf, readNames, resolve } from "../../python/names.ts";
import { stringValue } from "../../python/values/literals.ts";
import { nodeTypes } from "../../syntax/node_types.ts";
import { type SourceTree, treeOf } from "../../syntax/source_tree.ts";
import { child, named, type SyntaxNode, walk } from "../../syntax/tree.ts";
import { isSource, sourceFiles } from "./tar.ts";

/** The modules that a script gives `setup()` as written texts, and where they are. */
export interface SetupList {
  /** Modules and packages at the top. */
  names: string[];
  /** Where packages are: by package, and for all others under an empty name. */
  folders: ReadonlyMap<string, string>;
  requires: string[];
}

const CALLS = nodeTypes("call");
const NAME = /^[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*$/;
const FOLDER = /^(?:[\w-]+\/?)*$/;
/** What describes a package. Of anything else there may be more to do than to copy its modules. */
const PLAIN = new Set(
  ("name version description long_description long_description_content_type author author_email " +
    "maintainer maintainer_email url download_url project_urls license license_files classifiers " +
    "keywords platforms python_requires provides obsoletes packages py_modules package_dir " +
    "package_data include_package_data zip_safe install_requires extras_require tests_require " +
    "test_suite entry_points scripts data_files").split(" "),
);

/** The texts of a list that is written out; null where it is none. */
function textsOf(tree: SourceTree, node: SyntaxNode | undefined): string[] | null {
  if (node === undefined) return [];
  if (node.type !== "list" && node.type !== "tuple") return null;
  const texts = named(node).filter(({ type }) => type !== "comment")
    .map((each) => stringValue(tree.text, each));
  return texts.every((text) => text !== null) ? texts : null;
}

/** A dictionary of texts that is written out; null where it is none. */
function foldersOf(tree: SourceTree, node: SyntaxNode | undefined): Map<string, string> | null {
  const found = new Map<string, string>();
  if (node !== undefined && node.type !== "dictionary") return null;
  for (const pair of node === undefined ? [] : named(node)) {
    const [key, value] = [child(pair, "key"), child(pair, "value")]
      .map((part) => part === null ? null : stringValue(tree.text, part));
    if (typeof key !== "string" || typeof value !== "string" || key.includes(".")) return null;
    const folder = value.replace(/^\.\//, "").replace(/^\.$/, "");
    if (!FOLDER.test(folder)) return null;
    found.set(key, folder.replace(/\/$/, ""));
  }
  return found;
}

function listIn(tree: SourceTree): SetupList | null {
  const names = readNames(tree);
  const calls = [...walk(tree.root, CALLS)].filter((node) =>
    /(?:^|\.)setup$/.test(resolve(names, child(node, "function")!) ?? "")
  );
  const [call] = calls;
  if (call === undefined || calls.length > 1) return null;
  const { positional, keywords } = argumentsOf(tree, call);
  if (positional.length > 0 || [...keywords.keys()].some((key) => !PLAIN.has(key))) return null;
  const packages = textsOf(tree, keywords.get("packages"));
  const modules = textsOf(tree, keywords.get("py_modules"));
  const requires = textsOf(tree, keywords.get("install_requires"));
  const folders = foldersOf(tree, keywords.get("package_dir"));
  if (packages === null || modules === null || requires === null || folders === null) return null;
  const all = [...packages, ...modules];
  // Extras are read from metadata alone.
  if (all.length === 0 || !all.every((each) => NAME.test(each))) return null;
  return { names: [...new Set(all.map((each) => each.split(".")[0]!))], folders, requires };
}

/** What the `setup.py` of a source distribution lists; null where it is read otherwise, or not at all. */
export async function setupListOf(bytes: Uint8Array): Promise<SetupList | null> {
  if (!isSource(bytes)) return null;
  let setup: Uint8Array | undefined;
  try {
    setup = sourceFiles(bytes).get("setup.py");
  } catch {
    // Whoever packs it says why.
    return null;
  }
  if (setup === undefined) return null;
  const source = { path: "setup.py", grammar: "python", role: "source", bytes: setup } as const;
  const tree = await treeOf(source);
  return typeof tree === "string" ? null : listIn(tree);
}
