/**
 * Lint rule for the texts that people read: words that stumble, with what to write instead
 * (`CONTRIBUTING.md`, "Words"). `tests/docs/english_test.ts` holds the guides against the same list.
 *
 * @module
 */
import { belowRoot } from "./paths.ts";

/** What is not written, and what is written instead. */
const WORDS: readonly (readonly [RegExp, string])[] = [
  [/\b(?:not|none) to be had\b|\bcannot be had\b/i, "unavailable"],
  [/\bgrave\b/i, "critical or high; blocking for what fails a scan"],
  [/\w\(e?s\)(?![?*+{|\\])/, "a real plural: 1 finding, 2 findings"],
  [/\b\d+ faults?\b|\$\{[^}]*\} faults?\b/i, "errors, or findings of a scan"],
  [/\bso many\b(?! (?:that|as)\b)/i, "the number itself, or maximum number of"],
  [/\bwhom you\b/i, "a sentence about what happens"],
  [/\b(?:is|are) left as (?:it is|they are)\b/i, "was left unchanged"],
  [/\blooked at many\b/i, "Too many lookups"],
  [/\bthe same again\b/i, "Repeat, or Rescan"],
  [/\blook at it\b/i, "Inspect, or Check"],
  [/\bnot looked at\b/i, "skipped, or not scanned"],
  [/\bwhat counts\b/i, "effective settings"],
  [/\b(?:does|do) not count\b(?! (?:towards|as)\b)/i, "not valid, or not counted towards"],
  [/\b(?:is|are) not understood\b/i, "unexpected, or not valid"],
  [/\bthere is no such\b/i, "X not found"],
  [/\bexists already\b/i, "already exists"],
  [/\banswer(?:s|ed)? (?:with|in) (?:status|an unknown)\b/i, "returned status"],
  [/\bbroke off\b/i, "was interrupted"],
  [/\btry again shortly\b/i, "Try again in a moment"],
  [/\bwait a while\b/i, "Try again in …"],
  [/\bcalled wrongly\b/i, "usage error"],
  [/\bis no (?:valid )?(?:JSON|price|argument|number|name|address)\b/i, "is not a valid …"],
  [/\bmeanwhile\b/i, "while …, or nothing"],
  [/\bbegin again\b/i, "Start again"],
  [/\bmust be like\b/i, "must be"],
  [/\b(?:sandbox|profile|interpreter|system) has not\b/i, "not available in …"],
  [/\bwhich is the limit\b(?!\s*(?:of|for)\b)/i, "larger than the limit of …"],
  [/\bhold less at once\b/i, "Process less data at once"],
  [/\bfor want of\b/i, "out of, or without"],
  [/\bwhat (?:a|the) (?:request|caller|server) (?:answers|gives|says)\b/i, "response data, input"],
  [/\bwhat is (?:wanted|meant)\b|\bwhat was meant\b/i, "expected, or intended"],
  [/\bbrings? (?:\w+ )?along\b/i, "contains"],
  [/\bput together\b/i, "built, or computed"],
  [/\bno scan (?:can |has )?reads?\b/i, "unscanned"],
  [/\bwhoever (?:can|controls|has|looks|makes)\b/i, "anyone who"],
  [/\bnothing honest\b/i, "no legitimate …"],
  [/\b(?:is|are) handed (?:on|to)\b/i, "is passed"],
  [/\bcan be foreseen\b/i, "predictable"],
  [/\bwhatever it is given\b/i, "always"],
  [/\b(?:answers|gives|is given) (?:no|nothing) (?:usable|honest)\b/i, "returned no valid result"],
  [
    /(?:\b\d+|\}) (?:[a-zA-Z]+ )?a (?:second|minute|hour|call|page)\b(?! [a-z]*(?:offer|one|time)\b)/i,
    "per second, per minute",
  ],
  [/\bsomebody else than\b|\bsomething else than\b/i, "someone other than, different from"],
];

/** What is wrong with the English of `text`, with what to write instead. */
export function stumblesIn(text: string): string[] {
  return WORDS.flatMap(([word, better]) => {
    const found = word.exec(text)?.[0];
    return found === undefined ? [] : [`"${found}": write ${better}`];
  });
}

/** Whether the texts of the module at `path` are held against the list. */
function isChecked(path: string): boolean {
  return /^(?:src|workers)\/|^main\.ts$/.test(path);
}

const plugin: Deno.lint.Plugin = {
  name: "berth-english",
  rules: {
    "words": {
      create(context) {
        if (!isChecked(belowRoot(context.filename))) return {};
        function check(node: Deno.lint.Node, text: unknown) {
          // One word is a name or a path.
          if (typeof text !== "string" || !/\S\s+\S/.test(text)) return;
          for (const message of stumblesIn(text.replace(/\s+/g, " "))) {
            context.report({ node, message });
          }
        }
        return {
          Literal: (node) => check(node, node.value),
          // Whole, as what stumbles may stand around a value.
          TemplateLiteral: (node) => check(node, context.sourceCode.getText(node)),
          JSXText: (node) => check(node, node.value),
        };
      },
    },
  },
};

export default plugin;
