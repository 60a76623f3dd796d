import { assertEquals, assertRejects, assertStrictEquals } from "@std/assert";
import { AppError } from "../../src/errors.ts";
import { createKeySet, type FindKey } from "../../src/identity/key_set.ts";
import { createVerifiedTokens } from "../../src/identity/verified_tokens.ts";
import { startTokenIssuer, type TokenIssuer } from "../helpers/token_issuer.ts";
import { silentLogger } from "../helpers/log.ts";

async function withKeys(
  run: (issuer: TokenIssuer, findKey: FindKey, clock: { ahead: number }) => Promise<void>,
): Promise<void> {
  const issuer = await startTokenIssuer();
  const clock = { ahead: 0 };
  const now = () => clock.ahead;
  try {
    await run(issuer, createKeySet({ issuer: issuer.url, fetch, now, log: silentLogger() }), clock);
  } finally {
    await issuer.close();
  }
}

Deno.test("createVerifiedTokens() checks the same token once, and one that differs at all anew", async () => {
  await withKeys(async (issuer, findKey) => {
    const verified = createVerifiedTokens();
    const token = await issuer.mint({ sub: "ada" });
    const claims = await verified.check(token, findKey);
    assertEquals(claims.sub, "ada");
    assertStrictEquals(await verified.check(token, findKey), claims);
    const [header, payload, signature] = token.split(".");
    const forged = new TextEncoder().encode(JSON.stringify({ ...claims, sub: "root" }))
      .toBase64({ alphabet: "base64url", omitPadding: true });
    for (
      const other of [
        `${header}.${forged}.${signature}`,
        `${header}.${payload}.${signature!.replace(/^./, (one) => one === "A" ? "B" : "A")}`,
        `${header}.${payload}.`,
      ]
    ) {
      const error = await assertRejects(() => verified.check(other, findKey), AppError);
      assertEquals(error.code, "invalid_token");
      await assertRejects(() => verified.check(other, findKey), AppError);
    }
    assertStrictEquals(await verified.check(token, findKey), claims);
  });
});

Deno.test("createVerifiedTokens() takes no token of a key that the issuer has dropped", async () => {
  await withKeys(async (issuer, findKey, clock) => {
    const verified = createVerifiedTokens();
    const token = await issuer.mint({ sub: "ada" });
    await verified.check(token, findKey);
    await issuer.rotate();
    // Until the set is loaded again, the key is known.
    await verified.check(token, findKey);
    clock.ahead = 11 * 60_000;
    const error = await assertRejects(() => verified.check(token, findKey), AppError);
    assertEquals(error.code, "invalid_token");
    const later = await issuer.mint({ sub: "ada" });
    assertEquals((await verified.check(later, findKey)).sub, "ada");
  });
});

Deno.test("createVerifiedTokens() remembers a limited number of the tokens used last", async () => {
  await withKeys(async (issuer, findKey) => {
    const verified = createVerifiedTokens(2);
    const tokens = await Promise.all(["a", "b", "c"].map((sub) => issuer.mint({ sub })));
    const [a, b, c] = tokens as [string, string, string];
    const first = await verified.check(a, findKey);
    const second = await verified.check(b, findKey);
    await verified.check(a, findKey);
    await verified.check(c, findKey);
    assertStrictEquals(await verified.check(a, findKey), first);
    const again = await verified.check(b, findKey);
    assertEquals([again === second, again.sub], [false, "b"]);
  });
});
