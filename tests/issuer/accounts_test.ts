import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { findByEmail } from "../../src/issuer/accounts/accounts.ts";
import { hashPassword } from "../../src/issuer/accounts/password.ts";
import {
  begin,
  enter,
  type Node,
  ORIGIN,
  PASSWORD,
  refresh,
  signInWeb,
  signUp,
  startNode,
} from "./harness.ts";

const OTHER = "another long password";

async function forgot(node: Node, email: string) {
  const browser = node.browser();
  return await browser.submit(await browser.load("/oidc/forgot"), "/forgot", { email });
}

Deno.test("reset: a link sets a new password once, ends every sign-in, and needs an account to be sent", async () => {
  const node = await startNode();
  try {
    const email = await signUp(node);
    const browser = node.browser();
    const tokens = await signInWeb(node, email, browser);

    const unknown = await forgot(node, "nobody@example.com");
    const before = node.mail.length;
    const known = await forgot(node, email);
    assertEquals(
      known.text.replaceAll(email, "X"),
      unknown.text.replaceAll("nobody@example.com", "X"),
    );
    const link = await node.link("/reset");
    assertEquals(node.mail.length, before + 1);
    assertEquals(node.mail.at(-1)!.to, email);

    const page = await node.browser().load(link);
    assertEquals(page.status, 200);
    const visitor = node.browser();
    const form = await visitor.load(link);
    const differing = await visitor.submit(form, "/reset", { password: OTHER, repeated: "x" });
    assertEquals(differing.status, 400);
    assertStringIncludes(differing.text, 'aria-invalid="true"');
    const done = await visitor.submit(differing, "/reset", { password: OTHER, repeated: OTHER });
    assertEquals(done.status, 200, done.text);

    const again = await visitor.submit(form, "/reset", { password: OTHER, repeated: OTHER });
    assertEquals(again.status, 400);
    assertEquals((await visitor.load(link)).status, 400);
    assertEquals((await refresh(node, tokens.refresh_token)).error, "invalid_grant");
    // The session is gone too: the browser that was signed in has to sign in.
    const asked = await browser.load((await begin()).url);
    assert(asked.url.includes("/interaction/"), asked.url);
    assertEquals((await enter(browser, asked, { email })).status, 400);
    const signedIn = await enter(browser, asked, { email, password: OTHER });
    assert(signedIn.url.includes("code="), signedIn.url);
  } finally {
    await node.close();
  }
});

Deno.test("links: expire, and only a digest of them is in the database", async () => {
  let time = Date.now();
  const node = await startNode({ overrides: { now: () => new Date(time) } });
  try {
    await signUp(node);
    await forgot(node, "ada@example.com");
    const link = await node.link("/reset");
    const secret = new URL(link).searchParams.get("token")!;
    const rows = JSON.stringify(await node.database.sql`select * from issuer_links`);
    assert(!rows.includes(secret));
    assertEquals((await node.browser().load(link)).status, 200);
    time += 61 * 60_000;
    assertEquals((await node.browser().load(link)).status, 400);
    assertEquals((await node.browser().load(link.replace("/reset", "/verify"))).status, 400);
  } finally {
    await node.close();
  }
});

Deno.test("sign-up: an address that has an account gets a message that says so, and the page the same", async () => {
  const node = await startNode();
  try {
    const email = await signUp(node);
    const browser = node.browser();
    const form = await browser.load("/oidc/sign-up");
    const known = await browser.submit(form, "/sign-up", { email: email.toUpperCase() });
    const unknown = await browser.submit(form, "/sign-up", { email: "NEW@EXAMPLE.COM" });
    assertEquals(known.status, unknown.status);
    assertEquals(
      known.text.replaceAll(email.toUpperCase(), "X"),
      unknown.text.replaceAll("NEW@EXAMPLE.COM", "X"),
    );
    await node.deps.background.idle();
    const [first, second] = node.mail.slice(-2).toSorted((a, b) => a.to.localeCompare(b.to));
    assertEquals([first!.to, first!.link], [email, `${ORIGIN}/oidc/forgot`]);
    assertEquals(second!.to, "NEW@EXAMPLE.COM");
  } finally {
    await node.close();
  }
});

Deno.test("passwords: weak ones are refused with a reason at the field, and the link stays usable", async () => {
  const node = await startNode();
  try {
    const browser = node.browser();
    await browser.submit(await browser.load("/oidc/sign-up"), "/sign-up", {
      email: "grace@example.com",
    });
    let page = await browser.load(await node.link("/verify"));
    const weak = [
      "",
      "short",
      "aaaaaaaaaaaaaaaa",
      "grace@example.com",
      "grace12345678",
      "password123",
    ];
    for (const password of [...weak, "x1y2".repeat(100)]) {
      page = await browser.submit(page, "/verify", { password, repeated: password });
      assertEquals(page.status, 400, password);
      assertStringIncludes(page.text, 'aria-describedby="password-hint password-fault"');
      assert(
        password === "" || !page.text.includes(`value="${password}"`) || password.includes("@"),
      );
    }
    const done = await browser.submit(page, "/verify", { password: PASSWORD, repeated: PASSWORD });
    assertEquals(done.status, 200);
  } finally {
    await node.close();
  }
});

/** Whether `work` waits for its turn at hashing, as everything does that hashes a password. */
async function hashes(work: () => Promise<unknown>): Promise<boolean> {
  let ended = 0;
  const others = Array.from({ length: 8 }, () => hashPassword(OTHER).then(() => ended++));
  await work();
  // Two run at once, so a ninth begins when seven have ended.
  const waited = ended >= 7;
  await Promise.all(others);
  return waited;
}

