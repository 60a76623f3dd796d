/**
 * Which calls make templates, of what, and in which engine.
 *
 * @module
 */
import { valuesOf } from "../python/values/assigned.ts";
import { calleeOf } from "../python/calls/callee.ts";
import { APPLIES, spelled } from "../python/calls/evaluation.ts";
import { mentions } from "../python/reach/mentions.ts";
import type { CallArguments, PythonNames } from "../python/names.ts";
import { returnsOf } from "../python/values/returns.ts";
import { nodeTypes } from "../syntax/node_types.ts";
import { textOf } from "../syntax/source_tree.ts";
import { child, named, type SyntaxNode, walk } from "../syntax/tree.ts";
import type { PythonSyntax } from "./parts.ts";

/** A family of engines: expressions only, or Python in one way or another. */
export type Engine = "jinja" | PythonSyntax;

export interface TemplateMaker {
  engine: Engine;
  /** The text that becomes a template. */
  text?: SyntaxNode;
  /** The folders or files of templates. `open`: they may also be any. */
  files?: { nodes: SyntaxNode[]; open: boolean };
  /** The text is what a loader finds for a name. */
  loads?: boolean;
  /** What is loaded is Python that the engine has made before. */
  compiled?: boolean;
}

/** Modules of engines. */
const ENGINE_MODULES =
  /^(jinja2|flask|quart|starlette\.templating|fastapi\.templating|aiohttp_jinja2|django\.template|django\.shortcuts|mako|tornado|chameleon|genshi|Cheetah|bottle|web\.template|kajiki|tempita|Cython\.Tempita|paste\.util\.template|em|airspeed|pyratemp|templite|wheezy|trender|tenjin|sanic_ext|litestar)(\.|$)/;
/** A module without any of these makes no templates, whatever it calls things. */
export const ENGINE_WORDS =
  /\b(jinja2|flask|quart|mako|tornado|chameleon|genshi|Cheetah|bottle|kajiki|airspeed|pyratemp|templite|wheezy|trender|tenjin|aiohttp_jinja2|from_string|compile_expression|get_source|jinja_env|Jinja2Templates)\b|[Tt]empita|starlette\.templating|fastapi\.templating|django\.(template|shortcuts)|web\.template|paste\.util|\bimport em\b/;

interface Kind {
  pattern: RegExp;
  engine: Engine;
  /** Keywords of the text, of files. */
  text?: readonly string[];
  files?: readonly string[];
  /** Position of the text or the files. */
  at?: number;
}

const KINDS: readonly Kind[] = [
  { pattern: /^jinja2\.([\w.]+\.)?(Native)?Template$/, engine: "jinja", text: ["source"] },
  {
    pattern: /^(flask|quart)\.(templating\.)?(render|stream)_template_string$/,
    engine: "jinja",
    text: ["source"],
  },
  { pattern: /^django\.template\.(base\.)?Template$/, engine: "jinja", text: ["template_string"] },
  { pattern: /^jinja2\.([\w.]+\.)?FileSystemLoader$/, engine: "jinja", files: ["searchpath"] },
  {
    pattern: /(^|\.)Jinja2Templates$/,
    engine: "jinja",
    files: ["directory"],
  },
  { pattern: /^mako\.template\.Template$/, engine: "mako", text: ["text"], files: ["filename"] },
  { pattern: /^mako\.lookup\.TemplateLookup$/, engine: "mako", files: ["directories"] },
  {
    pattern: /(^|[._])lookup\.put_string$|TemplateLookup\(\)\.put_string$/,
    engine: "mako",
    text: ["text"],
    at: 1,
  },
  { pattern: /^tornado\.template\.Template$/, engine: "tornado", text: ["template_string"] },
  { pattern: /^tornado\.template\.Loader$/, engine: "tornado", files: ["root_directory"] },
  {
    pattern: /^bottle\.(template|SimpleTemplate|view)$/,
    engine: "simple",
    text: ["source", "template"],
    files: ["name", "lookup", "template_lookup"],
  },
  { pattern: /^bottle\.mako_\w+$|^bottle\.MakoTemplate$/, engine: "mako", text: ["source"] },
  {
    pattern: /^chameleon\.([\w.]+\.)?Page(Text)?Template$/,
    engine: "markup",
    text: ["body"],
  },
  {
    pattern: /^chameleon\.([\w.]+\.)?(Page(Text)?TemplateFile|PageTemplateLoader)$/,
    engine: "markup",
    files: ["filename", "search_path"],
  },
  {
    pattern: /^(genshi\.template|kajiki)\.([\w.]+\.)?\w+Template$/,
    engine: "markup",
    text: ["source"],
  },
  {
    pattern: /^(genshi\.template|kajiki)\.([\w.]+\.)?(Template|File)Loader$/,
    engine: "markup",
    files: ["search_path", "path"],
  },
  {
    pattern: /^Cheetah\.Template\.Template(\.compile)?$/,
    engine: "cheetah",
    text: ["source"],
    files: ["file"],
  },
  {
    pattern:
      /^(web\.template\.Template|([\w]+\.)?[Tt]empita\.\w*Template|paste\.util\.template\.\w*Template|airspeed\.Template|pyratemp\.Template|templite\.Templite|trender\.TRender|em\.(expand|Interpreter\(\)\.(string|expand|exec|evaluate)))$/,
    engine: "other",
    text: ["source", "content", "string", "template", "data"],
    files: ["filename", "path"],
  },
  {
    pattern: /^(web\.template\.(render|frender)|tenjin\.Engine|wheezy\.template\.[\w.]+)$/,
    engine: "other",
    files: ["loc", "path", "searchpath"],
  },
];

