/**
 * Lint rule for texts of strangers (`docs/architecture.md`, "Foreign text"): the main process parses
 * only framing and its own formats. Whatever else comes from a repository, a session or a document
 * is parsed in a process that can be ended. The table says who parses what beside that, and why.
 *
 * @module
 */
import { belowRoot, resolve } from "./paths.ts";

/** Packages that parse, by what they parse. */
const PARSERS =
  /^(?:npm:)?(?:marked|sanitize-html|js-yaml|smol-toml|jsonc-parser|ajv(?:-.*)?|libarchive-wasm|modern-tar|semver|@renovatebot\/pep440|@yarnpkg\/parsers|spdx-expression-parse|seek-bzip|xz-decompress|web-tree-sitter|@vscode\/tree-sitter-wasm|eslint|typescript|@secretlint\/.*|@astral-sh\/.*)(?:\/.*)?$|^node:zlib$/;

/** Modules of the analysis processes that hold names, types and bounds only. */
const PLAIN_WORKER_MODULES: ReadonlySet<string> = new Set([
  "workers/analysis/advisories/alias_groups.ts",
  "workers/analysis/advisories/ecosystem.ts",
  "workers/analysis/advisories/job.ts",
  "workers/analysis/advisories/osv_schema.ts",
  "workers/analysis/audit/mcp/declared.ts",
  "workers/analysis/card/view.ts",
  "workers/analysis/host_bounds.ts",
  "workers/analysis/in_scans.ts",
  "workers/analysis/manifests/bounds.ts",
  "workers/analysis/manifests/channels.ts",
  "workers/analysis/message_bounds.ts",
  "workers/analysis/messages.ts",
  "workers/analysis/ruff/sample.ts",
  "workers/analysis/audit/variables/files.ts",
  "workers/analysis/sources.ts",
  "workers/analysis/weaknesses.ts",
]);

/** What a module of `src/` may do with texts, and why it cannot stop the process. */
interface Exemption {
  /** Packages or worker modules that it imports, or `JSON.parse`, `parseExact`, `json()`, `RegExp`. */
  uses: readonly string[];
  because: string;
}

const OWN = "the text is Berth's own, signed or sealed by it, or comes from its operator";
const CALLER = "a request's own body or header, bounded before it is parsed";
const CONFIGURED = "an answer of a service that the operator has configured, bounded";
const FRAMES = "the header of a frame, bounded by the frame reader";

/** By path below the project's root. */
export const EXEMPT: Readonly<Record<string, Exemption>> = {
  "src/cursor.ts": { uses: ["JSON.parse"], because: CALLER },
  "src/setting_types.ts": { uses: ["JSON.parse"], because: OWN },
  "src/documents/png.ts": {
    uses: ["node:zlib"],
    because: "it compresses pixels of a fixed number, and reads nothing",
  },
  "src/egress/packed.ts": {
    uses: ["node:zlib"],
    because: "inflated in threads of the runtime, all of an answer to at most its own limit",
  },
  "src/egress/plain_answer.ts": {
    uses: ["node:zlib"],
    because: "inflated in threads of the runtime, to at most the size of an answer",
  },
  "src/keys/variables.ts": {
    uses: ["workers/analysis/secrets/names.ts"],
    because: "the name of a variable, 128 characters at most",
  },
  "src/execution/nodes/passport.ts": { uses: ["JSON.parse"], because: OWN },
  "src/keys/connection.ts": { uses: ["JSON.parse"], because: OWN },
  "src/connections/clients.ts": { uses: ["JSON.parse"], because: OWN },
  "src/connections/request.ts": {
    uses: ["JSON.parse"],
    because: "an answer of a service that an author declares, 64 KiB at most",
  },
  "src/execution/sessions/environment.ts": {
    uses: ["JSON.parse"],
    because: "a header of a request, bounded",
  },
  "src/execution/images/content.ts": {
    uses: ["JSON.parse"],
    because: "what a node wrote of an image: its digest is checked before",
  },
  "src/execution/parked/images.ts": {
    uses: ["node:zlib"],
    because: "what a node sealed, in threads of the runtime, to at most the largest image",
  },
  "src/execution/images/store_files.ts": {
    uses: ["JSON.parse"],
    because: "what this node wrote of its images, a few kilobytes each",
  },
  "src/execution/interpreters/body.ts": {
    uses: ["JSON.parse"],
    because: "results are asked for by what reads in them; most pass as bytes",
  },
  "src/execution/interpreters/http.ts": { uses: ["JSON.parse"], because: FRAMES },
  "src/execution/parked/state.ts": { uses: ["JSON.parse", "parseExact"], because: OWN },
  "src/http/callers.ts": { uses: ["json()"], because: CALLER },
  "src/http/kept/coding.ts": {
    uses: ["node:zlib"],
    because: "it compresses responses, in threads, and reads nothing",
  },
  "src/http/plumbing/json_body.ts": { uses: ["JSON.parse"], because: CALLER },
  "src/http/plumbing/refusals.ts": { uses: ["json()"], because: CALLER },
  "src/identity/api_tokens/deny_list.ts": { uses: ["JSON.parse"], because: OWN },
  "src/identity/fetch_document.ts": { uses: ["JSON.parse"], because: CONFIGURED },
  "src/identity/json.ts": { uses: ["JSON.parse"], because: CALLER },
  "src/issuer/clients/fetch_document.ts": {
    uses: ["JSON.parse"],
    because: "a client's metadata, a few kilobytes at most",
  },
  "src/issuer/clients/registration.ts": { uses: ["JSON.parse"], because: CALLER },
  "src/limits/address.ts": { uses: ["RegExp"], because: OWN },
  "src/packages/session_packages.ts": {
    uses: ["node:zlib"],
    because: "what a process of its own has packed, inflated in threads to the size that is stored",
  },
  "src/payments/standard_webhooks.ts": { uses: ["JSON.parse"], because: CONFIGURED },
  "src/protocol/pages.ts": { uses: ["JSON.parse"], because: CALLER },
  "src/protocol/raw_json.ts": {
    uses: ["JSON.parse", "parseExact"],
    because: "what a server says, once it is well-formed, when it has few values",
  },
  "src/protocol/results.ts": {
    uses: ["JSON.parse"],
    because: "asked only for texts with few values",
  },
  "src/registry/servers/record.ts": {
    uses: ["spdx-expression-parse"],
    because: "a field of a request, bounded",
  },
  "src/registry/schema.ts": {
    uses: ["semver", "spdx-expression-parse"],
    because: "fields of a request, bounded",
  },
  "src/repository/archive.ts": {
    uses: ["modern-tar"],
    because: "framing: chunk by chunk within bounds, so that others come in between; few at once",
  },
  "src/packages/installation.ts": { uses: ["JSON.parse"], because: OWN },
  "src/repository/hosts/answers.ts": { uses: ["JSON.parse"], because: CONFIGURED },
  "src/repository/inflate.ts": {
    uses: ["node:zlib"],
    because: "framing: inflated in threads of the runtime, chunk by chunk within bounds",
  },
  "src/scan/advisories/osv_files.ts": { uses: ["JSON.parse"], because: OWN },
  "src/scan/advisories/zip.ts": { uses: ["node:zlib"], because: OWN },
  "src/scan/read_json.ts": { uses: ["JSON.parse"], because: CONFIGURED },
  "src/services/session_events.ts": { uses: ["JSON.parse"], because: OWN },
  "src/setup/distribution.ts": { uses: ["JSON.parse"], because: OWN },
  "src/setup/images.ts": { uses: ["JSON.parse"], because: OWN },
  "src/setup/inputs.ts": { uses: ["JSON.parse"], because: OWN },
  "src/setup/interpreter.ts": { uses: ["JSON.parse"], because: OWN },
  "src/text/characters.ts": { uses: ["RegExp"], because: OWN },
  "src/web/layout/prose.tsx": { uses: ["RegExp"], because: OWN },
  "src/web/layout/streamed.tsx": { uses: ["RegExp"], because: OWN },
  "src/web/reference/page.tsx": {
    uses: ["workers/analysis/readme/render.ts"],
    because: "texts of Berth's own OpenAPI document",
  },
  "src/web/session/secrets.ts": { uses: ["JSON.parse"], because: OWN },
  "src/web/try/arguments.ts": { uses: ["parseExact"], because: CALLER },
  "src/web/try/mcp.ts": {
    uses: ["JSON.parse", "parseExact"],
    because: "messages of a session for the visitor who runs it: few values, little nesting",
  },
  "src/web/try/modest_json.ts": {
    uses: ["parseExact"],
    because: "texts of results for the visitor who runs it: few values, little nesting",
  },
  "src/web/web.ts": { uses: ["json()"], because: OWN },
};