Deno.test("sign-in: a wrong password and an unknown address get the same answer after the same work", async () => {
  const node = await startNode();
  try {
    const email = await signUp(node);
    const browser = node.browser();
    const page = await browser.load((await begin()).url);
    const answers: unknown[] = [];
    for (const address of [email, "nobody@example.com"]) {
      const hashed = await hashes(async () => {
        const answer = await enter(browser, page, { email: address, password: "not the password" });
        answers.push([answer.status, answer.text.replaceAll(address, "X")]);
      });
      assert(hashed, address);
    }
    const [wrong, unknown] = answers as [number, string][];
    assertEquals(wrong, unknown);
    assertEquals(wrong![0], 400);
    assertStringIncludes(wrong![1], "Incorrect e-mail address or password");
  } finally {
    await node.close();
  }
});

Deno.test("sign-in: a refusal is noted for the audit log, without what was typed", async () => {
  const node = await startNode();
  try {
    const email = await signUp(node);
    const accountId = (await findByEmail(node.database.sql, email))!.id;
    const browser = node.browser();
    const page = await browser.load((await begin()).url);
    await enter(browser, page, { email, password: "a wrong guess" });
    await enter(browser, page, { email: "hunter2@example.com", password: "a wrong guess" });
    await enter(browser, page, { email });
    assertEquals(
      node.refusals.map(({ action, actor, subject, kind }) => [action, actor, subject, kind]),
      [
        ["account.refuse", null, accountId, "192.0.2.1"],
        ["account.refuse", null, "unknown account", "192.0.2.1"],
      ],
    );
    const text = JSON.stringify(node.refusals);
    for (const typed of ["guess", "hunter2", email]) assert(!text.includes(typed), text);
  } finally {
    await node.close();
  }
});

Deno.test("sign-in: ten guesses from one network, then 429 there; others still get in", async () => {
  const node = await startNode();
  const elsewhere = await startNode({ database: node.database, client: "198.51.100.7" });
  try {
    const email = await signUp(node);
    const browser = node.browser();
    const page = await browser.load((await begin()).url);
    const guesses = await Promise.all(
      Array.from({ length: 12 }, () => enter(browser, page, { email, password: "a wrong guess" })),
    );
    assertEquals(guesses.filter(({ status }) => status === 400).length, 10);
    const refused = guesses.find(({ status }) => status === 429)!;
    assert(Number(refused.headers.get("retry-after")) > 0);
    assertEquals((await enter(browser, page, { email })).status, 429);
    assertEquals((await signInWeb(elsewhere, email)).status, 200);
  } finally {
    await elsewhere.close();
    await node.close();
  }
});

Deno.test("first administrator: a link on the terminal, for the first account, once", async () => {
  const node = await startNode();
  try {
    const email = await signUp(node);
    await signUp(node, "second@example.com");
    assertEquals(node.terminal.length, 1);
    const link = /http:\S+/.exec(node.terminal[0]!)![0];
    assertStringIncludes(node.terminal[0]!, email);
    const tokens = await signInWeb(node, email);
    const isAdmin = async () => {
      const { body } = await node.me(tokens.access_token);
      return (body["user"] as Record<string, unknown>)["is_admin"];
    };
    assertEquals(await isAdmin(), false);
    const browser = node.browser();
    const page = await browser.load(link);
    assertStringIncludes(page.text, email);
    assertEquals((await browser.submit(page, "/admin")).status, 200);
    assertEquals(await isAdmin(), true);
    assertEquals((await browser.submit(page, "/admin")).status, 400);
    assertEquals((await browser.load(link)).status, 400);

    const restarted = await startNode({ database: node.database });
    assertEquals(restarted.terminal, []);
    await restarted.close();
    assert(!JSON.stringify(node.lines).includes(new URL(link).searchParams.get("token")!));
  } finally {
    await node.close();
  }
});

Deno.test("first administrator: stays the first while the clock is set back", async () => {
  let time = Date.now();
  const node = await startNode({ overrides: { now: () => new Date(time) } });
  try {
    await signUp(node);
    time -= 5000;
    await signUp(node, "second@example.com");
    assertEquals(node.terminal.length, 1);
  } finally {
    await node.close();
  }
});

Deno.test("first administrator: a restart prints a new link in place of the old; none where configuration names them", async () => {
  const node = await startNode();
  try {
    await signUp(node);
    const old = /http:\S+/.exec(node.terminal[0]!)![0];
    const restarted = await startNode({ database: node.database });
    const fresh = /http:\S+/.exec(restarted.terminal[0]!)![0];
    assertEquals((await node.browser().load(old)).status, 400);
    assertEquals((await node.browser().load(fresh)).status, 200);
    await restarted.close();
    const configured = await startNode({
      database: node.database,
      overrides: { adminsConfigured: true },
    });
    assertEquals(configured.terminal, []);
    await configured.close();
  } finally {
    await node.close();
  }
});

Deno.test("sign-out: the session and the web application's tokens end", async () => {
  const node = await startNode();
  try {
    const email = await signUp(node);
    const browser = node.browser();
    const tokens = await signInWeb(node, email, browser);
    const query = new URLSearchParams({
      id_token_hint: tokens.id_token!,
      post_logout_redirect_uri: `${ORIGIN}/`,
    });
    const ask = await browser.load(`/oidc/session/end?${query}`);
    const done = await browser.submit(ask, "/session/end/confirm");
    assertEquals(done.url, `${ORIGIN}/`);
    assertEquals((await refresh(node, tokens.refresh_token)).error, "invalid_grant");
    const next = await browser.load((await begin()).url);
    assert(next.url.includes("/interaction/"));
  } finally {
    await node.close();
  }
});
