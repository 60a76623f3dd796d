/**
 * ESLint's rules as SonarQube would class them: those of its own, of eslint-plugin-security, of
 * eslint-plugin-no-unsanitized and, for TypeScript, of typescript-eslint (`ts/`).
 *
 * Left out are rules about layout and taste, rules that need types, and `no-useless-assignment`,
 * which takes exponential time on a long row of conditions.
 *
 * @module
 */
import type { RuleOptions, RuleSets } from "../eslint/eslint.ts";
import { bug, hotspot, type RuleClass, smell, vulnerability } from "./rule_class.ts";

type Entry = readonly [RuleClass, ...unknown[]];
type Table = Readonly<Record<string, Entry>>;

const UNUSED = { args: "none", caughtErrors: "none", ignoreRestSiblings: true };
const EXPRESSIONS = { allowShortCircuit: true, allowTernary: true, allowTaggedTemplates: true };

const ALL: Table = {
  // Faults that cannot be meant.
  "constructor-super": [bug("high")],
  "no-const-assign": [bug("high")],
  "no-dupe-args": [bug("high")],
  "no-import-assign": [bug("high")],
  "no-invalid-regexp": [bug("high")],
  "no-new-native-nonconstructor": [bug("high")],
  "no-obj-calls": [bug("high")],
  "no-this-before-super": [bug("high")],
  "array-callback-return": [bug("medium")],
  "for-direction": [bug("medium")],
  "getter-return": [bug("medium")],
  "no-async-promise-executor": [bug("medium")],
  "no-class-assign": [bug("medium")],
  "no-compare-neg-zero": [bug("medium")],
  "no-cond-assign": [bug("medium"), "except-parens"],
  "no-constant-binary-expression": [bug("medium")],
  "no-constant-condition": [bug("medium"), { checkLoops: "none" }],
  "no-delete-var": [bug("medium")],
  "no-dupe-else-if": [bug("medium")],
  "no-dupe-keys": [bug("medium")],
  "no-duplicate-case": [bug("medium")],
  "no-empty-character-class": [bug("medium")],
  "no-ex-assign": [bug("medium")],
  "no-func-assign": [bug("medium")],
  "no-global-assign": [bug("medium")],
  "no-loss-of-precision": [bug("medium")],
  "no-misleading-character-class": [bug("medium")],
  "no-self-assign": [bug("medium")],
  "no-self-compare": [bug("medium")],
  "no-setter-return": [bug("medium")],
  "no-unexpected-multiline": [bug("medium")],
  "no-unreachable": [bug("medium")],
  "no-unreachable-loop": [bug("medium")],
  "no-unsafe-finally": [bug("medium")],
  "no-unsafe-negation": [bug("medium")],
  "no-unsafe-optional-chaining": [bug("medium")],
  "use-isnan": [bug("medium")],
  "valid-typeof": [bug("medium")],
  "no-sparse-arrays": [bug("low")],
  "no-useless-backreference": [bug("low")],

  // What makes code hard to read or to change.
  "no-fallthrough": [smell("medium")],
  "no-octal": [smell("medium")],
  "no-shadow-restricted-names": [smell("medium")],
  "no-with": [smell("medium")],
  "no-extend-native": [smell("medium")],
  "no-throw-literal": [smell("medium")],
  "eqeqeq": [smell("low"), "smart"],
  "no-caller": [smell("low")],
  "no-case-declarations": [smell("low")],
  "no-control-regex": [smell("low")],
  "no-debugger": [smell("low")],
  "no-empty": [smell("low")],
  "no-empty-pattern": [smell("low")],
  "no-empty-static-block": [smell("low")],
  "no-irregular-whitespace": [smell("low")],
  "no-iterator": [smell("low")],
  "no-new-wrappers": [smell("low")],
  "no-nonoctal-decimal-escape": [smell("low")],
  "no-proto": [smell("low")],
  "no-prototype-builtins": [smell("low")],
  "no-sequences": [smell("low")],
  "no-unused-labels": [smell("low")],
  "no-unused-private-class-members": [smell("low")],
  "no-useless-catch": [smell("low")],
  "no-extra-boolean-cast": [smell("info")],
  "no-regex-spaces": [smell("info")],
  "no-useless-escape": [smell("info")],
  "no-var": [smell("info")],
  "prefer-const": [smell("info")],

  // What has to be looked at.
  "no-eval": [hotspot("95")],
  "no-implied-eval": [hotspot("95")],
  "no-new-func": [hotspot("95")],
  "no-script-url": [hotspot("79")],
  "no-restricted-properties": [hotspot("338"), {
    object: "Math",
    property: "random",
    message: "Its values are predictable. Use crypto if they protect anything.",
  }],
  "no-unsanitized/method": [hotspot("79")],
  "no-unsanitized/property": [hotspot("79")],
  "security/detect-bidi-characters": [vulnerability("medium", "1007")],
  "security/detect-buffer-noassert": [bug("low")],
  "security/detect-child-process": [hotspot("78")],
  "security/detect-disable-mustache-escape": [hotspot("79")],
  "security/detect-invisible-characters": [hotspot("1007")],
  "security/detect-new-buffer": [hotspot("665")],
  "security/detect-no-csrf-before-method-override": [hotspot("352")],
  "security/detect-non-literal-fs-filename": [{ ...hotspot("22"), severity: "info" }],
  "security/detect-non-literal-regexp": [hotspot("1333")],
  "security/detect-non-literal-require": [hotspot("829")],
  "security/detect-possible-timing-attacks": [hotspot("208")],
  "security/detect-pseudoRandomBytes": [hotspot("338")],
  "security/detect-unsafe-regex": [hotspot("1333")],
};

