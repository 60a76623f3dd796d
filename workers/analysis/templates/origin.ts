/**
 * Where the text of a template comes from.
 *
 * @module
 */
import { plainValue, valuesOf } from "../python/values/assigned.ts";
import { calleeOf } from "../python/calls/callee.ts";
import { foldTexts } from "../python/values/folding.ts";
import { argumentsOf, firstPart, type PythonNames } from "../python/names.ts";
import { isParameter, textsOf } from "../python/reach/paths.ts";
import { returnsOf } from "../python/values/returns.ts";
import { compiledText } from "../python/values/texts.ts";
import { nodeTypes } from "../syntax/node_types.ts";
import { textOf } from "../syntax/source_tree.ts";
import { ancestor, child, named, type SyntaxNode, walk } from "../syntax/tree.ts";

/** Text of the source, of files, of a caller, made when the program runs; what cannot be told. */
export interface Origin {
  /** Stated texts. */
  texts: string[];
  /** Paths of files; null where any may be meant. */
  files: (string | null)[];
  caller: boolean;
  computed: boolean;
  unknown: boolean;
}

/** Finds what another module of the project has under a name. */
export type FindElsewhere = (
  names: PythonNames,
  dotted: string,
) => { names: PythonNames; node: SyntaxNode }[] | null;

const MAX_HOPS = 12;
/** Calls that leave a text what it is, wherever it is. */
const KEEPS_OBJECT =
  /^(strip|lstrip|rstrip|dedent|expandtabs|removeprefix|removesuffix|get|pop|setdefault|copy|values|items|splitlines|split|lower|title)$/;
const KEEPS_FIRST =
  /^(str|textwrap\.(dedent|indent)|inspect\.cleandoc|dict|list|tuple|json\.loads?|yaml\.(safe_)?load|tomllib\.loads?|tomli\.loads?|toml\.loads?|dedent|cleandoc|copy\.(copy|deepcopy)|typing\.cast)$/;
/** Calls of what a file, or something else, was opened as. */
const READS = /^(read|readlines|readline|getvalue|decode|encode)$/;
const FETCHED =
  /\b(urlopen|urlretrieve|requests\.\w+|httpx\.\w+|aiohttp\.\w+|socket\.\w+|sqlite3\.\w+)\b/;
const MIXES = /^(format|join|replace|format_map|__add__|translate)$/;
const FILES =
  /^(open|io\.open|codecs\.open|pathlib\.Path|Path|importlib\.resources\.\w+|pkgutil\.get_data|aiofiles\.open|anyio\.open_file)$|(^|\.)(read_text|read_bytes|read|readlines|open|joinpath|glob|rglob|iterdir)$/;
const MADE =
  /^(os\.(getenv|popen|environ\.get)|sys\.stdin\.\w+|input|chr|bytes|bytearray|bytes\.fromhex|base64\.\w+|binascii\.\w+|codecs\.\w+|zlib\.\w+|gzip\.\w+|bz2\.\w+|lzma\.\w+|random\.\w+|requests\.\w+|httpx\.\w+|urllib\.\w+\.\w+|aiohttp\.\w+|socket\.\w+|sqlite3\.\w+|subprocess\.\w+|pickle\.\w+)$|(^|\.)(fetch(one|all|many|val|row)?|recv|recvfrom|execute|urlopen|request|hget|lpop|rpop|communicate)(\(\))?$/;

const BINDS = nodeTypes("assignment", "for_statement", "for_in_clause", "as_pattern");

class Looking {
  readonly found: Origin = {
    texts: [],
    files: [],
    caller: false,
    computed: false,
    unknown: false,
  };
  readonly #seen = new Set<string>();

  constructor(readonly elsewhere: FindElsewhere) {}

