import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { AppError } from "../../src/errors.ts";
import {
  begin,
  enter,
  exchange,
  type Node,
  ORIGIN,
  PASSWORD,
  signUp,
  startNode,
} from "./harness.ts";

const CONTEXT = { requestId: "r-1" };

/** A node that cannot send mail, as one that listens to all addresses without `SMTP_URL`. */
function startWithoutMail(options: Parameters<typeof startNode>[0] = {}): Promise<Node> {
  return startNode({ ...options, overrides: { ...options.overrides, mailer: null } });
}

function firstLink({ terminal }: Node): string {
  return /http:\S+\/first\?token=\S+/.exec(terminal.at(-1)!)![0];
}

async function signIn(node: Node, email: string): Promise<Record<string, unknown>> {
  const browser = node.browser();
  const begun = await begin();
  const page = await enter(browser, await browser.load(begun.url), { email });
  const { access_token } = await exchange(node, begun, page.url);
  return (await node.me(access_token)).body["user"] as Record<string, unknown>;
}

const GOOD = { email: "ada@example.com", password: PASSWORD, repeated: PASSWORD };

Deno.test("the first account: without mail the terminal has a link, which makes one administrator, once", async () => {
  const node = await startWithoutMail();
  try {
    const link = firstLink(node);
    const browser = node.browser();
    let page = await browser.load(link);
    assertEquals(page.status, 200);
    for (
      const [fields, fault] of [
        [{ ...GOOD, email: "nobody" }, "email-fault"],
        [{ ...GOOD, password: "short", repeated: "short" }, "password-fault"],
        [{ ...GOOD, repeated: "x" }, "password-fault"],
      ] as const
    ) {
      page = await browser.submit(page, "/first", fields);
      assertEquals(page.status, 400);
      assertStringIncludes(page.text, fault);
    }
    const done = await browser.submit(page, "/first", GOOD);
    assertEquals(done.status, 200, done.text);
    const user = await signIn(node, GOOD.email);
    assertEquals([user["is_admin"], user["username"]], [true, "ada"]);
    assertEquals((await node.browser().load(link)).status, 400);
    const again = await startWithoutMail({ database: node.database });
    assertEquals(again.terminal, []);
    await again.close();
  } finally {
    await node.close();
  }
});

Deno.test("the first account: a later start replaces the link, and two people with it make one account", async () => {
  const node = await startWithoutMail();
  const later = await startWithoutMail({ database: node.database });
  try {
    assertEquals((await node.browser().load(firstLink(node))).status, 400);
    const link = firstLink(later);
    const forms = await Promise.all(["ada", "eve"].map(async (name) => {
      const browser = later.browser();
      return { browser, page: await browser.load(link), email: `${name}@example.com` };
    }));
    const done = await Promise.all(
      forms.map(({ browser, page, email }) => browser.submit(page, "/first", { ...GOOD, email })),
    );
    assertEquals(done.map(({ status }) => status).toSorted(), [200, 400]);
    const [row] = await later.database.sql`select count(*)::int as n from issuer_accounts`;
    assertEquals(row!["n"], 1);
  } finally {
    await later.close();
    await node.close();
  }
});

Deno.test("the first account: is not offered where links can be sent, and only a digest is kept", async () => {
  const mailing = await startNode();
  assertEquals(mailing.terminal, []);
  await mailing.close();
  const node = await startWithoutMail();
  try {
    const secret = new URL(firstLink(node)).searchParams.get("token")!;
    const rows = JSON.stringify(await node.database.sql`select * from issuer_links`);
    assert(!rows.includes(secret));
    assert(!JSON.stringify(node.lines).includes(secret));
  } finally {
    await node.close();
  }
});

Deno.test("invitations: a link makes the account of its address, which administers nothing; the newest one works", async () => {
  let time = Date.now();
  const node = await startWithoutMail({ overrides: { now: () => new Date(time) } });
  try {
    const email = "grace@example.com";
    const old = await node.issuer.invite("admin", email, CONTEXT);
    const { url, expires_at } = await node.issuer.invite("admin", email.toUpperCase(), CONTEXT);
    assertEquals(new Date(expires_at).getTime() - time, 7 * 86_400_000);
    assertEquals((await node.browser().load(old.url)).status, 400);
    // A link is good for what it was made for.
    for (const path of ["/first", "/verify", "/reset", "/admin"]) {
      assertEquals((await node.browser().load(url.replace("/invitation", path))).status, 400);
    }
    const browser = node.browser();
    const page = await browser.load(url);
    const fields = { ...GOOD, email: "mallory@example.com" };
    assertEquals((await browser.submit(page, "/invitation", fields)).status, 200);
    assertEquals((await signIn(node, email))["is_admin"], false);
    const [row] = await node.database.sql`
      select count(*)::int as n from issuer_accounts where email_key = 'mallory@example.com'`;
    assertEquals(row!["n"], 0);
    const audit = await node.database.sql`
      select actor, subject from audit_log where action = 'account.invite' order by id`;
    assertEquals({ ...audit[0] }, { actor: "admin", subject: email });
    const late = await node.issuer.invite("admin", "late@example.com", CONTEXT);
    time += 7 * 86_400_000 + 1;
    assertEquals((await node.browser().load(late.url)).status, 400);
  } finally {
    await node.close();
  }
});

Deno.test("invitations: never touch an account that exists, also where it was made after the link", async () => {
  const node = await startNode();
  try {
    const { url } = await node.issuer.invite("admin", "ada@example.com", CONTEXT);
    await signUp(node);
    const error = await assertRejects(
      () => node.issuer.invite("admin", "ADA@example.com", CONTEXT),
      AppError,
      "has an account already",
    );
    assertEquals(error.status, 409);
    const browser = node.browser();
    const other = "stolen horse battery";
    const page = await browser.load(url);
    const fields = { password: other, repeated: other };
    assertEquals((await browser.submit(page, "/invitation", fields)).status, 400);
    const begun = await begin();
    const sign = node.browser();
    const form = await sign.load(begun.url);
    assertEquals(
      (await enter(sign, form, { email: "ada@example.com", password: other })).status,
      400,
    );
    assert((await enter(sign, form, { email: "ada@example.com" })).url.startsWith(ORIGIN));
  } finally {
    await node.close();
  }
});
