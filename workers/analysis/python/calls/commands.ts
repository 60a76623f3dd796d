/**
 * Commands as objects, of which words are given bit by bit: `sh.bash.bake("-c")`,
 * `plumbum.local["sh"]["-c", x]`.
 *
 * @module
 */
import { childrenIn, type SyntaxNode } from "../../syntax/tree.ts";
import type { Callee } from "./callee.ts";
import type { CallArguments } from "../names.ts";
import { starterOf } from "./starters.ts";

const GIVES_COMMAND = /^(sh\.Command|plumbum\..*\.(get|__getitem__))$/;

/** Whether a function is a command that words are given to by brackets. */
export function isCommand(name: string): boolean {
  return name.startsWith("plumbum.") && /^(named|words)$/.test(starterOf(name)?.layout ?? "");
}

/** A callee with more words. */
function withMore(callee: Callee, given: CallArguments): Callee {
  const before = callee.bound;
  return {
    ...callee,
    bound: {
      positional: [...before?.positional ?? [], ...given.positional],
      keywords: new Map([...before?.keywords ?? [], ...given.keywords]),
    },
  };
}

/** What a call makes that is a command itself: `sh.Command("bash")`, `sh.bash.bake("-c")`. */
export function boundCommand(called: Callee, given: CallArguments): Callee | null {
  if (GIVES_COMMAND.test(called.name)) return withMore(called, given);
  const baked = /^(sh\..+)\.bake$/.exec(called.name)?.[1];
  return baked === undefined ? null : withMore({ ...called, name: baked }, given);
}

/** The words in brackets: `bash["-c", x]`. */
function wordsIn(node: SyntaxNode): SyntaxNode[] {
  return childrenIn(node, "subscript").flatMap((each) =>
    each.type === "tuple" ? each.children.filter(({ named }) => named) : [each]
  );
}

/** A command with the words that follow in brackets. */
export function withWords(callee: Callee, node: SyntaxNode): Callee {
  return withMore(callee, { positional: wordsIn(node), keywords: new Map() });
}
