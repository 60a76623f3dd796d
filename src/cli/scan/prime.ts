/**
 * What makes the first `berth scan` as fast as the next: its analysers, compiled beforehand.
 *
 * @module
 */
import { fillCaches } from "../../scan/analysis/preparation.ts";
import type { Cli } from "../cli.ts";
import { analysisPlace } from "./walls.ts";

/** Compiles the analysers of `berth scan`, once for each version of them. Never rejects. */
export async function primeScans({ context, output }: Cli): Promise<void> {
  output.note("Compiling the scanner ...");
  try {
    await fillCaches(await analysisPlace(context.env));
  } catch {
    output.warn("The scanner could not be compiled: scans begin slower, and find the same");
  }
}
