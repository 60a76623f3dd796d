/**
 * Parses Python so that rules see what the interpreter does: identifiers in the form that it
 * compares (NFKC), and no text that the parser passed over in silence.
 *
 * @module
 */
import { isSyntaxError } from "../ruff/syntax.ts";
import { flatReader, type FlatTree } from "../syntax/flat_tree.ts";
import { nodeTypes } from "../syntax/node_types.ts";
import { grammarFor, type LoadedGrammar, type Parsed } from "../syntax/parser.ts";
import { decodePython } from "./decode.ts";
import { areInFormats, withoutFormatSigns } from "./format_specs.ts";
import { withoutTightSplats, withoutTypeCalls, withoutTypeDefaults } from "./grammar_gaps.ts";

export interface ParsedPython {
  text: string;
  flat: FlatTree;
  /** No interpreter compiles it. */
  broken: boolean;
}

const IDENTIFIER = nodeTypes("identifier");
// deno-lint-ignore no-control-regex
const BEYOND_ASCII = /[^\x00-\x7f]/;
/** In another spelling these are names, and no keywords. */
const KEYWORDS = new Set(
  ("False None True and as assert async await break class continue def del elif else except " +
    "finally for from global if import in is lambda nonlocal not or pass raise return try while " +
    "with yield").split(" "),
);

/** The text with its identifiers as the interpreter compares them; the same one when they are. */
function normalised(text: string, flat: FlatTree, { kinds }: LoadedGrammar): string {
  const reader = flatReader(flat, kinds);
  const isIdentifier = reader.is(IDENTIFIER);
  const parts: string[] = [];
  let done = 0;
  for (let node = 0; node < reader.count; node++) {
    if (!isIdentifier(node)) continue;
    const name = text.slice(reader.start(node), reader.end(node));
    if (!BEYOND_ASCII.test(name)) continue;
    const compared = name.normalize("NFKC");
    if (compared === name || KEYWORDS.has(compared)) continue;
    parts.push(text.slice(done, reader.start(node)), compared);
    done = reader.end(node);
  }
  return parts.length === 0 ? text : parts.join("") + text.slice(done);
}

/** The tree of a text, also where the grammar has to be told of what it does not know. */
function parseAll(given: string, grammar: LoadedGrammar): Parsed {
  const { told, signs } = withoutFormatSigns(given);
  if (signs.length > 0) {
    const parsed = parseKnown(told, grammar);
    const isRight = parsed.kind !== "refused" && !parsed.flawed &&
      areInFormats(flatReader(parsed.tree, grammar.kinds), signs);
    if (isRight) return parsed;
  }
  return parseKnown(given, grammar);
}

function parseKnown(given: string, grammar: LoadedGrammar): Parsed {
  const text = withoutTypeCalls(given);
  const parsed = grammar.parse(text);
  if (!parsed.flawed) return withSplats(text, parsed, grammar);
  const told = withoutTypeDefaults(text);
  const again = told === text ? parsed : grammar.parse(told);
  return again.flawed ? parsed : withSplats(told, again, grammar);
}

/** The tree in which what is unpacked is read as the interpreter reads it. */
function withSplats(text: string, parsed: Parsed, grammar: LoadedGrammar): Parsed {
  if (parsed.kind === "refused" || !text.includes("*")) return parsed;
  const told = withoutTightSplats(text, flatReader(parsed.tree, grammar.kinds));
  if (told === text) return parsed;
  const again = grammar.parse(told);
  return again.flawed || again.kind === "refused" ? parsed : withSplats(told, again, grammar);
}

/** Parses text; a string says why it cannot be analysed. */
export async function parsePythonText(given: string): Promise<ParsedPython | string> {
  const grammar = await grammarFor("python");
  let text = given;
  let parsed = parseAll(text, grammar);
  if (parsed.kind === "refused") return parsed.reason;
  if (BEYOND_ASCII.test(text)) {
    text = normalised(text, parsed.tree, grammar);
    if (text !== given) parsed = parseAll(text, grammar);
    if (parsed.kind === "refused") return parsed.reason;
  }
  const broken = parsed.flawed && isSyntaxError(given);
  if (parsed.flawed && !broken) return "its syntax cannot be parsed";
  return { text, flat: parsed.tree, broken };
}

/** Parses the bytes of a module; a string says why it cannot be analysed. */
export async function parsePython(bytes: Uint8Array): Promise<ParsedPython | string> {
  const decoded = decodePython(bytes);
  return decoded.kind === "refused" ? decoded.reason : await parsePythonText(decoded.text);
}