/** The path of a module that runs in the main process, or null. */
function checkedPath(file: string): string | null {
  const path = belowRoot(file);
  // The command line runs on its user's own machine, over that user's files; assets run in browsers.
  return /^src\/(?!cli\/|web\/assets\/)|^main\.ts$/.test(path) ? path : null;
}

/** What an import brings that the rule is about, or null. */
function broughtBy(importer: string, source: string): string | null {
  if (source.endsWith("/package.json")) return null;
  if (PARSERS.test(source)) return source.replace(/^npm:/, "");
  if (!source.startsWith(".")) return null;
  const target = resolve(importer, source);
  if (target.startsWith("src/cli/")) return target;
  return target.startsWith("workers/analysis/") && !PLAIN_WORKER_MODULES.has(target)
    ? target
    : null;
}

const plugin: Deno.lint.Plugin = {
  name: "berth-foreign",
  rules: {
    "foreign-text": {
      create(context) {
        const path = checkedPath(context.filename);
        if (path === null) return {};
        function refuse(node: Deno.lint.Node, what: string) {
          if (EXEMPT[path!]?.uses.includes(what)) return;
          context.report({
            node,
            message:
              `"${path}" may not use ${what}: texts of strangers are parsed in the analysis processes`,
          });
        }
        return {
          ImportDeclaration(node) {
            if (node.importKind === "type") return;
            const what = broughtBy(path, node.source.value);
            if (what !== null) refuse(node, what);
          },
          ImportExpression(node) {
            if (node.source.type !== "Literal" || typeof node.source.value !== "string") return;
            const what = broughtBy(path, node.source.value);
            if (what !== null) refuse(node, what);
          },
          "NewExpression[callee.name='RegExp']"(node: Deno.lint.NewExpression) {
            refuse(node, "RegExp");
          },
          "CallExpression[callee.name='RegExp']"(node: Deno.lint.CallExpression) {
            refuse(node, "RegExp");
          },
          "CallExpression[callee.name='parseExact']"(node: Deno.lint.CallExpression) {
            refuse(node, "parseExact");
          },
          CallExpression(node) {
            const { callee } = node;
            if (callee.type !== "MemberExpression" || callee.property.type !== "Identifier") return;
            const { object, property } = callee;
            if (object.type === "Identifier" && object.name === "JSON") {
              if (property.name === "parse") refuse(node, "JSON.parse");
            } else if (property.name === "json" && node.arguments.length === 0) {
              refuse(node, "json()");
            }
          },
        };
      },
    },
  },
};

export default plugin;
