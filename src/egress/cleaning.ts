/**
 * Takes the values of secrets out of what a service answers.
 *
 * @module
 */
import { Buffer } from "node:buffer";
import type { Hiding } from "../text/hide.ts";
import { type Packed, packedIn } from "./packed.ts";
import { plainAnswer } from "./plain_answer.ts";
import type { EgressOutcome, EgressResponse } from "./types.ts";

/** An answer as the code gets it. */
export interface Cleaned {
  outcome: EgressOutcome;
  /** Names of the secrets of which one at least was in it; none where nothing was. */
  reflected: string[];
  /** Bytes that were searched, for each of the values. */
  searched: number;
}

/** Values that an answer is searched for, and the names of their secrets. */
export interface LookedFor {
  values: Hiding;
  names: string[];
}

/** Headers that tell of a body with the value in it. */
const TELLING = /^(content-length|content-md5|digest|content-digest|repr-digest|etag)$/i;

const CANNOT_BE_UNPACKED =
  "The response has a packed file that cannot be searched for the secrets that were sent";
const HAS_VALUE = "The response has a packed file with the value of a secret in it";

/** What the head of an answer says, without values. */
async function cleanedTexts(texts: readonly string[], values: Hiding): Promise<string[]> {
  // At once, as most have none.
  if (await values.inTurns(Buffer.from(texts.join("\0"), "latin1")) === null) return [...texts];
  return await Promise.all(texts.map(async (text) => {
    const without = await values.inTurns(Buffer.from(text, "latin1"));
    return without === null ? text : Buffer.from(without).toString("latin1");
  }));
}

/** Why an answer that is, or has in it, a packed file is not handed on; null where it may be. */
async function packedFault(
  packed: Packed,
  { values, names }: LookedFor,
): Promise<{ why: string; reflected: string[] } | null> {
  if (packed.kind === "unknown") return { why: CANNOT_BE_UNPACKED, reflected: [] };
  for (const part of packed.parts) {
    // It cannot be packed again so that nothing tells that it was changed.
    if (await values.inTurns(part) !== null) return { why: HAS_VALUE, reflected: names };
  }
  return null;
}

async function withoutValues(
  answer: EgressResponse,
  { values, names }: LookedFor,
): Promise<Omit<Cleaned, "searched">> {
  const body = await values.inTurns(answer.body);
  const texts = [answer.reason, ...answer.headers.flat()];
  const kept = await cleanedTexts(texts, values);
  const headers = answer.headers.map((_, at): [string, string] => [
    kept[2 * at + 1]!,
    kept[2 * at + 2]!,
  ]);
  const outcome = {
    ...answer,
    reason: kept[0]!,
    headers: body === null ? headers : headers.filter(([name]) => !TELLING.test(name)),
    ...(body === null ? {} : { body: new Uint8Array(body) }),
  };
  const isSame = body === null && texts.every((text, at) => text === kept[at]);
  return { outcome, reflected: isSame ? [] : names };
}

/** The answer without values, or why it is not handed on. */
export async function cleaned(answer: EgressResponse, looked: LookedFor): Promise<Cleaned> {
  const plain = await plainAnswer(answer);
  if (plain.kind === "error") return { outcome: plain, reflected: [], searched: 0 };
  const packed = await packedIn(plain.body);
  const texts = [plain.body, ...packed.kind === "parts" ? packed.parts : []];
  const searched = texts.reduce((sum, text) => sum + text.byteLength, 0) * looked.names.length;
  const fault = await packedFault(packed, looked);
  if (fault === null) return { ...await withoutValues(plain, looked), searched };
  plain.release?.();
  const { why: message, reflected } = fault;
  return { outcome: { kind: "error", error: "protocol", message }, reflected, searched };
}
