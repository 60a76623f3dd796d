/**
 * TOML of hostile origin.
 *
 * @module
 */
import { packageOnDemand } from "../on_demand.ts";
import { ManifestUnreadable } from "./requirement.ts";

const toml = packageOnDemand<typeof import("smol-toml")>("smol-toml");

/** Parses TOML; failures name the line but no content. */
export function parseToml(text: string): Record<string, unknown> {
  try {
    // Versions are strings; numbers that fit no double must not stop the reader.
    return toml().parse(text, { integersAsBigInt: "asNeeded" });
  } catch (error) {
    const line = error instanceof Error && "line" in error ? Number(error.line) : null;
    throw new ManifestUnreadable("it is not valid TOML", line);
  }
}
