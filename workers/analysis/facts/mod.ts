/**
 * The analyser behind the form that registers a server: what of a record the repository tells.
 *
 * @module
 */
import type { AnalyserInput } from "../analyser.ts";
import { type Detected, detectFiles } from "./detect.ts";

/** Reads manifests, licence, README and sources. */
export function analyse({ files, options }: AnalyserInput): Promise<Detected> {
  const { name } = options;
  return Promise.resolve(detectFiles(files, { name: typeof name === "string" ? name : undefined }));
}
