import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { AppError } from "../../src/errors.ts";
import { createKeySet } from "../../src/identity/key_set.ts";
import { verifySignature } from "../../src/identity/signature.ts";
import { recordingLogger } from "../helpers/log.ts";
import { startTokenIssuer, type TokenIssuer } from "../helpers/token_issuer.ts";

interface Bench {
  issuer: TokenIssuer;
  lines: Record<string, unknown>[];
  /** Moves the clock. */
  pass(milliseconds: number): void;
  /** "ok", or the code of the failure. */
  check(token: string): Promise<string>;
}

async function bench(
  run: (bench: Bench) => Promise<void>,
  options: { jwksUrl?: (issuer: TokenIssuer) => string; issuerName?: string } = {},
): Promise<void> {
  const issuer = await startTokenIssuer();
  let time = 0;
  const { log, lines } = recordingLogger();
  const findKey = createKeySet({
    issuer: options.issuerName ?? issuer.url,
    ...(options.jwksUrl ? { jwksUrl: options.jwksUrl(issuer) } : {}),
    fetch,
    now: () => time,
    log,
  });
  async function check(token: string): Promise<string> {
    try {
      await verifySignature(token, findKey);
      return "ok";
    } catch (error) {
      if (error instanceof AppError) return error.code;
      throw error;
    }
  }
  try {
    await run({ issuer, lines, check, pass: (milliseconds) => time += milliseconds });
  } finally {
    await issuer.close();
  }
}

Deno.test("createKeySet() asks once for many tokens at once and after another", async () => {
  await bench(async ({ issuer, check, pass }) => {
    const token = await issuer.mint();
    const all = await Promise.all(Array.from({ length: 20 }, () => check(token)));
    assertEquals(new Set(all), new Set(["ok"]));
    pass(9 * 60_000);
    assertEquals(await check(token), "ok");
    assertEquals([issuer.discoveryRequests, issuer.keySetRequests], [1, 1]);
  });
});

Deno.test("createKeySet() finds a key that the issuer added, and forgets one it dropped", async () => {
  await bench(async ({ issuer, check, pass }) => {
    const old = await issuer.mint();
    assertEquals(await check(old), "ok");
    await issuer.rotate();
    pass(5_000);
    assertEquals(await check(await issuer.mint()), "ok");
    assertEquals(await check(old), "invalid_token");
    assertEquals(issuer.discoveryRequests, 1);
  });
});

Deno.test("createKeySet() forgets a dropped key within ten minutes without new tokens", async () => {
  await bench(async ({ issuer, check, pass }) => {
    const old = await issuer.mint();
    assertEquals(await check(old), "ok");
    await issuer.rotate();
    pass(10 * 60_000);
    assertEquals(await check(old), "invalid_token");
  });
});

Deno.test("createKeySet() fetches at most every five seconds for unknown keys", async () => {
  await bench(async ({ issuer, check, pass }) => {
    const unknown = await issuer.mint({}, { header: { kid: "unknown" } });
    await check(await issuer.mint());
    for (let request = 0; request < 50; request++) {
      assertEquals(await check(unknown), "invalid_token");
      pass(99);
    }
    assertEquals(issuer.keySetRequests, 1);
    pass(100);
    assertEquals(await check(unknown), "invalid_token");
    assertEquals(issuer.keySetRequests, 2);
  });
});

Deno.test("createKeySet() tries the keys that fit a token without a key id", async () => {
  await bench(async ({ issuer, check }) => {
    await issuer.rotate({ keep: true });
    await issuer.rotate({ keep: true, alg: "RS256" });
    for (const key of issuer.keys) {
      const token = await issuer.mint({}, { key, header: { kid: undefined } });
      assertEquals(await check(token), "ok");
    }
    const forged = await issuer.mint({}, { key: issuer.keys[0]!, header: { kid: undefined } });
    assertEquals(await check(`${forged.slice(0, -8)}AAAAAAAA`), "invalid_token");
  });
});

Deno.test("createKeySet() takes the key set's address from configuration", async () => {
  await bench(async ({ issuer, check }) => {
    assertEquals(await check(await issuer.mint()), "ok");
    assertEquals(issuer.discoveryRequests, 0);
  }, { jwksUrl: (issuer) => issuer.jwksUrl });
});

