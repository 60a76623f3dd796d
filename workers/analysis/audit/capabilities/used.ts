/**
 * What a server uses beside what it runs for its callers: hosts that its code names, files.
 *
 * @module
 */
import type { Project } from "../../project.ts";
import { calleeOf } from "../../python/calls/callee.ts";
import { PATH_METHODS, sinkOf } from "../../python/calls/sinks.ts";
import { readNodes } from "../../python/reach/module_nodes.ts";
import { stringValue } from "../../python/values/literals.ts";
import { isDocstring } from "../../python/values/docstrings.ts";
import { textOf } from "../../syntax/source_tree.ts";
import { child } from "../../syntax/tree.ts";

/** What the code that certainly runs names. */
export interface Used {
  /** Hosts of addresses in its texts, sorted. */
  hosts: string[];
  files: boolean;
}

const MAX_HOSTS = 100;
const ADDRESS =
  /^https?:\/\/(?:[^/@\s]{0,100}@)?([a-z0-9](?:[a-z0-9.-]{0,250}[a-z0-9])?\.[a-z]{2,24})(?=[/:?#]|$)/i;
const NOT_MEANT =
  /(^|\.)(example(\.(com|org|net))?|test|invalid|localhost|local|w3\.org|json-schema\.org)$/i;

/** Reads it from the modules that certainly run. */
export function usedBy(project: Project): Used {
  const hosts = new Set<string>();
  let files = false;
  for (const [path, names] of project.python) {
    if (!project.certain.has(path)) continue;
    const nodes = readNodes(names);
    for (const node of nodes.of("string")) {
      const text = stringValue(names.tree.text, node) ??
        textOf(names.tree, node).slice(0, 500).replace(/^\w*["']{1,3}/, "");
      const host = ADDRESS.exec(text)?.[1]?.toLowerCase();
      if (host === undefined || NOT_MEANT.test(host)) continue;
      if (node.parent !== null && isDocstring(node.parent)) continue;
      if (hosts.size < MAX_HOSTS) hosts.add(host);
    }
    for (const { expression } of files ? [] : nodes.calls) {
      const method = expression.type === "attribute" ? child(expression, "attribute") : null;
      files ||= sinkOf(calleeOf(names, expression)?.name ?? "") === "file" ||
        (method !== null && PATH_METHODS.has(textOf(names.tree, method)));
    }
  }
  return { hosts: [...hosts].sort(), files };
}
