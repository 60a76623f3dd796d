/**
 * ESLint on one file of JavaScript or TypeScript: rules from here only, no configuration and no
 * comment of the repository honoured, no file read. JavaScript is parsed by ESLint's own parser;
 * TypeScript, and JavaScript that this one refuses (decorators, type annotations), by that of
 * typescript-eslint, which is loaded when it is first needed: it takes most of the start.
 *
 * @module
 */
import { Linter } from "eslint/universal";
import unsanitized from "eslint-plugin-no-unsanitized";
import security from "eslint-plugin-security";
import globals from "globals";
import type { SourceTree } from "../syntax/source_tree.ts";

/** Options of the rules by their names; plugins are `security`, `no-unsanitized` and `ts`. */
export type RuleOptions = Readonly<Record<string, readonly unknown[]>>;

/** The rules by the files that they suit. */
export interface RuleSets {
  /** For every file. */
  all: RuleOptions;
  /** For JavaScript besides. */
  javascript: RuleOptions;
  /** For TypeScript besides. */
  typescript: RuleOptions;
}

/** A message of ESLint with lines from 1; `rule` is null when the file does not parse. */
export interface EslintFinding {
  rule: string | null;
  message: string;
  line: number;
  endLine: number;
}

/** Most messages of one file; the rest is counted only. */
const MAX_MESSAGES = 1000;

type Messages = ReturnType<Linter["verify"]>;
type Configuration = Parameters<Linter["verify"]>[1];
type Parser = NonNullable<
  NonNullable<Exclude<Configuration, unknown[]>["languageOptions"]>["parser"]
>;
type TypescriptEslint = { parser: Parser; plugin: unknown };

let typescript: Promise<TypescriptEslint> | undefined;

/** Parser and rules of typescript-eslint. */
function loadTypescript(): Promise<TypescriptEslint> {
  typescript ??= Promise.all([
    import("@typescript-eslint/parser"),
    import("@typescript-eslint/eslint-plugin"),
  ]).then(([parser, plugin]) => ({ parser: parser.default as Parser, plugin: plugin.default }));
  return typescript;
}

/** Line breaks of JavaScript that are none elsewhere: lines are then counted by offsets. */
const ODD_BREAKS = /\r(?!\n)|[\u2028\u2029]/;

/** A function from ESLint's line and column (from 1) to the line in the file. */
function lineMapper(tree: SourceTree): (line: number, column: number) => number {
  if (!ODD_BREAKS.test(tree.text)) return (line) => line;
  const starts = [0];
  for (const each of tree.text.matchAll(/\r\n|[\r\n\u2028\u2029]/g)) {
    starts.push(each.index + each[0].length);
  }
  return (line, column) =>
    tree.lineAt(Math.min((starts[line - 1] ?? 0) + column - 1, tree.text.length));
}

/** Whether JavaScript says that it is a module, of which kind. */
function moduleKind(tree: SourceTree): "module" | "commonjs" | "script" {
  if (/\.mjs$/i.test(tree.path)) return "module";
  const isModule = tree.root.children.some(({ type }) => /^(import|export)_statement$/.test(type));
  if (isModule) return "module";
  return /\b(require|module|exports)\b/.test(tree.text) ? "commonjs" : "script";
}

const KNOWN_GLOBALS = Object.fromEntries(
  [
    globals.builtin,
    globals.nodeBuiltin,
    globals.browser,
    globals.worker,
    globals.serviceworker,
    globals.denoBuiltin,
    globals.bunBuiltin,
    globals.jest,
    globals.mocha,
    globals.vitest,
  ].flatMap((names) => Object.keys(names).map((name) => [name, "readonly"])),
);

function failureOf(messages: Messages): string | null {
  return messages.find(({ fatal }) => fatal)?.message ?? null;
}

function overflowed(messages: Messages): boolean {
  return /stack space|call stack/i.test(failureOf(messages) ?? "");
}

/** Messages as findings, with lines of the file. */
function findingsOf(tree: SourceTree, messages: Messages): EslintFinding[] {
  const lineOf = lineMapper(tree);
  return messages.map((each) => {
    const line = lineOf(each.line, each.column);
    return {
      rule: each.ruleId,
      message: each.message.slice(0, 500),
      line,
      endLine: each.endLine === undefined
        ? line
        : Math.max(line, lineOf(each.endLine, each.endColumn ?? 1)),
    };
  });
}

/** Lints JavaScript and TypeScript with a fixed set of rules, without configuration files. */
export class Eslint {
  readonly #rules: RuleSets;
  readonly #linter = new Linter({ configType: "flat" });

  constructor(rules: RuleSets) {
    this.#rules = rules;
  }

  /**
   * The messages on a file; `overflow` when it is nested too deeply for the parser. Throws when a
   * rule does.
   */
  async check(
    tree: SourceTree,
  ): Promise<{ findings: EslintFinding[]; dropped: number } | "overflow"> {
    const isJavascript = tree.grammar === "javascript";
    let messages: Messages;
    try {
      messages = isJavascript ? this.#asJavascript(tree) : await this.#asTypescript(tree);
      if (isJavascript && failureOf(messages) !== null && !overflowed(messages)) {
        messages = await this.#asTypescript(tree);
      }
    } catch (error) {
      if (error instanceof RangeError) return "overflow";
      throw error;
    }
    if (overflowed(messages)) return "overflow";
    const findings = findingsOf(tree, messages.slice(0, MAX_MESSAGES));
    return { findings, dropped: messages.length - findings.length };
  }

  #verify(tree: SourceTree, config: Configuration): Messages {
    // A name of our own: that of the file must not decide how it is treated.
    return this.#linter.verify(tree.text, config, { filename: "file", allowInlineConfig: false });
  }

  #configuration(
    sourceType: "module" | "commonjs" | "script",
    own: RuleOptions,
    languageOptions: Record<string, unknown>,
    plugins: Record<string, unknown> = {},
  ): Configuration {
    return [{
      files: ["**"],
      linterOptions: { noInlineConfig: true, reportUnusedDisableDirectives: "off" },
      languageOptions: { ecmaVersion: "latest", sourceType, ...languageOptions },
      plugins: { security, "no-unsanitized": unsanitized, ...plugins },
      rules: Object.fromEntries(
        Object.entries({ ...this.#rules.all, ...own }).map(([name, options]) => [
          name,
          ["error", ...options],
        ]),
      ),
    }] as Configuration;
  }

  #asJavascript(tree: SourceTree): Messages {
    const kind = moduleKind(tree);
    // What scripts of a page share cannot be known from one of them.
    const { "no-undef": undefinedNames, ...others } = this.#rules.javascript;
    const own = kind === "script" || undefinedNames === undefined
      ? others
      : { ...others, "no-undef": undefinedNames };
    const languageOptions = {
      parserOptions: { ecmaFeatures: { jsx: true, globalReturn: kind === "commonjs" } },
      globals: KNOWN_GLOBALS,
    };
    return this.#verify(tree, this.#configuration(kind, own, languageOptions));
  }

  async #asTypescript(tree: SourceTree): Promise<Messages> {
    const { parser, plugin } = await loadTypescript();
    const jsx = tree.grammar !== "typescript";
    const parserOptions = {
      ecmaFeatures: { jsx },
      jsDocParsingMode: "none",
      warnOnUnsupportedTypeScriptVersion: false,
    };
    const config = this.#configuration(
      "module",
      this.#rules.typescript,
      { parser, parserOptions },
      {
        ts: plugin,
      },
    );
    return this.#verify(tree, config);
  }
}
