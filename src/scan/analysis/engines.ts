/**
 * The engines that analysers use, with their versions.
 *
 * @module
 */
import eslint from "eslint/package.json" with { type: "json" };
import eslintSecurity from "eslint-plugin-security/package.json" with { type: "json" };
import ruff from "@astral-sh/ruff-wasm-nodejs/package.json" with { type: "json" };
import secretlint from "@secretlint/core/package.json" with { type: "json" };
import grammars from "@vscode/tree-sitter-wasm/package.json" with { type: "json" };

/** `name version` in stage order, as reports list them. */
export const ENGINES: readonly string[] = [
  `ruff ${ruff.version}`,
  `eslint ${eslint.version}`,
  `eslint-plugin-security ${eslintSecurity.version}`,
  `tree-sitter-wasm ${grammars.version}`,
  `secretlint ${secretlint.version}`,
];
