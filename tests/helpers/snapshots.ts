/**
 * What snapshots of memory have in common.
 *
 * @module
 */
import { assertLess } from "@std/assert";
import type { Snapshot } from "../../workers/session/interpreter/snapshot.ts";

const PAGE = 4096;

/** The pages of a snapshot, by their numbers. */
export function pagesOf({ runs, bytes }: Snapshot): Map<number, Uint8Array> {
  return new Map(
    runs.flatMap(({ page, pages, at }) =>
      Array.from(
        { length: pages },
        (_, i) => [page + i, bytes.subarray(at + i * PAGE, at + (i + 1) * PAGE)] as const,
      )
    ),
  );
}

/** How many bytes of pages that both have differ, and pages that only one has. */
function differences(one: Snapshot, other: Snapshot): { bytes: number; pages: number } {
  const [a, b] = [pagesOf(one), pagesOf(other)];
  let bytes = 0;
  let pages = [...b.keys()].filter((page) => !a.has(page)).length;
  for (const [page, here] of a) {
    const there = b.get(page);
    if (there === undefined) pages++;
    else bytes += here.reduce((sum, byte, i) => sum + (byte === there[i] ? 0 : 1), 0);
  }
  return { bytes, pages };
}

/** Times of files, random numbers that were drawn, the order of sets of objects: not more. */
function areAlike(one: Snapshot, other: Snapshot): boolean {
  const { bytes, pages } = differences(one, other);
  return bytes < one.bytes.length / 1000 && pages < one.bytes.length / PAGE / 100;
}

/** Builds until two are alike: on a busy machine a collection may come elsewhere, and move the rest. */
export async function expectAlike(build: () => Promise<Snapshot>): Promise<void> {
  const builds = [await build(), await build()];
  while (!builds.some((one, i) => builds.slice(i + 1).some((other) => areAlike(one, other)))) {
    assertLess(builds.length, 6, "no two builds are alike");
    builds.push(await build());
  }
}