  look(names: PythonNames, given: SyntaxNode | null | undefined, hops: number): void {
    if (given === null || given === undefined) return;
    const node = plainValue(given);
    const place = `${names.tree.path}\0${node.number}`;
    if (this.#seen.has(place)) return;
    this.#seen.add(place);
    if (hops > MAX_HOPS) {
      this.found.unknown = true;
      return;
    }
    const texts = textsOf(names, node) ?? foldTexts(names, node);
    if (texts !== null) {
      this.found.texts.push(...texts);
      return;
    }
    switch (node.type) {
      case "none":
      case "true":
      case "false":
      case "integer":
      case "comparison_operator":
        return;
      case "string":
        return this.#parts(names, node, hops);
      case "binary_operator":
        this.look(names, child(node, "left"), hops + 1);
        return this.look(names, child(node, "right"), hops + 1);
      case "conditional_expression":
        this.look(names, node.children[0], hops + 1);
        return this.look(names, node.children.at(-1), hops + 1);
      case "boolean_operator":
      case "concatenated_string":
      case "list":
      case "tuple":
      case "set":
      case "expression_list":
      case "yield":
        for (const each of named(node)) this.look(names, each, hops + 1);
        return;
      case "dictionary":
        for (const pair of named(node)) {
          this.look(names, child(pair, "value") ?? named(pair)[0], hops + 1);
        }
        return;
      case "list_comprehension":
      case "set_comprehension":
      case "dictionary_comprehension":
      case "generator_expression":
        return this.#comprehension(names, node, hops);
      case "lambda":
      case "function_definition":
        return this.#results(names, node, hops);
      case "subscript":
        return this.#subscript(names, node, hops);
      case "call":
        return this.#call(names, node, hops);
      case "identifier":
      case "attribute":
        return this.#name(names, node, hops);
      default:
        this.found.computed = true;
    }
  }

  #parts(names: PythonNames, node: SyntaxNode, hops: number): void {
    this.found.texts.push(
      node.children.filter(({ type }) => type === "string_content")
        .map((each) => textOf(names.tree, each)).join(""),
    );
    for (const each of named(node)) {
      if (each.type === "interpolation") this.look(names, child(each, "expression"), hops + 1);
    }
  }

