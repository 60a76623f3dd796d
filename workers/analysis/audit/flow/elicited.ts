/**
 * Secrets that a server asks its user for through the client: `ctx.elicit("Your password?", …)`. The
 * protocol forbids to ask for them this way, because the client cannot tell who will have them.
 *
 * @module
 */
import { argumentsOf, type PythonNames } from "../../python/names.ts";
import { nodeTypes } from "../../syntax/node_types.ts";
import { textOf } from "../../syntax/source_tree.ts";
import { child, type SyntaxNode, walk } from "../../syntax/tree.ts";
import { textsOf } from "../keys/destinations.ts";

const ASKS = /(^|\.)elicit(_form|_input)?$/;
const CLASSES = nodeTypes("class_definition");
/** What nobody may be asked for. */
const SECRET =
  /pass(word|phrase|code|wd)\b|\bsecret|api[\s_-]?key|access[\s_-]?key|private[\s_-]?key|(?<![a-z])token\b|credential|seed phrase|mnemonic|recovery (phrase|code)|\bpin\b(?!ned)|\bcvv|\bcvc\b|card[\s_]?number|credit card|(?<![a-z])ssn\b|social security|\botp\b|one-time (code|password)|verification code/i;
const MAX_TEXT = 5_000;

/** The source of a class of the module that a name means; of anything else as it is written. */
function schemaText(names: PythonNames, node: SyntaxNode): string {
  const written = textOf(names.tree, node).slice(0, MAX_TEXT);
  if (node.type !== "identifier") return written;
  for (const each of walk(names.tree.root, CLASSES)) {
    const name = child(each, "name");
    if (name !== null && textOf(names.tree, name) === written) {
      return textOf(names.tree, each).slice(0, MAX_TEXT);
    }
  }
  return written;
}

/** Whether what a user is asked, or the form that is to be filled in, asks for a secret. */
export function isSecretAsked(names: PythonNames, asked: SyntaxNode): boolean {
  return textsOf(names, asked).some((text) => SECRET.test(text)) ||
    SECRET.test(schemaText(names, asked));
}

/**
 * Labels of what a call gives that asks the user: `elicited` for a secret, `asked:<parameter>` where a
 * parameter of the function around says what is asked.
 */
export function elicitedLabels(
  names: PythonNames,
  node: SyntaxNode,
  name: string,
  labels: (expression: SyntaxNode) => ReadonlySet<string>,
): string[] {
  if (!ASKS.test(name)) return [];
  const { positional, keywords } = argumentsOf(names.tree, node);
  const all = [...positional, ...keywords.values()];
  if (all.some((each) => isSecretAsked(names, each))) return ["elicited"];
  return all.flatMap((each) => askedBy(labels(each)));
}

/** The label of what is asked by a function's parameters. */
export function askedBy(labels: ReadonlySet<string>): string[] {
  return [...labels].filter((label) => label.startsWith("param:"))
    .map((label) => `asked:${label.slice("param:".length)}`);
}
