/**
 * How a Python module gets at code other than by `import`: folders on the path, files that are run,
 * text that is compiled, loaders that read what is no source.
 *
 * @module
 */
import { nodeTypes } from "../../syntax/node_types.ts";
import { textOf } from "../../syntax/source_tree.ts";
import { child, type SyntaxNode, walk } from "../../syntax/tree.ts";
import { annotationTexts } from "./annotations.ts";
import { calleeOf } from "../calls/callee.ts";
import { argumentsOf, type CallArguments, type PythonNames, resolve } from "../names.ts";
import { listedTexts, textsOf } from "./paths.ts";
import { type CompiledText, compiledText } from "../values/texts.ts";

/** One way to code. Paths and names are null where they are computed. Nodes are numbers. */
export type Load =
  & { node: number }
  & (
    | { kind: "module"; modules: readonly string[] | null }
    /** Any module of a package: a dotted name, its dots leading for a relative one. */
    | { kind: "package"; module: string }
    /** A folder, or an archive, that modules are imported from: as it stands, or as the package's. */
    | { kind: "folder"; paths: readonly string[] | null; by: "path" | "package" | "site" }
    /** A file that is run. `source`: only files of source are taken, whatever the name is. */
    | { kind: "file"; paths: readonly string[] | null; source: boolean; by: string }
    | { kind: "text"; text: CompiledText; by: string; mode: "exec" | "eval" }
    /** Code that no scan reads. */
    | { kind: "opaque"; by: string }
  );

type Found = Load extends infer Each ? Each extends Load ? Omit<Each, "node"> : never : never;

const NODES = nodeTypes("call", "assignment", "augmented_assignment", "type");
const TYPES = nodeTypes("type");
const NOTHING: readonly Found[] = [];

const BY_NAME =
  /^(importlib\.(import_module|__import__)|__import__|runpy\.run_module|importlib\.util\.find_spec|pkgutil\.resolve_name|pydoc\.locate)$/;
const FILE_LOADER =
  /(^|\.)(SourceFileLoader|run_path|execfile|load_source|spec_from_file_location)$/;
const OPAQUE =
  /(^|\.)(SourcelessFileLoader|ExtensionFileLoader|zipimporter|load_compiled|load_dynamic|create_dynamic|FileFinder|CodeType|execsitecustomize|execusercustomize|addpackage)$|^marshal\.loads?$|^sys\.(path_hooks|meta_path)\.(insert|append|extend|__iadd__)$|^(importlib\.machinery|importlib\._bootstrap_external)\.SOURCE_SUFFIXES\.(append|insert|extend)$|^codecs\.register$|^_imp\.|^(micropip|piplite)\.install$|^pip\.(main|_internal\.([\w.]+\.)?main)$|^pyximport\.install$/;
const SEARCH = /^pkgutil\.(iter_modules|walk_packages)$/;
const TEXT: Record<string, "exec" | "eval"> = {
  exec: "exec",
  eval: "eval",
  compile: "exec",
  "timeit.timeit": "exec",
  "timeit.repeat": "exec",
  "timeit.Timer": "exec",
  "cProfile.run": "exec",
  "profile.run": "exec",
  "pdb.run": "exec",
  "importlib.abc.InspectLoader.source_to_code": "exec",
  "typing.ForwardRef": "eval",
  "annotationlib.ForwardRef": "eval",
};

function argument(given: CallArguments, at: number, ...keys: string[]): SyntaxNode | undefined {
  return given.positional[at] ??
    keys.map((key) => given.keywords.get(key)).find((each) => each !== undefined);
}

