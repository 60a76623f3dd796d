/**
 * Records of several databases about one flaw: they name each other, or the same third.
 *
 * @module
 */
import type { OsvRecord } from "./osv_schema.ts";
import { severityOf } from "./severity.ts";

/** Aliases of one record that are asked for. */
const MAX_ASKED = 20;

/** A chain of records, by their indexes. */
interface Chain {
  first: number;
  last: number;
}

/**
 * Records in groups of one flaw each: those that name each other, or the same third. What joins
 * groups puts the younger one first. Each record is looked at a few times only.
 */
export function groupByAlias(records: readonly OsvRecord[]): OsvRecord[][] {
  /** From each record towards the last one of its group. */
  const parents = records.map((_, index) => index);
  const next = new Map<number, number>();
  const chains = new Map<number, Chain>();
  const owners = new Map<string, number>();

  function rootOf(index: number): number {
    let at = index;
    while (parents[at] !== at) {
      parents[at] = parents[parents[at]!]!;
      at = parents[at]!;
    }
    return at;
  }
  records.forEach(({ id, aliases }, index) => {
    const names = [id, ...(aliases ?? [])];
    const joined = new Set(names.flatMap((name) => {
      const owner = owners.get(name);
      return owner === undefined ? [] : [rootOf(owner)];
    }));
    const chain = { first: index, last: index };
    for (const root of [...joined].sort((a, b) => a - b)) {
      const group = chains.get(root)!;
      next.set(group.last, chain.first);
      chain.first = group.first;
      chains.delete(root);
      parents[root] = index;
    }
    chains.set(index, chain);
    for (const name of names) owners.set(name, index);
  });
  return [...chains.values()].map(({ first }) => {
    const group: OsvRecord[] = [];
    for (let at: number | undefined = first; at !== undefined; at = next.get(at)) {
      group.push(records[at]!);
    }
    return group;
  });
}

/** Ids whose records may know a severity that `records` do not. */
export function aliasesToAsk(records: readonly OsvRecord[]): string[] {
  const own = new Set(records.map(({ id }) => id));
  return [
    ...new Set(
      groupByAlias(records).filter((group) => group.every((record) => severityOf(record) === null))
        .flatMap((group) => group.flatMap(({ aliases }) => (aliases ?? []).slice(0, MAX_ASKED))),
    ),
  ].filter((id) => !own.has(id));
}
