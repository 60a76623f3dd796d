/**
 * Finds out which ways to put programs in front of a process work here, all in one process: each
 * question to the system of its own would wait for whatever else keeps the asking thread busy.
 *
 * @module
 */
import { SHELL } from "./control_group.ts";

/** One way to raise a wall. */
export interface Way {
  /** Words in front of the process's command. */
  words: readonly string[];
  /** Files that must be readable behind it. */
  files?: readonly string[];
}

/** Runs a command; what it wrote, or null unless it ends well. */
export type Run = (command: string[]) => Promise<string | null>;

// Each wall is tried from behind those before it, by this script starting itself there. Arguments:
// the script, what was chosen up to here, the files that must be readable by now, as words of the
// shell; then of each wall left the number of its ways, and of each its words and files. The last
// starts no process, which a filter of system calls may forbid. What was chosen is the last line.
const SCRIPT = `
script=$1 chosen=$2 files=$3
shift 3
eval "for file in $files; do test -r \\"\\$file\\" || exit 1; done"
test $# = 0 && echo "$chosen" && exit
ways=$1 way=0
shift
while test $way -lt $ways
do
  eval "words_$way=\\$1 files_$way=\\$2"
  shift 2
  way=$((way + 1))
done
way=0
while test $way -lt $ways
do
  eval "eval \\"\\$words_$way\\"' ${SHELL} -c \\"\\$script\\" sh \\"\\$script\\"' \\
    '\\"\\$chosen $way\\" \\"\\$files \\$files_$way\\" \\"\\$@\\"'" && exit
  way=$((way + 1))
done
exit 1`;

function quoted(words: readonly string[] = []): string {
  return words.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(" ");
}

/** The first way of each wall that works behind those before it; null where nobody can say. */
async function ask(walls: readonly (readonly Way[])[], run: Run): Promise<number[] | null> {
  const given = walls.flatMap((ways) => [
    String(ways.length),
    ...ways.flatMap(({ words, files }) => [quoted(words), quoted(files)]),
  ]);
  const answer = await run([SHELL, "-c", SCRIPT, "sh", SCRIPT, "", "", ...given]);
  const last = answer?.trim().split("\n").at(-1) ?? "";
  const chosen = last === "" ? [] : last.split(" ").map(Number);
  const isWhole = chosen.length === walls.length &&
    chosen.every((way, i) => walls[i]![way] !== undefined);
  return isWhole ? chosen : null;
}

/**
 * The first way of each wall that works behind those of the walls before it. The last way of a wall
 * is taken without a look when none before it works.
 */
export async function waysThatWork<W extends Way>(
  walls: readonly (readonly W[])[],
  run: Run,
): Promise<W[]> {
  const all = await ask(walls, run);
  if (all !== null) return all.map((way, i) => walls[i]![way]!);
  // One that hangs takes the others' answer along: each way is asked for by itself.
  const chosen: W[] = [];
  for (const ways of walls) {
    let found = ways.at(-1)!;
    for (const way of ways.slice(0, -1)) {
      if (await ask([...chosen, way].map((one) => [one]), run) === null) continue;
      found = way;
      break;
    }
    chosen.push(found);
  }
  return chosen;
}