  #comprehension(names: PythonNames, node: SyntaxNode, hops: number): void {
    const body = child(node, "body");
    this.look(names, body?.type === "pair" ? child(body, "value") : body, hops + 1);
    for (const each of named(node)) {
      if (each.type === "for_in_clause") this.look(names, child(each, "right"), hops + 1);
    }
  }

  #subscript(names: PythonNames, node: SyntaxNode, hops: number): void {
    const written = textOf(names.tree, node).replace(/\s/g, "");
    if (/\[::-1\]$/.test(written)) this.found.computed = true;
    this.look(names, child(node, "value"), hops + 1);
  }

  #results(names: PythonNames, definition: SyntaxNode, hops: number): void {
    for (const each of returnsOf(definition)) this.look(names, each, hops + 1);
  }

  #call(names: PythonNames, node: SyntaxNode, hops: number): void {
    const callee = child(node, "function")!;
    const { positional, keywords } = argumentsOf(names.tree, node);
    const name = calleeOf(names, callee)?.name ?? textOf(names.tree, callee);
    const read = compiledText(names, node);
    if (read.kind === "file") {
      this.found.files.push(...read.paths ?? [null]);
      return;
    }
    if (MADE.test(name) || FETCHED.test(name)) {
      this.found.computed = true;
      return;
    }
    const object = callee.type === "attribute" ? child(callee, "object") : null;
    const method = object === null ? "" : textOf(names.tree, child(callee, "attribute")!);
    if (KEEPS_FIRST.test(name)) return this.look(names, positional[0], hops + 1);
    if (object !== null && MIXES.test(method)) {
      for (const each of [object, ...positional, ...keywords.values()]) {
        this.look(names, each, hops + 1);
      }
      return;
    }
    if (object !== null && KEEPS_OBJECT.test(method) && !/^os\.environ/.test(name)) {
      this.look(names, object, hops + 1);
      // A default of a lookup.
      if (method === "get") this.look(names, positional[1], hops + 1);
      return;
    }
    const own = this.#own(names, callee, method);
    if (own !== undefined) return this.#results(names, own, hops);
    const other = this.elsewhere(names, name);
    if (other !== null && other.length > 0) {
      for (const each of other) this.look(each.names, each.node, hops + 1);
      return;
    }
    if (object !== null && READS.test(method) && this.#opened(names, object, hops)) return;
    // What a file handle or a path gives.
    if (FILES.test(name)) {
      this.found.files.push(null);
      return;
    }
    this.found.unknown = true;
    if (object !== null && object.type === "call") this.look(names, object, hops + 1);
    else if (object !== null) this.#holder(names, object, hops);
  }

  /** Looks at what an object was made of that is read; false where that cannot be told. */
  #opened(names: PythonNames, object: SyntaxNode, hops: number): boolean {
    const { values } = valuesOf(names, object);
    const made = object.type === "call" ? [object] : values;
    for (const each of made) this.look(names, each, hops + 1);
    return made.length > 0;
  }

  /** An object of which a method is asked: what made it tells. */
  #holder(names: PythonNames, object: SyntaxNode, hops: number): void {
    for (const value of valuesOf(names, object).values) {
      if (value.type === "call" || value.type === "attribute") this.look(names, value, hops + 1);
    }
  }

  #own(names: PythonNames, callee: SyntaxNode, method: string): SyntaxNode | undefined {
    if (callee.type === "identifier") return names.functions.get(textOf(names.tree, callee));
    const object = child(callee, "object");
    const isOwn = object !== null && /^(self|cls|[A-Z]\w*)$/.test(textOf(names.tree, object));
    return isOwn ? names.methods.get(method) : undefined;
  }

  /** Names that are given parts of something: `head, body = text.split(…)`, loops, open files. */
  #taken(names: PythonNames, written: string, hops: number): boolean {
    let any = false;
    for (const node of walk(names.tree.root, BINDS)) {
      const left = child(node, "left") ?? child(node, "alias");
      const right = child(node, "right") ?? (node.type === "as_pattern" ? named(node)[0] : null);
      if (left === null || right === null || right === undefined) continue;
      if (!textOf(names.tree, left).split(/[^\w]+/).includes(written)) continue;
      any = true;
      this.look(names, right, hops + 1);
    }
    return any;
  }

  #name(names: PythonNames, node: SyntaxNode, hops: number): void {
    const written = textOf(names.tree, node);
    const meant = calleeOf(names, node)?.name ?? written;
    if (/^(os\.environ|sys\.(argv|stdin))\b/.test(meant)) {
      this.found.computed = true;
      return;
    }
    const own = node.type === "identifier" ? names.functions.get(written) : undefined;
    // A function that gives the text, as loaders take it.
    if (own !== undefined) return this.#results(names, own, hops);
    const { values } = valuesOf(names, node);
    for (const value of values) this.look(names, value, hops + 1);
    if (node.type === "identifier" && isParameter(names, node, written)) {
      this.found.caller = true;
      return;
    }
    if (values.length > 0) return;
    if (node.type === "identifier" && this.#taken(names, written, hops)) return;
    const other = this.elsewhere(names, meant);
    if (other !== null) {
      for (const each of other) this.look(each.names, each.node, hops + 1);
      return;
    }
    if (node.type === "attribute") {
      const object = child(node, "object")!;
      const head = firstPart(textOf(names.tree, object));
      if (object.type === "call") return this.look(names, object, hops + 1);
      if (head !== "self" && head !== "cls" && isParameter(names, node, head)) {
        this.found.caller = true;
        return;
      }
      this.#holder(names, object, hops);
    }
    this.found.unknown = this.found.unknown || ancestor(node, "class_definition") !== null ||
      node.type !== "identifier" || !names.bindings.has(written);
  }
}

/** Where a text comes from. */
export function originOf(
  names: PythonNames,
  node: SyntaxNode,
  elsewhere: FindElsewhere,
): Origin {
  const looking = new Looking(elsewhere);
  looking.look(names, node, 0);
  return looking.found;
}
