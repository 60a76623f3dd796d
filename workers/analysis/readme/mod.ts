/**
 * The analyser that makes pages of READMEs. Markdown and HTML take their parsers time by the square
 * of their length, and more: a process that takes too long is ended.
 *
 * @module
 */
import type { AnalyserInput } from "../analyser.ts";
import { renderMarkdown } from "./render.ts";

/** What the analyser gives: HTML that the service checks before it shows it. */
export interface ReadmeResult {
  html: string | null;
}

/** Renders the one file that there is. */
export function analyse(input: AnalyserInput): Promise<ReadmeResult> {
  const [entry] = input.files;
  if (entry === undefined) return Promise.resolve({ html: null });
  const [path, bytes] = entry;
  input.begin(path);
  return Promise.resolve({ html: renderMarkdown(new TextDecoder().decode(bytes)) });
}
