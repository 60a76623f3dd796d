import { assert, assertEquals, assertNotEquals } from "@std/assert";
import { decodeProtectedHeader } from "jose";
import { now } from "../../src/clock.ts";
import { createKeys } from "../../src/issuer/keys/keys.ts";
import { SCHEDULES } from "../../src/issuer/keys/rotation.ts";
import { describeDatabases } from "../helpers/database.ts";
import {
  begin,
  exchange,
  type Node,
  ORIGIN,
  refresh,
  signInWeb,
  signUp,
  startNode,
} from "./harness.ts";

const DAY = 86_400_000;

async function publishedKeys(node: Node): Promise<string[]> {
  const response = await node.send(`${ORIGIN}/oidc/jwks`);
  const { keys } = await response.json();
  for (const key of keys) assertEquals([key.d, key.p, key.q], [undefined, undefined, undefined]);
  return keys.map((key: { kid: string }) => key.kid);
}

describeDatabases((kind, open) => {
  Deno.test(`keys: published a day before use, kept until their tokens ended, cookies with them (${kind})`, async () => {
    const database = await open();
    // Only the schedule's clock moves: tokens keep the real time.
    let offset = 0;
    const keysNow = () => new Date(now().getTime() + offset);
    const keys = createKeys({ sql: database.sql, now: keysNow });
    const node = await startNode({ database, overrides: { keys } });
    try {
      const email = await signUp(node);
      const browser = node.browser();
      const before = await signInWeb(node, email, browser);
      const [first] = await publishedKeys(node);
      assertEquals(decodeProtectedHeader(before.access_token).kid, first);

      offset = SCHEDULES.signing.period - DAY / 2;
      const ahead = await publishedKeys(node);
      assertEquals(ahead[0], first);
      assertEquals(ahead.length, 2);
      const meanwhile = await refresh(node, before.refresh_token);
      assertEquals(decodeProtectedHeader(meanwhile.access_token).kid, first);

      offset = SCHEDULES.signing.period + DAY / 2 + 1000;
      const second = (await publishedKeys(node))[0]!;
      assertEquals(second, ahead[1]);
      // A session whose cookie was signed with the old key goes on.
      const after = await signInAgain(node, browser);
      assertEquals(decodeProtectedHeader(after.access_token).kid, second);
      for (const token of [before, meanwhile, after]) {
        assertEquals((await node.me(token.access_token)).status, 200);
      }

      offset += SCHEDULES.signing.kept;
      assertEquals(await publishedKeys(node), [second]);
      assertEquals((await node.me(before.access_token)).status, 401);
      assertEquals((await node.me(after.access_token)).status, 200);
    } finally {
      await node.close();
      await database.close();
    }
  });

  Deno.test(`keys: nodes that start at once agree, and take each other's tokens (${kind})`, async () => {
    const database = await open();
    const nodes = await Promise.all([1, 2, 3].map(() => startNode({ database })));
    try {
      const sets = await Promise.all(nodes.map(publishedKeys));
      assertEquals(sets[1], sets[0]);
      assertEquals(sets[2], sets[0]);
      assertEquals(sets[0]!.length, 1);
      const [one, two] = nodes as [Node, Node, Node];
      const email = await signUp(one);
      const tokens = await signInWeb(two, email);
      assertEquals((await one.me(tokens.access_token)).status, 200);
      const renewed = await refresh(one, tokens.refresh_token);
      assertEquals(renewed.status, 200);
      assertEquals((await refresh(two, tokens.refresh_token)).error, "invalid_grant");
    } finally {
      for (const node of nodes) await node.close();
      await database.close();
    }
  });

  Deno.test(`refresh: of many at once, on two nodes, one succeeds (${kind})`, async () => {
    const database = await open();
    const nodes = await Promise.all([1, 2].map(() => startNode({ database })));
    try {
      const email = await signUp(nodes[0]!);
      const tokens = await signInWeb(nodes[0]!, email);
      const answers = await Promise.all(
        Array.from({ length: 8 }, (_, index) => refresh(nodes[index % 2]!, tokens.refresh_token)),
      );
      assertEquals(answers.filter(({ status }) => status === 200).length, 1);
      assert(answers.every(({ status, error }) => status === 200 || error === "invalid_grant"));
    } finally {
      for (const node of nodes) await node.close();
      await database.close();
    }
  });
});

/** Signs in with the session that `browser` has: no page asks for anything. */
async function signInAgain(node: Node, browser: ReturnType<Node["browser"]>) {
  const begun = await begin();
  const back = await browser.load(begun.url);
  assertNotEquals(new URL(back.url).searchParams.get("code"), null, back.text);
  return await exchange(node, begun, back.url);
}
