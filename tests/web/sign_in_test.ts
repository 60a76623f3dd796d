/** Signing in to the pages at the embedded issuer, without scripts. */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { decodeJwt } from "jose";
import { prepareDataDir } from "../helpers/database.ts";
import {
  type Loaded,
  PASSWORD,
  personAt,
  signIn,
  signUp,
  startSite,
  type TestSite,
  withDatabase,
} from "./harness.ts";

const EMAIL = "ada@example.com";

function sessionCookie(cookies: string): string {
  return /berth_web_session=([\w-]+)/.exec(cookies)?.[1] ?? "";
}

function tokenIn(page: Loaded): string {
  const found = /id="token"[^>]*><code>([^<]+)</.exec(page.html);
  assert(found !== null, page.html);
  return found[1]!;
}

async function apiStatus(site: TestSite, token: string): Promise<number> {
  const response = await fetch(`${site.url}/api/v1/auth/me`, {
    headers: { authorization: `Bearer ${token}` },
  });
  await response.body?.cancel();
  return response.status;
}

async function walk(site: TestSite): Promise<void> {
  const ada = personAt(site);
  const profile = await signIn(ada, EMAIL);
  assertEquals([profile.status, profile.url.pathname], [200, "/profile"]);
  assertStringIncludes(profile.html, "ada@example.com (verified)");
  assertMatch(profile.headers.get("content-security-policy") ?? "", /^default-src 'none';/);
  assertEquals(profile.headers.get("cache-control"), "private, no-store");

  const set = ada.setCookies.find((one) => one.startsWith("berth_web_session="));
  assertMatch(set ?? "", /; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Lax$/);

  const none = await ada.load("/profile/tokens");
  assertStringIncludes(none.html, "No tokens");
  const nameless = await ada.send(none, "/profile/tokens", { name: "  " });
  assertEquals(nameless.status, 400);
  assertStringIncludes(nameless.html, "Enter a name");
  const made = await ada.send(none, "/profile/tokens", {
    name: "<b>Build</b>",
    expires_in: "300",
  });
  assertEquals(made.status, 200);
  const token = tokenIn(made);
  const claims = decodeJwt(token);
  assertEquals(claims.exp! - claims.iat!, 300);
  assertEquals(await apiStatus(site, token), 200);
  const list = await ada.load("/profile/tokens");
  assert(!list.html.includes(token), "the token is shown again");
  assertStringIncludes(list.html, "&lt;b&gt;Build&lt;/b&gt;");

  const revoked = await ada.send(list, "/revoke");
  assertStringIncludes(revoked.html, "revoked");
  assertEquals(await apiStatus(site, token), 401);

  const activity = await ada.load("/profile/activity");
  for (const action of ["account.sign_in", "token.create", "token.revoke"]) {
    assertStringIncludes(activity.html, action);
  }

  const out = await ada.send(await ada.load("/profile"), "/logout");
  assertStringIncludes(out.html, "You are signed out");
  assert(!ada.cookies().includes("berth_web_session"));
  // The issuer's own session has ended too: it asks for the password again.
  assertStringIncludes((await ada.load("/profile")).html, 'type="password"');
}

async function cookies(site: TestSite): Promise<void> {
  const ada = personAt(site);
  await signIn(ada, EMAIL);
  const me = await ada.load("/api/v1/auth/me");
  assertEquals(me.status, 401);
  assertMatch(me.html, /MISSING_TOKEN/);
  const post = await ada.load("/api/v1/auth/tokens", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: '{"name":"x"}',
  });
  assertEquals(post.status, 401);
  const made = await ada.send(await ada.load("/profile/tokens"), "/profile/tokens", {
    name: "mine",
    expires_in: "3600",
  });
  const response = await fetch(`${site.url}/profile`, {
    headers: { authorization: `Bearer ${tokenIn(made)}` },
    redirect: "manual",
  });
  assertEquals(response.status, 303);
  await response.body?.cancel();
}

async function forged(site: TestSite): Promise<void> {
  const ada = personAt(site);
  const eve = personAt(site);
  await signUp(site, "eve@example.com");
  await signIn(ada, EMAIL);
  const page = await ada.load("/profile/tokens");
  const evil = await signIn(eve, "eve@example.com", "/profile/tokens");
  const theirs = /name="csrf" value="([^"]+)"/.exec(evil.html)![1]!;
  const forged: [string, Record<string, string>][] = [
    ["no token", { csrf: "" }],
    ["a made-up token", { csrf: "A".repeat(43) }],
    ["another session's token", { csrf: theirs }],
  ];
  for (const [what, fields] of forged) {
    const answer = await ada.send(page, "/profile/tokens", { name: "forged", ...fields });
    assertEquals(answer.status, 403, what);
  }
  const own = /name="csrf" value="([^"]+)"/.exec(page.html)![1]!;
  for (
    const headers of [
      { "sec-fetch-site": "cross-site" },
      { "sec-fetch-site": "same-site" },
      { origin: "https://evil.example" },
    ]
  ) {
    const answer = await ada.load("/profile/tokens", {
      method: "POST",
      headers,
      body: new URLSearchParams({ csrf: own, name: "forged", expires_in: "3600" }),
    });
    assertEquals(answer.status, 403, JSON.stringify(headers));
  }
  assert(!(await ada.load("/profile/tokens")).html.includes("forged"));
}

