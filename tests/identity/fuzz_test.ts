import { now } from "../../src/clock.ts";
import { assertEquals } from "@std/assert";
import { AppError } from "../../src/errors.ts";
import { hasRepeatedKey } from "../../src/identity/json.ts";
import { createKeySet } from "../../src/identity/key_set.ts";
import { checkToken, type TokenDeps } from "../../src/identity/tokens.ts";
import { silentLogger } from "../helpers/log.ts";
import { startTokenIssuer } from "../helpers/token_issuer.ts";

/** Numbers in [0, 1), the same ones in every run (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

const CHARACTERS = 'ABCXYZabcxyz0189-_.=+/ ,\t"{}\0é\ud800';

Deno.test("checkToken() takes no token that was changed, and fails in one way only", async () => {
  const issuer = await startTokenIssuer();
  const deps: TokenDeps = {
    now,
    provider: {
      findKey: createKeySet({ issuer: issuer.url, fetch, log: silentLogger() }),
      rules: { issuer: issuer.url, audiences: [issuer.audience], providerClaim: "firebase" },
    },
  };
  const random = randomFrom(7);
  const pick = (length: number) => Math.floor(random() * length);
  try {
    const token = await issuer.mint({ sub: "jane" });
    for (let round = 0; round < 2_000; round++) {
      const at = pick(token.length);
      const put = round % 3 === 0 ? "" : CHARACTERS[pick(CHARACTERS.length)]!;
      const changed = token.slice(0, at) + put + token.slice(at + (round % 2));
      try {
        const { subject } = await checkToken(deps, `Bearer ${changed}`);
        // The last character of a part has bits that mean nothing, as have blanks before the token;
        // nothing else may pass.
        assertEquals([subject, changed.trim().length], ["jane", token.length]);
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        assertEquals(error.status, 401);
      }
    }
  } finally {
    await issuer.close();
  }
});

Deno.test("hasRepeatedKey() finds repeated keys at any depth, and only those", () => {
  const cases: [json: string, repeated: boolean][] = [
    ['{"a":1,"a":2}', true],
    ['{"a":1,"\\u0061":2}', true],
    ['{"a":{"b":1,"b":2}}', true],
    ['[{"a":1,"b":[{"c":1,"c":2}]}]', true],
    ['{"a":1,"b":{"a":2}}', false],
    ['{"a":["a","a"],"b":"a"}', false],
    ['{"a":"{\\"a\\":1,\\"a\\":2}"}', false],
    ['{"a":{},"b":[],"c":[{}]}', false],
    ['[{"a":1},{"a":1}]', false],
    ['{"a":"\\\\","b":"\\\\\\"a\\":"}', false],
    ['"a"', false],
  ];
  for (const [json, repeated] of cases) {
    JSON.parse(json);
    assertEquals(hasRepeatedKey(json), repeated, json);
  }
});
