/**
 * Pictures that previews of links show, drawn in a process that can be ended, and kept in memory.
 *
 * @module
 */
import { createHash } from "node:crypto";
import { z } from "zod";
import type { CardView } from "../../workers/analysis/card/view.ts";
import type { Logger } from "../log.ts";
import type { Analysis } from "../scan/analysis/analysis.ts";

const DEADLINE_MS = 8_000;
/** Cards that may wait or be drawn; past them nothing is begun. */
const MOST_PENDING = 4;
/** Cards that are kept. */
const MOST_KEPT = 100;
const MAX_BYTES = 256 * 1024;
const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];

const Drawn = z.object({ png: z.base64().max(MAX_BYTES * 4 / 3 + 4) });

/** Texts that are drawn; those too long for their lines are cut. */
export interface Card extends CardView {
  /** The server's icon, a PNG that Berth has written; null where it has none. */
  icon: Uint8Array | null;
}

export interface CardsDeps {
  log: Logger;
  analysis: Pick<Analysis, "run">;
}

/** Pictures for previews of links, drawn in an analysis host and kept in memory. */
export interface Cards {
  /** The PNG of `card`; null when it cannot be drawn, or too many are being drawn. */
  draw(card: Card): Promise<Uint8Array<ArrayBuffer> | null>;
}

function isPng(bytes: Uint8Array): boolean {
  return SIGNATURE.every((byte, at) => bytes[at] === byte);
}

function keyOf({ icon, ...view }: Card): string {
  const text = JSON.stringify([view, icon?.toBase64()]);
  return createHash("sha256").update(text).digest("hex");
}

export function createCards({ log, analysis }: CardsDeps): Cards {
  const kept = new Map<string, Uint8Array<ArrayBuffer>>();
  const pending = new Map<string, Promise<Uint8Array<ArrayBuffer> | null>>();

  async function make({ icon, ...view }: Card): Promise<Uint8Array<ArrayBuffer> | null> {
    const files = new Map(icon === null ? [] : [["icon.png", icon] as const]);
    const outcome = await analysis.run(
      { analyser: "card", lang: "python", entrypoint: "", files, options: { ...view } },
      { deadlineMs: DEADLINE_MS },
    );
    if (outcome.kind === "failed") {
      log.info("card.not_drawn", { code: outcome.code });
      return null;
    }
    const drawn = Drawn.safeParse(outcome.result).data;
    if (drawn === undefined) return null;
    const png = Uint8Array.fromBase64(drawn.png);
    return isPng(png) ? png : null;
  }

  function keep(key: string, png: Uint8Array<ArrayBuffer>): void {
    const [oldest] = kept.keys();
    if (kept.size >= MOST_KEPT && oldest !== undefined) kept.delete(oldest);
    kept.set(key, png);
  }

  return {
    async draw(card) {
      const key = keyOf(card);
      const known = kept.get(key) ?? pending.get(key);
      if (known !== undefined) return await known;
      if (pending.size >= MOST_PENDING) return null;
      const made = make(card);
      pending.set(key, made);
      try {
        const png = await made;
        if (png !== null) keep(key, png);
        return png;
      } finally {
        pending.delete(key);
      }
    },
  };
}
