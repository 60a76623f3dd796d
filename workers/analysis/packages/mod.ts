/**
 * The analyser that finds out which packages a server's sessions are to have, and packs them. The
 * main process fetches what it asks for, round after round, and reads none of it.
 *
 * @module
 */
import type { AnalyserInput } from "../analyser.ts";
import type { Packed, Wheel } from "./pack.ts";
import type { Round, RoundOptions } from "./round.ts";

/** What the main process asks for: it is no stranger. */
type Options =
  | { task: "resolve" } & RoundOptions
  | { task: "imports" }
  | { task: "pack"; file: string; symbols: string } & Omit<Wheel, "symbols">;

/**
 * Makes a round, or packs a wheel: as `options.task` says. Each loads only what it needs, as there is
 * a process for each wheel.
 */
export async function analyse(input: AnalyserInput): Promise<Round | Packed | { names: string[] }> {
  const options = input.options as unknown as Options;
  if (options.task === "pack") {
    const { packWheel } = await import("./pack.ts");
    const symbols = new TextDecoder().decode(input.files.get(options.symbols));
    return packWheel(input.files.get(options.file)!, { ...options, symbols });
  }
  if (options.task === "imports") {
    const { importedNames } = await import("./sdks.ts");
    return { names: [...importedNames(input.files)].sort() };
  }
  const { makeRound } = await import("./round.ts");
  return await makeRound(input, options);
}
