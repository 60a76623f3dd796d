import { assert, assertEquals } from "@std/assert";
import { TextLineStream } from "../helpers/lines.ts";
import { prepareDataDir } from "../helpers/database.ts";

const KILLS = 20;
const WRITER = new URL("./durability_writer.ts", import.meta.url).pathname;

interface Round {
  /** What the writer found when it opened the folder. */
  found: { entries: number; halves: number; newest: number };
  /** The last number whose commit was acknowledged. */
  acknowledged: number;
}

/** Starts the writer, kills it after `writes` acknowledged commits and a little more. */
async function killDuringWrites(dataDir: string, writes: number): Promise<Round> {
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-check", WRITER, dataDir],
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  const lines: string[] = [];
  const text = child.stdout.pipeThrough(new TextDecoderStream()).pipeThrough(new TextLineStream());
  for await (const line of text) {
    lines.push(line);
    // What the writer prints after this is still read: its end comes with the kill.
    if (lines.length === writes + 1) setTimeout(() => child.kill("SIGKILL"), writes % 3);
  }
  await child.status;
  assert(lines.length > writes, "the writer ended before it was killed");
  return { found: JSON.parse(lines[0]!), acknowledged: Number(lines.at(-1)) };
}

Deno.test("the embedded database keeps every acknowledged commit over 20 kills", async () => {
  const dataDir = await prepareDataDir();
  try {
    let acknowledged = 0;
    for (let kill = 0; kill < KILLS; kill++) {
      const round = await killDuringWrites(dataDir, 5 + kill * 3);
      assert(round.found.newest >= acknowledged, `lost ${acknowledged} of ${round.found.newest}`);
      // Nothing is half there, and nothing in the middle is missing.
      assertEquals(round.found.entries, round.found.newest);
      assertEquals(round.found.halves, round.found.newest);
      acknowledged = round.acknowledged;
    }
  } finally {
    await Deno.remove(dataDir, { recursive: true });
  }
});