async function answers(site: TestSite): Promise<void> {
  const ada = personAt(site);
  const faults = [
    "/login/callback",
    "/login/callback?code=abc",
    "/login/callback?code=abc&state=short",
    `/login/callback?code=abc&state=${"A".repeat(43)}`,
    `/login/callback?error=access_denied&state=${"A".repeat(43)}`,
  ];
  for (const path of faults) {
    const refused = await ada.load(path);
    assertEquals(refused.status, 400, path);
    assertStringIncludes(refused.html, "Sign-in failed");
    assert(!ada.cookies().includes("berth_web_session"), path);
  }
  // Ada has begun one, too: another's state does not fit it.
  await ada.load("/login");
  const pending = ada.setCookies.find((one) => one.startsWith("berth_web_sign_in_"))!;
  const suffix = /sign_in_([\w-]{12})=/.exec(pending)![1]!;
  const guessed = await ada.load(
    `/login/callback?code=abc&state=${suffix}${"A".repeat(31)}`,
  );
  assertEquals(guessed.status, 400);
  assert(!ada.cookies().includes("berth_web_session"));
  assertMatch(pending, /; Path=\/login; Max-Age=600; HttpOnly; SameSite=Lax$/);
}

async function planted(site: TestSite): Promise<void> {
  const ada = personAt(site);
  // Whoever knows the planted secret must not be signed in with it afterwards.
  const secret = "P".repeat(43);
  const before = await ada.load("/login", { headers: { cookie: `berth_web_session=${secret}` } });
  await ada.send(before, "/sign-in", { email: EMAIL, password: PASSWORD });
  const first = sessionCookie(ada.cookies());
  assert(first !== "" && first !== secret);
  const stranger = await personAt(site).load("/profile", {
    headers: { cookie: `berth_web_session=${secret}` },
  });
  assertStringIncludes(stranger.html, 'type="password"');
}

async function everywhere(site: TestSite): Promise<void> {
  const [ada, other] = [personAt(site), personAt(site)];
  await signIn(ada, EMAIL);
  await signIn(other, EMAIL);
  await ada.send(await ada.load("/profile"), "/profile/sign-out-everywhere");
  assertStringIncludes((await other.load("/profile")).html, 'type="password"');
}

/** Returns the cookie of a session. */
async function leaveSignedIn(site: TestSite): Promise<string> {
  const ada = personAt(site);
  await signIn(ada, EMAIL);
  return `berth_web_session=${sessionCookie(ada.cookies())}`;
}

async function expired(site: TestSite, cookie: string): Promise<void> {
  const late = await fetch(`${site.url}/profile`, { headers: { cookie }, redirect: "manual" });
  assertEquals(late.status, 303);
  assertMatch(late.headers.get("location") ?? "", /^\/login\?to=%2Fprofile$/);
  const removed = late.headers.getSetCookie().find((one) => one.includes("berth_web_session="));
  assertMatch(removed ?? "", /Max-Age=0/);
  await late.body?.cancel();
}

async function targets(site: TestSite): Promise<void> {
  for (
    const to of [
      "https://evil.example/",
      "//evil.example",
      "/\\evil.example",
      "javascript:alert(1)",
      "/\n//evil.example",
      "x".repeat(2000),
    ]
  ) {
    const person = personAt(site);
    const end = await signIn(person, EMAIL, to);
    assertEquals([end.url.origin, end.url.pathname], [site.url, "/"], to);
  }
  const missing = await personAt(site).load("/nothing/here");
  assertEquals(missing.status, 404);
  assertStringIncludes(missing.html, "<h1>Not found</h1>");
  const program = await fetch(`${site.url}/nothing/here`);
  assertEquals((await program.json()).status, "error");
  const api = await personAt(site).load("/api/v1/nothing");
  assertEquals(JSON.parse(api.html).status, "error");
  const post = await fetch(`${site.url}/profile/tokens`, {
    method: "POST",
    headers: { accept: "text/html", "content-type": "application/x-www-form-urlencoded" },
    body: "name=x",
  });
  assertEquals(post.status, 401);
  assertStringIncludes(await post.text(), "Nothing was changed");
}

async function rename(site: TestSite): Promise<void> {
  const ada = personAt(site);
  const profile = await signIn(ada, EMAIL);
  const bad = await ada.send(profile, "/profile/username", { username: "Ada!" });
  assertEquals(bad.status, 400);
  assertStringIncludes(bad.html, 'aria-invalid="true"');
  const good = await ada.send(bad, "/profile/username", { username: "countess" });
  assertStringIncludes(good.html, "<h1>countess</h1>");
  assertStringIncludes(good.html, "already was");
}

Deno.test("web: signing in at the embedded issuer", async (t) => {
  const dataDir = await prepareDataDir();
  let site = await startSite({ dataDir });
  const cases: [string, (site: TestSite) => Promise<void>][] = [
    ["sign in, make a token, use it, revoke it, sign out", walk],
    ["the APIs take no cookie, pages take no bearer token", cookies],
    ["forms that this service did not give to this browser change nothing", forged],
    ["answers to sign-ins that this browser did not begin do not count", answers],
    ["a planted session is never taken over", planted],
    ["signing out everywhere ends the sessions of every browser", everywhere],
    ["sign-in leads to pages of this service only, failures are pages for people", targets],
    ["a username changes once, with what is wrong said at the field", rename],
  ];
  try {
    await signUp(site, EMAIL);
    for (const [name, body] of cases) await t.step(name, () => body(site));
    const cookie = await leaveSignedIn(site);
    await site.close();
    await withDatabase(dataDir, async (sql) => {
      const rows = await sql<{ id: string; tokens: Uint8Array }[]>`
        select id, tokens from web_sessions`;
      const stored = rows.map(({ id, tokens }) => id + new TextDecoder().decode(tokens)).join();
      assert(!stored.includes(cookie.split("=")[1]!) && !stored.includes("eyJ"));
      await sql`update web_sessions set expires_at = now() - interval '1 hour'`;
    });
    site = await startSite({ dataDir });
    await t.step("a session that has expired is none", () => expired(site, cookie));
  } finally {
    await site.close();
    await Deno.remove(dataDir, { recursive: true });
  }
});
