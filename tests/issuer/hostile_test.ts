import { assert, assertEquals, assertFalse, assertStringIncludes } from "@std/assert";
import { issuerAddress } from "../../src/issuer/address.ts";
import { MAX_FORM_BYTES } from "../../src/issuer/request.ts";
import {
  begin,
  CALLBACK,
  enter,
  ORIGIN,
  PASSWORD,
  refresh,
  signInWeb,
  signUp,
  startNode,
} from "./harness.ts";

const MARKUP = `"><script>alert(1)</script><img src=x onerror=alert(1)>'`;

Deno.test("pages: whatever is typed or sent in an address is shown as text", async () => {
  const node = await startNode();
  try {
    const browser = node.browser();
    const signIn = await browser.load((await begin({ parameters: { login_hint: MARKUP } })).url);
    const attempted = await enter(browser, signIn, { email: MARKUP });
    const signUpForm = await browser.load(
      `/oidc/sign-up?interaction=${encodeURIComponent(MARKUP)}`,
    );
    const pages = [
      signIn,
      attempted,
      signUpForm,
      await browser.submit(signUpForm, "/sign-up", { email: MARKUP, interaction: MARKUP }),
      await browser.load(`/oidc/verify?token=${encodeURIComponent(MARKUP)}`),
      await browser.load(`/oidc/admin?token=${encodeURIComponent(MARKUP)}`),
      await browser.load(`/oidc/device?user_code=${encodeURIComponent(MARKUP)}`),
      await browser.load((await begin({ clientId: MARKUP, redirectUri: MARKUP })).url),
      await browser.load((await begin({ parameters: { scope: MARKUP } })).url),
      await browser.load(`/oidc/session/end?id_token_hint=${encodeURIComponent(MARKUP)}`),
    ];
    for (const page of pages) {
      const text = page.text.replace(/<script>\s*document\.addEventListener[^<]*<\/script>/, "")
        .replace('<img src="/favicon.ico" alt="" width="26" height="26">', "");
      assertFalse(/<script|<img|onerror=alert\(1\)>/i.test(text), `${page.url}\n${page.text}`);
      const csp = page.headers.get("content-security-policy") ?? "";
      assertStringIncludes(csp, "default-src 'none'");
      assertFalse(csp.includes("unsafe"), csp);
      assertEquals(page.headers.get("cache-control"), "no-store");
      assertEquals(page.headers.get("x-frame-options"), "DENY");
    }
    await node.deps.background.idle();
    assertEquals(node.mail.length, 0);
  } finally {
    await node.close();
  }
});

Deno.test("redirects: only to registered addresses, exactly, and never from a page's own parameters", async () => {
  const node = await startNode();
  try {
    const browser = node.browser();
    for (
      const redirectUri of [
        "https://evil.example/",
        `${CALLBACK}/../evil`,
        `${CALLBACK}?next=https://evil.example`,
        `${CALLBACK}#x`,
        "http://127.0.0.1:8000@evil.example/login/callback",
        "//evil.example",
        "javascript:alert(1)",
        "http://localhost:8000/login/callback",
      ]
    ) {
      const page = await browser.load((await begin({ redirectUri })).url);
      assertEquals(page.status, 400, redirectUri);
      assert(page.url.startsWith(`${ORIGIN}/oidc/`), page.url);
    }
    // A failed request leads back to a registered address only, and a sign-out likewise.
    const plain = await browser.load(
      (await begin({ parameters: { code_challenge: undefined, code_challenge_method: undefined } }))
        .url,
    );
    assertEquals(new URL(plain.url).searchParams.get("error"), "invalid_request");
    const query = new URLSearchParams({
      client_id: "berth-web",
      post_logout_redirect_uri: "https://evil.example/",
    });
    assertEquals((await browser.load(`/oidc/session/end?${query}`)).status, 400);

    const form = await browser.load("/oidc/sign-up");
    for (
      const interaction of ["//evil.example", "../../evil", "https://evil.example/aaaaaaaaaaaa"]
    ) {
      await browser.submit(form, "/sign-up", { email: "eve@example.com", interaction });
      const choose = await browser.load(await node.link("/verify"));
      const done = await browser.submit(choose, "/verify", {
        password: PASSWORD,
        repeated: PASSWORD,
      });
      assertEquals(done.url, `${ORIGIN}/oidc/verify`);
      await node.database.sql`delete from issuer_accounts`;
    }
  } finally {
    await node.close();
  }
});