/** Loaders whose templates may be anywhere in the repository. */
const ANYWHERE =
  /^jinja2\.([\w.]+\.)?PackageLoader$|^(flask|quart)\.(templating\.)?(render|stream)_template$|^django\.(template\.loader\.(get_template|render_to_string|select_template)|shortcuts\.render)$|^aiohttp_jinja2\.setup$/;
const COMPILED =
  /^jinja2\.([\w.]+\.)?(ModuleLoader|FileSystemBytecodeCache|MemcachedBytecodeCache)$/;
const FROM_TEXT = /(^|\.)(from_string|compile_expression|template_class|compile)$/;
const ENVIRONMENT = /(^|[._])(env|environment|jinja\w*|templates?|engine)$/i;
const SANDBOX = /^jinja2\.sandbox\.(Immutable)?SandboxedEnvironment$/;
const CLASSES = nodeTypes("class_definition");

const IMPORTS = /import_module\(|__import__\(/;
const OPENS = /\bis_safe_(attribute|callable)\s*=|\.sandboxed\s*=/;

/** Whether a module has anything to do with an engine. */
export function usesEngine(names: PythonNames): boolean {
  return names.imports.some(({ module, name }) =>
    ENGINE_MODULES.test(module) || (name !== null && ENGINE_MODULES.test(`${module}.${name}`))
  ) || mentions(names, IMPORTS) && mentions(names, ENGINE_WORDS);
}

function isSandbox(names: PythonNames, maker: SyntaxNode): boolean {
  const callee = maker.type === "call" ? child(maker, "function") : null;
  const name = callee === null ? "" : calleeOf(names, callee)?.name ?? "";
  if (SANDBOX.test(name)) return true;
  // A class of its own, that leaves the checks as they are.
  for (const node of walk(names.tree.root, CLASSES)) {
    if (textOf(names.tree, child(node, "name")!) !== name) continue;
    const bases = child(node, "superclasses");
    return !/\bis_safe_|\bunsafe\b|\bsandboxed\b|\b(getattr|getitem|call)\b\s*\(self/
      .test(textOf(names.tree, node)) &&
      bases !== null &&
      named(bases).some((base) => SANDBOX.test(calleeOf(names, base)?.name ?? ""));
  }
  return false;
}

/** Whether an object is an environment that keeps templates from inner members. */
export function isSandboxed(names: PythonNames, object: SyntaxNode, hops = 0): boolean {
  // What switches the checks off, or hands templates the way out.
  if (mentions(names, OPENS)) return false;
  if (object.type === "call") {
    if (isSandbox(names, object)) return true;
    // `env.overlay()`, `get_environment()`.
    const callee = child(object, "function")!;
    if (callee.type === "attribute") {
      return textOf(names.tree, child(callee, "attribute")!) === "overlay" &&
        isSandboxed(names, child(callee, "object")!, hops + 1);
    }
    const own = names.functions.get(textOf(names.tree, callee));
    const results = own === undefined ? [] : returnsOf(own);
    return hops < 4 && results.length > 0 &&
      results.every((each) => isSandboxed(names, each, hops + 1));
  }
  if (hops > 4) return false;
  const { values } = valuesOf(names, object);
  const known = values.filter(({ type }) => type !== "none");
  return known.length > 0 && known.every((each) => isSandboxed(names, each, hops + 1));
}

function first(given: CallArguments, keys: readonly string[] = [], at = 0): SyntaxNode | undefined {
  return keys.map((key) => given.keywords.get(key)).find((each) => each !== undefined) ??
    given.positional[at];
}

function ofKind(kind: Kind, given: CallArguments): TemplateMaker {
  const text = kind.text === undefined ? undefined : first(given, kind.text, kind.at);
  const byKeyword = (kind.files ?? []).flatMap((key) => given.keywords.get(key) ?? []);
  const [place] = kind.text === undefined ? given.positional : [];
  const nodes = [...byKeyword, ...(place === undefined ? [] : [place])];
  return {
    engine: kind.engine,
    ...(text === undefined ? {} : { text }),
    ...(kind.files === undefined ? {} : { files: { nodes, open: nodes.length === 0 } }),
  };
}

/** Names of calls without any of these make no templates. */
const MAKES =
  /[Tt]empl|Loader$|Cache$|from_string$|compile(_expression)?$|\bem\.|TRender$|setup$|mako|[Ee]ngine$|shortcuts/;

/** Whether a name is that of a method which environments have for texts. */
export function isTemplateText(name: string): boolean {
  return /(^|\.)(from_string|compile_expression)$/.test(name);
}

/** What a call makes templates of; null for any other call, and for one of a sandboxed environment. */
export function templateMaker(
  names: PythonNames,
  name: string,
  expression: SyntaxNode | null,
  given: CallArguments,
): TemplateMaker | null {
  const maker = makerOf(names, name, expression, given);
  if (maker !== null || expression === null || !mentions(names, ENGINE_WORDS)) return maker;
  const [passed, ...positional] = given.positional;
  if (APPLIES.test(name) && passed !== undefined && /^(identifier|attribute)$/.test(passed.type)) {
    const meant = calleeOf(names, passed)?.name ?? "";
    return makerOf(names, meant, passed, { positional, keywords: new Map() });
  }
  for (const each of spelled(names, expression)) {
    const found = makerOf(names, each, expression, given);
    if (found !== null) return found;
  }
  return null;
}

function makerOf(
  names: PythonNames,
  name: string,
  expression: SyntaxNode | null,
  given: CallArguments,
): TemplateMaker | null {
  if (!MAKES.test(name)) return null;
  const kind = KINDS.find(({ pattern }) => pattern.test(name));
  if (kind !== undefined) return ofKind(kind, given);
  if (COMPILED.test(name)) return { engine: "jinja", compiled: true };
  if (ANYWHERE.test(name)) return { engine: "jinja", files: { nodes: [], open: true } };
  if (/^(jinja2\.([\w.]+\.)?|tornado\.template\.)DictLoader$/.test(name)) {
    const text = given.positional[0] ?? given.keywords.get("mapping") ?? given.keywords.get("dict");
    const engine = name.startsWith("tornado") ? "tornado" : "jinja";
    return text === undefined ? null : { engine, text };
  }
  if (/^jinja2\.([\w.]+\.)?FunctionLoader$/.test(name)) {
    const [text] = given.positional;
    return text === undefined ? null : { engine: "jinja", text, loads: true };
  }
  const object = expression?.type === "attribute" ? child(expression, "object") : null;
  if (object === null || !FROM_TEXT.test(name)) return null;
  const holder = name.slice(0, name.lastIndexOf("."));
  if (/(^|\.)compile$/.test(name) && !(ENVIRONMENT.test(holder) && usesEngine(names))) return null;
  const isEnvironment = ENVIRONMENT.test(holder) || /^jinja2\b/.test(name) ||
    names.imports.some(({ module }) =>
        /^(jinja2|starlette\.templating|fastapi\.templating)/.test(module)
      ) &&
      /^[a-z_(]/.test(holder.split(".").at(-1)!);
  const [text] = given.positional;
  if (!isEnvironment || isSandboxed(names, object)) return null;
  const source = text ?? given.keywords.get("source");
  return source === undefined ? null : { engine: "jinja", text: source };
}
