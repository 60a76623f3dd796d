/**
 * Code blocks of the documentation, and what is asked of each.
 *
 * @module
 */
import type { Desk } from "./desk.ts";

const ROOT = new URL("../../../", import.meta.url);

/** A fenced block as it stands in a guide. */
export interface Block {
  /** Path of the guide below the project's root. */
  guide: string;
  /** Line of the opening fence, from 1. */
  line: number;
  /** What follows the fence, such as `sh`; empty for a drawing or a listing. */
  language: string;
  code: string;
}

/** Runs a block, or holds what it shows against the real thing. Throws when it is not so. */
export type Check = (block: Block, desk: Desk) => Promise<void> | void;

/** The fenced blocks of `guide`, in order. */
export async function blocksOf(guide: string): Promise<Block[]> {
  const text = await Deno.readTextFile(new URL(guide, ROOT));
  return [...text.matchAll(/^```(\w*)\n([^]*?)^```$/gm)].map((match) => ({
    guide,
    line: text.slice(0, match.index).split("\n").length,
    language: match[1]!,
    code: match[2]!,
  }));
}

/** All documents with code blocks, but the decisions, which are history. */
export async function guidesWithBlocks(): Promise<string[]> {
  const guides = ["README.md", "CONTRIBUTING.md", "SECURITY.md"];
  for await (const { name, isFile } of Deno.readDir(new URL("docs/", ROOT))) {
    if (isFile && name.endsWith(".md")) guides.push(`docs/${name}`);
  }
  const counted = await Promise.all(
    guides.map(async (guide) => ({ guide, blocks: await blocksOf(guide) })),
  );
  return counted.filter(({ blocks }) => blocks.length > 0).map(({ guide }) => guide).sort();
}