Deno.test("forged forms: without this browser's token, or from another origin, nothing happens", async () => {
  const node = await startNode();
  try {
    const browser = node.browser();
    const form = await browser.load("/oidc/sign-up");
    const email = "ada@example.com";
    const token = form.forms[0]!.fields["csrf"]!;
    const attempts = [
      await browser.load("/oidc/sign-up", { fields: { email } }),
      await browser.load("/oidc/sign-up", { fields: { email, csrf: `${token}x` } }),
      // Another browser's token, and none of its cookie.
      await node.browser().load("/oidc/sign-up", { fields: { email, csrf: token } }),
      await browser.submit(form, "/sign-up", { email }, { origin: "https://evil.example" }),
      await browser.submit(form, "/sign-up", { email }, { "sec-fetch-site": "same-site" }),
      await browser.submit(form, "/sign-up", { email }, { "sec-fetch-site": "cross-site" }),
      await browser.submit(form, "/sign-up", { email }, { "content-type": "text/plain" }),
    ];
    for (const { status } of attempts) assertEquals(status, 403);
    const interaction = await browser.load((await begin()).url);
    const { action } = interaction.forms[0]!;
    const forged = await browser.load(action, { fields: { email, password: PASSWORD } });
    assertEquals(forged.status, 403);
    // Another browser cannot act in this one's sign-in.
    const other = node.browser();
    await other.load("/oidc/sign-up");
    const stolen = await other.load(new URL(action, ORIGIN).pathname.replace("/sign-in", ""));
    assertEquals(stolen.status, 400);
    await node.deps.background.idle();
    assertEquals(node.mail.length, 0);
  } finally {
    await node.close();
  }
});

Deno.test("bodies: too large, not text, or with a field twice", async () => {
  const node = await startNode();
  try {
    const browser = node.browser();
    const form = await browser.load("/oidc/sign-up");
    const large = await browser.submit(form, "/sign-up", { email: "x".repeat(MAX_FORM_BYTES) });
    assertEquals(large.status, 413);
    const token = await browser.load("/oidc/token", {
      fields: { grant_type: "x".repeat(MAX_FORM_BYTES) },
    });
    assertEquals(token.status, 413);
    const cookie = `berth_form=${browser.cookies["berth_form"]}`;
    const csrf = form.forms[0]!.fields["csrf"];
    for (const body of [`csrf=${csrf}&email=a@b.example&email=c@d.example`, `csrf=${csrf}&x=%00`]) {
      const response = await node.send(`${ORIGIN}/oidc/sign-up`, {
        method: "POST",
        headers: { cookie, "content-type": "application/x-www-form-urlencoded" },
        body,
      });
      await response.body?.cancel();
      assertEquals(response.status, 403);
    }
    for (const path of ["/oidc/nothing", "/oidc/interaction/%2e%2e", "/oidc/interaction/x"]) {
      const page = await browser.load(path);
      assert(page.status === 404 || page.status === 400, `${path} ${page.status}`);
    }
    for (
      const email of [
        "a@b",
        "a b@example.com",
        "a@example.com,b@example.com",
        "a@example.com\nBcc: b@c.de",
      ]
    ) {
      assertEquals((await browser.submit(form, "/sign-up", { email })).status, 400, email);
    }
    await node.deps.background.idle();
    assertEquals(node.mail.length, 0);
  } finally {
    await node.close();
  }
});

