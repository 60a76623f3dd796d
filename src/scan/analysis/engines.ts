/**
 * The engines that analysers use, with their versions.
 *
 * @module
 */
import ruff from "@astral-sh/ruff-wasm-nodejs/package.json" with { type: "json" };
import secretlint from "@secretlint/core/package.json" with { type: "json" };
import grammars from "@vscode/tree-sitter-wasm/package.json" with { type: "json" };

/** `name version` in stage order, as reports list them. */
export const ENGINES: readonly string[] = [
  `ruff ${ruff.version}`,
  `tree-sitter-wasm ${grammars.version}`,
  `secretlint ${secretlint.version}`,
];
