/**
 * Keys that are written into a file, a table or another variable, and sent from there: what that is called
 * is all that the one has to do with the other.
 *
 * @module
 */
import type { RawFinding } from "../../../finding.ts";
import { valuesOf } from "../../../python/values/assigned.ts";
import { foldTexts } from "../../../python/values/folding.ts";
import { calleeOf } from "../../../python/calls/callee.ts";
import type { PythonNames } from "../../../python/names.ts";
import { nodeTypes } from "../../../syntax/node_types.ts";
import { textOf } from "../../../syntax/source_tree.ts";
import { child, type SyntaxNode, walk } from "../../../syntax/tree.ts";
import { variableOf } from "../../keys/alternatives.ts";
import { keysSentWith } from "../../keys/judge_keys.ts";
import { looksLikeSending } from "../../keys/senders.ts";
import { report } from "../../rule.ts";
import { ENVIRONMENT } from "../flow_rules.ts";
import type { Label } from "../labels.ts";
import type { ObservedCall } from "../observed.ts";
import { fileKeys } from "./file_keys.ts";
import { isSameStore, storesOf, storesWritten } from "./stores.ts";
import { writesOf } from "./writes.ts";

const CALLS_AND_NAMES = nodeTypes("call", "identifier");
const OPENS = /^(open|io\.open|codecs\.open|aiofiles\.open)$/;
const READS = /^(read_text|read_bytes|open)$/;
const MAX_PARTS = 40;
const SETS_VARIABLE = /^(os\.environb?\.(__setitem__|setdefault)|os\.putenv)$/;
const VARIABLE = "variable:";

/** The keys of the files that an expression reads. */
function filesRead(names: PythonNames, expression: SyntaxNode, hops = 0): string[] {
  const found: string[] = [];
  let left = MAX_PARTS;
  for (const node of [expression, ...walk(expression, CALLS_AND_NAMES)]) {
    if (left-- <= 0) break;
    if (node.type === "identifier" && hops === 0) {
      for (const value of valuesOf(names, node).values.slice(0, 5)) {
        found.push(...filesRead(names, value, hops + 1));
      }
    }
    const callee = node.type === "call" ? child(node, "function") : null;
    if (callee === null) continue;
    const method = callee.type === "attribute" ? child(callee, "attribute") : null;
    const opens = OPENS.test(calleeOf(names, callee)?.name ?? "");
    if (opens) found.push(...fileKeys(names, node));
    else if (method !== null && READS.test(textOf(names.tree, method))) {
      found.push(...fileKeys(names, child(callee, "object")!));
    }
  }
  return found.filter((key) => key.startsWith("file:") || key.startsWith("name:"));
}

/** An observer of keys in files. */
export class KeptSecrets {
  readonly #kept = new Map<string, Set<Label>>();
  readonly #stored = new Map<string, Set<Label>>();
  readonly #sent: { call: ObservedCall; keys: string[]; stores: string[] }[] = [];
  readonly #seen = new Set<string>();

  observe(call: ObservedCall): void {
    for (const { file, content, kind } of writesOf(call)) {
      if (content === null || kind !== "text") continue;
      const labels = [...call.labels(content)].filter((label) =>
        label === "env" || variableOf(label) !== null
      );
      if (labels.length === 0) continue;
      for (const key of fileKeys(call.names, file)) {
        const held = this.#kept.get(key) ?? new Set();
        for (const label of labels) held.add(label);
        this.#kept.set(key, held);
      }
    }
    this.#store(call);
    const place = `${call.names.tree.path}:${call.node.number}`;
    if (!looksLikeSending(call)) return;
    const all = [...call.given.positional, ...call.given.keywords.values()];
    const labels = all.flatMap((each) => [...call.labels(each)]);
    const stores = [
      ...storesOf(labels),
      ...labels.map(variableOf).filter((name) => name !== null).map((name) => VARIABLE + name),
    ];
    if (stores.length === 0 && this.#seen.has(place)) return;
    this.#seen.add(place);
    const keys = all.flatMap((each) => filesRead(call.names, each));
    if (keys.length > 0 || stores.length > 0) this.#sent.push({ call, keys, stores });
  }

  /** Keys that a call puts into a table, a cache, another variable. */
  #store(call: ObservedCall): void {
    const { callee, given } = call;
    const sets = SETS_VARIABLE.test(callee?.name ?? "");
    const stores = sets
      ? (foldTexts(call.names, given.positional[0] ?? call.node) ?? []).map((each) =>
        VARIABLE + each
      )
      : storesWritten(call);
    if (stores.length === 0) return;
    const labels = [...given.positional, ...given.keywords.values()]
      .flatMap((each) => [...call.labels(each)]).filter((label) => variableOf(label) !== null);
    for (const store of labels.length > 0 ? stores : []) {
      const held = this.#stored.get(store) ?? new Set();
      for (const label of labels) held.add(label);
      this.#stored.set(store, held);
    }
  }

  #heldIn(store: string): Label[] {
    return [...this.#stored].flatMap(([other, labels]) =>
      isSameStore(store, other) ? [...labels] : []
    );
  }

  /** Files with keys that were sent to whom these do not belong. */
  findings(): RawFinding[] {
    if (this.#kept.size === 0 && this.#stored.size === 0) return [];
    return this.#sent.flatMap(({ call, keys, stores }) => {
      const inFiles = keys.flatMap((key) => [...this.#kept.get(key) ?? []]);
      if (inFiles.includes("env")) {
        const title = "A file with the whole environment is sent to another machine";
        return report(ENVIRONMENT, call.names.tree, call.node, title);
      }
      const labels = [
        ...inFiles,
        ...stores.flatMap((store) => this.#heldIn(store)),
      ];
      return keysSentWith(call, labels) ?? [];
    });
  }
}
