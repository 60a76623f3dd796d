/**
 * Lint rule: a feature makes its failures in its `failures.ts`, each once, so that its statuses and
 * texts are read in one place.
 *
 * @module
 */
import { belowRoot } from "./paths.ts";

/** What makes an `AppError`. */
const MAKERS = new Set(["AppError", "ExecutionError", "forbidden"]);

/** Whether the rule is for the file at `path`. */
function isChecked(path: string): boolean {
  return path.startsWith("src/") && path !== "src/errors.ts" &&
    !path.endsWith("/failures.ts");
}

const plugin: Deno.lint.Plugin = {
  name: "berth-failures",
  rules: {
    "one-list": {
      create(context) {
        if (!isChecked(belowRoot(context.filename))) return {};
        function check(node: Deno.lint.NewExpression | Deno.lint.CallExpression) {
          if (node.callee.type !== "Identifier" || !MAKERS.has(node.callee.name)) return;
          const message = "Failures are made in the feature's failures.ts: name this one there";
          context.report({ node, message });
        }
        return { NewExpression: check, CallExpression: check };
      },
    },
  },
};

export default plugin;
