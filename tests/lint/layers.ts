/**
 * Lint rules for the shape of the tree (`docs/architecture.md`, "Rules"): which folder may import
 * which, where the environment and the process may be touched, and that features stay free of Hono.
 *
 * @module
 */
import { belowRoot, resolve } from "./paths.ts";

/**
 * From the top down: what stands on one line is one layer, of which each part may import the others;
 * a file imports its own layer and those below it. Circles are refused by `circles_test.ts`.
 */
const LAYERS: readonly (readonly string[])[] = [
  ["main.ts"],
  ["src/services.ts", "src/services"],
  ["src/cli"],
  ["src/web"],
  ["src/http"],
  ["src/setup"],
  ["src/account"],
  ["src/issuer"],
  ["src/payments"],
  ["src/documents"],
  ["src/execution"],
  ["src/registry"],
  ["src/packages"],
  ["src/scan"],
  ["src/repository"],
  ["src/connections"],
  ["src/egress"],
  ["src/mcp_clients"],
  ["src/keys"],
  ["src/identity"],
  ["src/audit"],
  ["src/limits"],
  ["src/figures"],
  ["src/names"],
  ["src/access"],
  ["src/protocol", "src/database", "src/sandbox", "src/config.ts", "src/log.ts", "src/metrics.ts"],
  [
    "src/errors.ts",
    "src/provider_settings.ts",
    "src/secret_settings.ts",
    "src/code_host_settings.ts",
    "src/setting_types.ts",
    "src/at_once.ts",
    "src/bound.ts",
    "src/bytes.ts",
    "src/files.ts",
    "src/held.ts",
    "src/rest.ts",
    "src/cursor.ts",
    "src/request.ts",
    "src/issues.ts",
    "src/clock.ts",
    "src/numbers.ts",
    "src/tracing.ts",
    "src/text",
  ],
];

const ENTRY_FILES =
  /(^|\/)(main\.ts|src\/cli\/main\.ts|src\/setup\/main\.ts|workers\/(analysis|session)\/host\.ts)$/;

/** The path of `file` below the project's root, or null when it is not in a checked folder. */
function projectPath(file: string): string | null {
  const path = belowRoot(file);
  return /^(src|workers|tests)\/|^main\.ts$/.test(path) ? path : null;
}

/** The feature that `path` is part of: a folder or a file of `src`, or `workers`; else null. */
export function featureOf(path: string): string | null {
  if (path.startsWith("workers/")) return "workers";
  return path.startsWith("src/") ? path.split("/").slice(0, 2).join("/") : null;
}

/** The layer of `path`, counted from the top; -1 when it is in none. */
export function layerOf(path: string): number {
  return LAYERS.findIndex((layer) =>
    layer.some((part) => path === part || path.startsWith(`${part}/`))
  );
}

type Reason = string | null;

function importFault(importer: string, source: string): Reason {
  const inFeature = /^src\/(?!http\/|web\/|cli\/)[^/]+\//.test(importer);
  if (inFeature && /^(hono|@hono)(\/|$)/.test(source)) {
    return "A feature folder does not import Hono: put routes in src/http";
  }
  if (!source.startsWith(".")) return null;
  const target = resolve(importer, source);
  if (importer.startsWith("workers/") && target.startsWith("src/")) {
    return "workers/ imports nothing of src/";
  }
  if (!importer.startsWith("tests/") && target.startsWith("tests/")) {
    return "Only tests import from tests/";
  }
  const from = layerOf(importer);
  const to = layerOf(target);
  if (from >= 0 && to >= 0 && to < from) {
    return `"${importer}" may not import "${target}": that layer is above it`;
  }
  return null;
}

const plugin: Deno.lint.Plugin = {
  name: "berth",
  rules: {
    "layers": {
      create(context) {
        const path = projectPath(context.filename);
        if (path === null) return {};
        function check(node: { source: { value: string } | null }) {
          if (node.source === null) return;
          const fault = importFault(path!, node.source.value);
          if (fault !== null) {
            context.report({ node: node as unknown as Deno.lint.Node, message: fault });
          }
        }
        return {
          ImportDeclaration: check,
          ExportNamedDeclaration: check,
          ExportAllDeclaration: check,
        };
      },
    },
    "entry-files": {
      create(context) {
        const path = projectPath(context.filename);
        if (path === null || path.startsWith("tests/") || ENTRY_FILES.test(path)) return {};
        return {
          MemberExpression(node) {
            if (node.object.type !== "Identifier" || node.object.name !== "Deno") return;
            if (node.property.type !== "Identifier") return;
            if (node.property.name !== "env" && node.property.name !== "exit") return;
            context.report({
              node,
              message:
                `Deno.${node.property.name} belongs in an entry file: pass what is needed as an argument`,
            });
          },
        };
      },
    },
  },
};

export default plugin;
