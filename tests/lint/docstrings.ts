/**
 * What is exported and not self-evident has a docstring, and a docstring says something.
 *
 * Self-evident are a name of several words with no more than {@link MOST_PARAMETERS} parameters, a
 * type on one line, and a function `createX()` that returns an `X`. A docstring says something when
 * it has at least two words that are neither in the name nor mere grammar.
 *
 * @module
 */
import {
  createSourceFile,
  type FunctionLikeDeclaration,
  getJSDocCommentsAndTags,
  isArrowFunction,
  isClassDeclaration,
  isFunctionDeclaration,
  isFunctionExpression,
  isInterfaceDeclaration,
  isTypeAliasDeclaration,
  isVariableStatement,
  type Node,
  ScriptTarget,
  type SourceFile,
  type Statement,
  SyntaxKind,
} from "typescript";

const MOST_PARAMETERS = 3;
const LEAST_WORDS = 2;

/** Words that say nothing by themselves: grammar, and verbs that every function could begin with. */
const FILLERS = new Set(
  ("a all an and any are as at be been by can does each every everything for from get gets give " +
    "gives given has have here how if in into is it its made make makes needs no not of off on one " +
    "or other return returns said say says see show shows shown some than that the their them then " +
    "there these they thing things this those to use used uses what when where whether which who " +
    "will with link").split(" ").map(stem),
);

interface Exported {
  node: Node;
  name: string;
  /** Null for a type. */
  callable: FunctionLikeDeclaration | null;
}

/** What a module exports by declaring it: functions, classes and types. */
function* exportsOf(file: SourceFile): Generator<Exported> {
  for (const node of file.statements) {
    if (!isExported(node)) continue;
    if (isFunctionDeclaration(node)) {
      yield { node, name: node.name?.text ?? "default", callable: node };
    } else if (isVariableStatement(node)) {
      for (const { name, initializer } of node.declarationList.declarations) {
        if (
          initializer !== undefined && (isArrowFunction(initializer) ||
            isFunctionExpression(initializer))
        ) yield { node, name: name.getText(), callable: initializer };
      }
    } else if (
      isClassDeclaration(node) || isInterfaceDeclaration(node) || isTypeAliasDeclaration(node)
    ) yield { node, name: node.name?.text ?? "default", callable: null };
  }
}

function isExported(node: Statement): boolean {
  return "modifiers" in node && Array.isArray(node.modifiers) &&
    node.modifiers.some(({ kind }) => kind === SyntaxKind.ExportKeyword);
}

function stem(word: string): string {
  return word.toLowerCase().replace(/(?:ing|ed|es|s|e)$/, "");
}

function wordsOf(text: string): string[] {
  return text.replace(/([a-z\d])([A-Z])/g, "$1 $2").match(/[A-Za-z]+/g) ?? [];
}

/** The text of the docstring before `node`, without its marks; null when there is none. */
function docOf(node: Node): string | null {
  const doc = getJSDocCommentsAndTags(node).findLast(({ kind }) => kind === SyntaxKind.JSDoc);
  if (doc === undefined) return null;
  return doc.getText().replaceAll(/^\/\*\*|\*\/$|^\s*\*/gm, "").replaceAll(/\s+/g, " ").trim();
}

/** Whether a docstring tells more than the name does. */
export function saysSomething(name: string, doc: string): boolean {
  if (/^See \{@link [^}]*\}\.?$/.test(doc)) return false;
  const known = new Set(wordsOf(name).map(stem));
  const told = wordsOf(doc.replaceAll(/@\w+/g, " ")).map(stem)
    .filter((word) => !known.has(word) && !FILLERS.has(word));
  return told.length >= LEAST_WORDS;
}

function isSelfEvident({ node, name, callable }: Exported): boolean {
  // One line shows all of it; that of an inferred type is its schema's.
  if (isTypeAliasDeclaration(node) && !node.getText().includes("\n")) return true;
  const created = name.match(/^create([A-Z]\w*)$/)?.[1];
  if (created !== undefined && callable?.type?.getText() === created) return true;
  if (wordsOf(name).length < 2) return false;
  return callable === null || callable.parameters.length <= MOST_PARAMETERS;
}

/** What is wrong with the docstrings of a module, each as "path:line name: what". */
export function docFaults(path: string, text: string): string[] {
  const file = createSourceFile(path, text, ScriptTarget.Latest, true);
  return [...exportsOf(file)].flatMap((exported) => {
    const doc = docOf(exported.node);
    const fault = doc === null
      // The text of a failure is in its body.
      ? isSelfEvident(exported) || path.endsWith("/failures.ts") ? null : "has no docstring"
      : saysSomething(exported.name, doc)
      ? null
      : `has a docstring that only repeats its name: ${doc}`;
    if (fault === null) return [];
    const line = file.getLineAndCharacterOfPosition(exported.node.getStart()).line + 1;
    return [`${path}:${line} ${exported.name} ${fault}`];
  });
}