/** `f"app.tools.{name}"`, `"app." + name`, `f"{__name__}.{name}"`: the package that is stated. */
function packageOf(names: PythonNames, node: SyntaxNode | undefined): string | null {
  if (node === undefined || !/^(string|binary_operator)$/.test(node.type)) return null;
  const text = names.tree.text.slice(node.start, node.end);
  const found = /^[fF]?["'](?:(\.{0,3}[A-Za-z_]\w*(?:\.\w+)*)\.|(\.{1,3}))(?:\{|["']\s*\+|%)/.exec(
    text,
  );
  if (found !== null) return found[1] ?? found[2] ?? null;
  return /^[fF]["']\{__(name|package)__\}\.|^__(name|package)__\s*\+\s*[fF]?["']\./.test(text)
    ? "."
    : null;
}

function moduleLoad(names: PythonNames, given: CallArguments): Found {
  const first = argument(given, 0, "name", "mod_name");
  const modules = textsOf(names, first);
  if (modules !== null) return { kind: "module", modules };
  const holder = packageOf(names, first);
  return holder === null ? { kind: "module", modules: null } : { kind: "package", module: holder };
}

function searchLoad(names: PythonNames, given: CallArguments): Found {
  const place = argument(given, 0, "path");
  if (place === undefined) return { kind: "module", modules: null };
  const written = textOf(names.tree, place).replace(/\s/g, "");
  if (written === "__path__") return { kind: "package", module: "." };
  const of = /^(.+)\.__path__$/.exec(written);
  if (of !== null && place.type === "attribute") {
    const module = resolve(names, child(place, "object")!);
    return module === null ? { kind: "module", modules: null } : { kind: "package", module };
  }
  return { kind: "folder", paths: listedTexts(names, place), by: "package" };
}

/** `plugins.glob("*.py")`, `f"{name}.py"`: computed, but a file of source. */
function isSourceName(names: PythonNames, node: SyntaxNode | undefined): boolean {
  return node !== undefined && /\.py["']/.test(textOf(names.tree, node));
}

/** A loader that the program has written itself. */
function ownLoader(names: PythonNames, loader: SyntaxNode | undefined): string | null {
  const made = loader?.type === "call" ? child(loader, "function") : null;
  const maker = made === null ? null : calleeOf(names, made)?.name ?? textOf(names.tree, made);
  return maker === null || /(^|\.)Source(less)?FileLoader$/.test(maker) ? null : maker;
}

function fileLoad(names: PythonNames, by: string, given: CallArguments): Found {
  const isPath = /run_path|execfile/.test(by);
  const at = isPath ? 0 : 1;
  const path = argument(given, at, "location", "path", "path_name", "pathname", "fullname");
  const loader = given.keywords.get("loader");
  const own = ownLoader(names, loader);
  if (own !== null) return { kind: "opaque", by: own };
  const source = /spec_from_file_location$/.test(by) && loader === undefined ||
    isSourceName(names, path);
  return { kind: "file", paths: textsOf(names, path), source, by };
}

function pathCall(names: PythonNames, by: string, given: CallArguments): Found | null {
  const found = /^(?:sys\.path|(?:.+\.)?__path__)\.(insert|append|extend|__iadd__)$/.exec(by);
  if (found === null) return null;
  const value = argument(given, found[1] === "insert" ? 1 : 0);
  const paths = found[1] === "extend" || found[1] === "__iadd__"
    ? listedTexts(names, value ?? null)
    : textsOf(names, value);
  return { kind: "folder", paths, by: by.startsWith("sys.") ? "path" : "package" };
}

function textLoad(names: PythonNames, by: string, given: CallArguments): Found | null {
  const mode = TEXT[by]!;
  const value = argument(given, 0, "source", "stmt", "statement", "arg");
  if (value === undefined) return null;
  const text = compiledText(names, value);
  // What is timed may be a function; a text is one that is stated.
  if (by.includes(".") && text.kind !== "stated" && !by.endsWith("source_to_code")) return null;
  return text.kind === "none" ? null : { kind: "text", text, by, mode };
}

function ofCall(names: PythonNames, node: SyntaxNode): readonly Found[] {
  const expression = child(node, "function");
  const by = expression === null ? undefined : calleeOf(names, expression)?.name;
  if (by === undefined) return NOTHING;
  const given = () => argumentsOf(names.tree, node);
  if (Object.hasOwn(TEXT, by)) {
    // Of what nobody takes, only the syntax is checked.
    if (by === "compile" && node.parent?.type === "expression_statement") return NOTHING;
    const found = textLoad(names, by, given());
    return found === null ? NOTHING : [found];
  }
  if (BY_NAME.test(by)) {
    const found = moduleLoad(names, given());
    // Whoever only asks whether a module is there runs none.
    const isQuestion = /find_spec$/.test(by) && !/\b(exec|load)_module\b/.test(names.tree.text);
    return isQuestion ? NOTHING : [found];
  }
  if (SEARCH.test(by)) return [searchLoad(names, given())];
  if (by === "site.addsitedir") {
    return [{ kind: "folder", paths: textsOf(names, given().positional[0]), by: "site" }];
  }
  if (FILE_LOADER.test(by) && /^(importlib|runpy|imp|execfile|SourceFileLoader)/.test(by)) {
    return [fileLoad(names, by, given())];
  }
  if (by === "importlib.util.spec_from_loader") {
    const own = ownLoader(names, argument(given(), 1, "loader"));
    return own === null ? NOTHING : [{ kind: "opaque", by: own }];
  }
  if (OPAQUE.test(by)) return [{ kind: "opaque", by }];
  if (by.includes("path")) {
    const found = pathCall(names, by, given());
    return found === null ? NOTHING : [found];
  }
  return NOTHING;
}

/** `sys.path += […]`, `sys.path[:0] = […]`, `sys.path = […] + sys.path`, `__path__ = […]`. */
function ofAssignment(names: PythonNames, node: SyntaxNode): readonly Found[] {
  const left = child(node, "left");
  const target = left?.type === "subscript" ? child(left, "value") : left;
  if (target === null || target === undefined) return NOTHING;
  if (target.type !== "attribute" && target.type !== "identifier") return NOTHING;
  const written = textOf(names.tree, target);
  if (!/path|SUFFIXES/.test(written)) return NOTHING;
  const meant = resolve(names, target) ?? written;
  if (/^sys\.(path_hooks|meta_path)$|SOURCE_SUFFIXES$/.test(meant)) {
    return [{ kind: "opaque", by: meant }];
  }
  if (meant !== "sys.path" && !/(^|\.)__path__$/.test(meant)) return NOTHING;
  // A name for the list is no change of it.
  if (left!.type === "identifier" && written !== "__path__") return NOTHING;
  const right = child(node, "right");
  return right === null ? NOTHING : foldersIn(names, right, {
    by: meant === "sys.path" ? "path" : "package",
    item: left!.type === "subscript",
  });
}

function foldersIn(
  names: PythonNames,
  node: SyntaxNode,
  { by, item }: { by: "path" | "package"; item: boolean },
): readonly Found[] {
  if (node.type === "binary_operator") {
    const sides = [child(node, "left"), child(node, "right")];
    return sides.flatMap((side) =>
      side === null ? [] : foldersIn(names, side, { by, item: false })
    );
  }
  const written = textOf(names.tree, node);
  if (/^(list\()?(sys\.path|__path__)(\[[^\]]*\])?\)?$|^\[\]$/.test(written)) return NOTHING;
  const extended = node.type === "call" ? child(node, "function") : null;
  if (extended !== null && resolve(names, extended) === "pkgutil.extend_path") return NOTHING;
  if (node.type === "list_comprehension" && /\bin\s+(sys\.path|__path__)\b/.test(written)) {
    return NOTHING;
  }
  const paths = listedTexts(names, node) ?? (item ? textsOf(names, node) : null);
  return [{ kind: "folder", paths, by }];
}

/** Words without one of which no module has a load, whatever it calls things. */
const WORDS =
  /\b(exec|eval|compile|execfile|site|vars|globals|locals|builtins|pdb|pydoc|profile|cProfile)\b|import_module|__import__|__dict__|__path__|runpy|[lL]oader|zipimport|marshal|codecs|pkgutil|CodeType|timeit|getattr|attrgetter|find_spec|spec_from|source_to_code|ForwardRef|micropip|piplite|\bpip\b|pyximport|\b_imp\b|_path\b|path_|SUFFIXES|FileFinder|import[\s\\]*\*|(load|create)_/;

/** `def f(x: "Annotated[int, Field(gt=0)]")`. */
function ofType(names: PythonNames, node: SyntaxNode): readonly Found[] {
  const texts = annotationTexts(names, node);
  if (texts.length === 0) return NOTHING;
  return [{ kind: "text", text: { kind: "stated", texts }, by: "annotation", mode: "eval" }];
}

/** Every way to code that a module takes beside its imports. */
export function loadsOf(names: PythonNames): Load[] {
  const found: Load[] = [];
  const { text } = names.tree;
  const hasWord = (meaning: string) => WORDS.test(meaning);
  const worded = hasWord(text) || (/\bsys\b/.test(text) && /\bpath\b/.test(text)) ||
    // Other modules may hand these functions on under names of their own.
    names.bindings.values().some(hasWord) || names.exported.values().some(hasWord);
  for (const node of walk(names.tree.root, worded ? NODES : TYPES)) {
    const loads = node.type === "call"
      ? ofCall(names, node)
      : node.type === "type"
      ? ofType(names, node)
      : ofAssignment(names, node);
    for (const each of loads) found.push({ ...each, node: node.number } as Load);
  }
  return found;
}