Deno.test("cookies: unreadable for scripts, below /oidc only, kept to https where the address is", async () => {
  for (const publicUrl of [ORIGIN, "https://berth.example", "https://example.com/berth"]) {
    const address = issuerAddress(publicUrl);
    const node = await startNode({ overrides: { address } });
    try {
      const first = await node.browser().load("/oidc/sign-up");
      const { url } = await begin({ redirectUri: `${publicUrl}/login/callback` });
      const response = await node.send(url);
      await response.body?.cancel();
      const location = new URL(response.headers.get("location")!, publicUrl);
      assert(location.href.startsWith(`${address.issuer}/interaction/`), location.href);
      const cookies = [...first.setCookies, ...response.headers.getSetCookie()];
      assert(cookies.length >= 3);
      for (const cookie of cookies) {
        assert(/;\s*httponly/i.test(cookie), cookie);
        assert(/;\s*samesite=lax/i.test(cookie), cookie);
        assertEquals(/;\s*secure/i.test(cookie), address.secure, cookie);
        assertStringIncludes(cookie.toLowerCase(), `path=${address.path}`);
      }
    } finally {
      await node.close();
    }
  }
});

Deno.test("cookies are no credentials at the API, and the issuer's answers tell no origin to send them", async () => {
  const node = await startNode();
  try {
    const email = await signUp(node);
    const browser = node.browser();
    await signInWeb(node, email, browser);
    const cookie = Object.entries(browser.cookies).map(([k, v]) => `${k}=${v}`).join("; ");
    const me = await node.send(`${ORIGIN}/api/v1/auth/me`, { headers: { cookie } });
    assertEquals(me.status, 401);
    await me.body?.cancel();
    const token = await node.send(`${ORIGIN}/oidc/token`, {
      method: "POST",
      headers: {
        origin: "https://evil.example",
        "content-type": "application/x-www-form-urlencoded",
      },
      body: "grant_type=refresh_token&client_id=berth-web&refresh_token=x",
    });
    assertEquals(token.headers.get("access-control-allow-origin"), "*");
    assertEquals(token.headers.get("access-control-allow-credentials"), null);
    assertEquals((await token.json()).error, "invalid_grant");
  } finally {
    await node.close();
  }
});

Deno.test("logs: nothing in them signs anybody in", async () => {
  const node = await startNode();
  try {
    const email = await signUp(node);
    const browser = node.browser();
    const begun = await begin();
    const page = await browser.load(begun.url);
    await enter(browser, page, { email, password: "a wrong password" });
    const tokens = await signInWeb(node, email, node.browser());
    const renewed = await refresh(node, tokens.refresh_token);
    await refresh(node, tokens.refresh_token);
    const admin = new URL(/http:\S+/.exec(node.terminal[0]!)![0]).searchParams.get("token")!;
    const verify = new URL(node.mail[0]!.link).searchParams.get("token")!;
    const [key] = await node.database.sql<{ d: string }[]>`
      select secret->>'d' as d from issuer_keys where purpose = 'signing'`;
    const log = JSON.stringify(node.lines);
    assert(node.lines.length > 5);
    const secrets = [
      PASSWORD,
      "a wrong password",
      tokens.access_token,
      tokens.refresh_token,
      renewed.access_token,
      renewed.refresh_token,
      begun.verifier,
      admin,
      verify,
      key!.d,
      ...Object.values(browser.cookies),
    ];
    for (const secret of secrets) {
      // The id of a running sign-in is in its address; it is nothing without its signed cookie.
      if (log.includes(secret)) assert(page.url.includes(secret), `${secret} in the log`);
    }
    const states = JSON.stringify(await node.database.sql`select * from issuer_state`);
    for (const token of [tokens.refresh_token, renewed.refresh_token]) {
      assertFalse(states.includes(token));
    }
  } finally {
    await node.close();
  }
});
