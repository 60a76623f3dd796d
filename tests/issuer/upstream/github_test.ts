import { assert, assertEquals, assertRejects } from "@std/assert";
import { UpstreamSettings } from "../../../src/provider_settings.ts";
import { gitHubUpstream } from "../../../src/issuer/upstream/github.ts";
import { UpstreamRefused } from "../../../src/issuer/upstream/provider.ts";
import { type CodeHostSignIn, startCodeHostSignIn } from "../../helpers/code_host_sign_in.ts";

const REDIRECT = "http://127.0.0.1:1/oidc/upstream/github.com/callback";
const SECRETS = { state: "state-1", nonce: "nonce-1", verifier: "verifier".padEnd(43, "x") };

async function withHost(
  body: (
    host: CodeHostSignIn,
    signIn: (verifier?: string) => ReturnType<ReturnType<typeof gitHubUpstream>["identify"]>,
  ) => Promise<void>,
): Promise<void> {
  const host = startCodeHostSignIn();
  const upstream = gitHubUpstream(
    fetch,
    UpstreamSettings.parse({
      name: "github.com",
      issuer: "github",
      client_id: host.clientId,
      client_secret: host.clientSecret,
      url: `${host.url}/`,
      api_url: host.apiUrl,
    }),
  );
  try {
    await body(host, async (verifier = SECRETS.verifier) => {
      const address = await upstream.authorizationUrl(REDIRECT, SECRETS);
      const response = await fetch(address, { redirect: "manual" });
      await response.body?.cancel();
      const back = new URL(response.headers.get("location")!);
      assertEquals(back.searchParams.get("state"), SECRETS.state);
      return await upstream.identify(back.searchParams, REDIRECT, { ...SECRETS, verifier });
    });
  } finally {
    await host.close();
  }
}

Deno.test("gitHubUpstream() knows a user by number and primary verified address", async () => {
  await withHost(async (_host, signIn) => {
    assertEquals(await signIn(), {
      subject: "583231",
      email: "octo@example.com",
      emailVerified: true,
      groups: [],
    });
  });
});

Deno.test("gitHubUpstream() believes neither the profile's nor unverified nor other addresses", async () => {
  await withHost(async (host, signIn) => {
    host.user.emails = [
      { email: "victim@example.com", primary: true, verified: false },
      { email: "other@example.com", primary: false, verified: true },
    ];
    assertEquals(await signIn(), {
      subject: "583231",
      email: null,
      emailVerified: false,
      groups: [],
    });
    host.user.emails = [];
    assertEquals((await signIn()).email, null);
  });
});

Deno.test("gitHubUpstream() refuses what is not the answer to its question", async (t) => {
  await withHost(async (host, signIn) => {
    await t.step("a code that another began", async () => {
      await assertRejects(() => signIn("another".padEnd(43, "x")), UpstreamRefused);
    });
    const answers: [string, (path: string) => Response | null][] = [
      [
        "a token of another type",
        (path) =>
          path.endsWith("access_token")
            ? Response.json({ access_token: "x", token_type: "mac" })
            : null,
      ],
      [
        "a token that breaks a header",
        (path) =>
          path.endsWith("access_token")
            ? Response.json({ access_token: "x\r\ny: z", token_type: "bearer" })
            : null,
      ],
      [
        "a user without number",
        (path) => path === "/api/user" ? Response.json({ login: "octo" }) : null,
      ],
      [
        "a number that is a text",
        (path) => path === "/api/user" ? Response.json({ id: "583231" }) : null,
      ],
      [
        "no list of addresses",
        (path) =>
          path === "/api/user/emails" ? Response.json({ message: "no" }, { status: 404 }) : null,
      ],
      [
        "a redirect",
        (path) => path === "/api/user" ? Response.redirect("http://127.0.0.1:1/", 302) : null,
      ],
      ["a page", (path) => path === "/api/user" ? new Response("<html>") : null],
    ];
    for (const [name, answer] of answers) {
      await t.step(name, async () => {
        host.answer = answer;
        const error = await assertRejects(() => signIn(), UpstreamRefused);
        assert(!String(error).includes(host.clientSecret));
        host.answer = null;
      });
    }
  });
});