const JAVASCRIPT: Table = {
  "no-dupe-class-members": [bug("medium")],
  "no-undef": [bug("medium")],
  "no-redeclare": [smell("medium"), { builtinGlobals: false }],
  "no-unused-expressions": [bug("low"), EXPRESSIONS],
  "no-unused-vars": [smell("low"), UNUSED],
};

const TYPESCRIPT: Table = {
  "ts/no-dupe-class-members": [bug("medium")],
  "ts/no-duplicate-enum-values": [bug("medium")],
  "ts/no-non-null-asserted-optional-chain": [bug("medium")],
  "ts/no-misused-new": [bug("low")],
  "ts/no-unsafe-declaration-merging": [bug("low")],
  "ts/no-unused-expressions": [bug("low"), EXPRESSIONS],
  "ts/no-redeclare": [smell("medium"), {
    builtinGlobals: false,
    ignoreDeclarationMerge: true,
  }],
  "ts/ban-ts-comment": [smell("low")],
  "ts/no-extra-non-null-assertion": [smell("low")],
  "ts/no-unsafe-function-type": [smell("low")],
  "ts/no-unused-vars": [smell("low"), UNUSED],
  "ts/no-wrapper-object-types": [smell("low")],
  "ts/no-explicit-any": [smell("info")],
  "ts/no-this-alias": [smell("info")],
  "ts/prefer-as-const": [smell("info")],
};

function optionsOf(table: Table): RuleOptions {
  return Object.fromEntries(
    Object.entries(table).map(([name, [, ...options]]) => [name, options]),
  );
}

/** The rules that are asked for. */
export const RULES: RuleSets = {
  all: optionsOf(ALL),
  javascript: optionsOf(JAVASCRIPT),
  typescript: optionsOf(TYPESCRIPT),
};

const CLASSES: Table = { ...ALL, ...JAVASCRIPT, ...TYPESCRIPT };

/** How a rule of {@link RULES} counts; a file that does not parse has null. */
export function classOfRule(rule: string | null): RuleClass {
  return rule === null ? bug("high") : CLASSES[rule]?.[0] ?? smell("low");
}