Deno.test("createKeySet() reports an issuer that is down as unavailable and recovers", async () => {
  await bench(async ({ issuer, check, pass, lines }) => {
    const token = await issuer.mint();
    issuer.answerWith(() => new Response("down", { status: 500 }));
    assertEquals(await check(token), "unavailable");
    assertEquals(await check(token), "unavailable");
    assertEquals(issuer.discoveryRequests, 1);
    assertEquals(lines.map((line) => line.event), ["identity.keys_unavailable"]);
    issuer.answerWith(null);
    pass(5_000);
    assertEquals(await check(token), "ok");
  });
});

Deno.test("createKeySet() lives on its keys for an hour while the issuer is down", async () => {
  await bench(async ({ issuer, check, pass }) => {
    const token = await issuer.mint();
    assertEquals(await check(token), "ok");
    issuer.answerWith(() => new Response("down", { status: 503 }));
    pass(59 * 60_000);
    assertEquals(await check(token), "ok");
    const unknown = await issuer.mint({}, { header: { kid: "unknown" } });
    assertEquals(await check(unknown), "unavailable");
    pass(60_000);
    assertEquals(await check(token), "unavailable");
  });
});

const FAULTY: { name: string; respond: (issuer: TokenIssuer, path: string) => Response }[] = [
  { name: "no JSON", respond: () => new Response("<html>") },
  { name: "JSON of another shape", respond: () => Response.json([1]) },
  { name: "a redirect", respond: (issuer) => Response.redirect(`${issuer.url}/elsewhere`) },
  { name: "an oversize document", respond: () => new Response("x".repeat(600 * 1024)) },
  {
    name: "another issuer's discovery document",
    respond: (issuer, path) =>
      path === "/jwks"
        ? Response.json({ keys: issuer.keys.map((key) => key.publicJwk) })
        : Response.json({ issuer: "https://evil.example", jwks_uri: issuer.jwksUrl }),
  },
  {
    name: "a key set address of another scheme",
    respond: (issuer) => Response.json({ issuer: issuer.url, jwks_uri: "file:///etc/passwd" }),
  },
  {
    name: "too many keys",
    respond: (issuer, path) =>
      path === "/jwks"
        ? Response.json({ keys: Array.from({ length: 101 }, () => issuer.keys[0]!.publicJwk) })
        : Response.json({ issuer: issuer.url, jwks_uri: issuer.jwksUrl }),
  },
];

Deno.test("createKeySet() treats faulty documents as unavailable", async (t) => {
  for (const { name, respond } of FAULTY) {
    await t.step(name, async () => {
      await bench(async ({ issuer, check }) => {
        issuer.answerWith((path) => respond(issuer, path));
        assertEquals(await check(await issuer.mint()), "unavailable");
      });
    });
  }
});

Deno.test("createKeySet() uses neither private, secret nor short keys of a set", async () => {
  await bench(async ({ issuer, check, pass }) => {
    const token = await issuer.mint();
    const { kid } = issuer.keys[0]!;
    const privateJwk = { ...issuer.keys[0]!.publicJwk, d: "AAAA" };
    const secretJwk = { kty: "oct", k: "AAAA", kid, alg: "HS256" };
    for (const jwk of [privateJwk, secretJwk, { kty: "EC", kid }, { kty: "RSA", n: "AQAB", kid }]) {
      issuer.answerWith((path) =>
        path === "/jwks"
          ? Response.json({ keys: [jwk] })
          : Response.json({ issuer: issuer.url, jwks_uri: issuer.jwksUrl })
      );
      pass(10 * 60_000);
      assertEquals(await check(token), "invalid_token");
    }
  });
});

Deno.test("createKeySet() says when to try again and hides the reason", async () => {
  const { log, lines } = recordingLogger();
  const findKey = createKeySet({
    issuer: "https://issuer.example",
    fetch: () => Promise.reject(new TypeError("connection refused by 10.0.0.7")),
    log,
  });
  const error = await assertRejects(() => findKey({ alg: "ES256" }), AppError);
  assertEquals([error.status, error.headers["Retry-After"]], [503, "5"]);
  assertEquals(error.message.includes("10.0.0.7"), false);
  assertStringIncludes(JSON.stringify(lines), "10.0.0.7");
});
