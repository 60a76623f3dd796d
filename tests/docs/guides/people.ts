/** @module What the guides to payments, permissions, the audit log, sign-in and tokens show. */
import { assert, assertEquals } from "@std/assert";
import { parseConfig } from "../../../src/config.ts";
import { assertShown } from "./alike.ts";
import type { Desk } from "./desk.ts";
import type { Check } from "./guide.ts";

/** The secret that the payments guide makes. */
export const PAYMENTS_WEBHOOK_SECRET = `whsec_${btoa("a".repeat(32))}`;

/** Settings that a block of shell puts before `deno task start`, as Berth reads them. */
async function settingsOf(code: string, { shell }: Desk) {
  const { out } = await shell(code.replace(/deno task start[^]*/, "env -0"));
  const set = out.split("\0").map((line) => line.split(/=([^]*)/))
    .filter(([name]) => code.includes(`${name}=`));
  return parseConfig(Object.fromEntries(set));
}

/** docs/payments.md. */
export const PAYMENTS: Check[] = [
  async ({ code }, desk) => {
    const { out } = await desk.shell(
      code.replace("deno task start", "printenv PAYMENTS_WEBHOOK_SECRET"),
    );
    parseConfig({ PAYMENTS_WEBHOOK_SECRET: out.trim() });
  },
  async ({ code }, { shell }) => {
    const guide = await Deno.readTextFile(new URL("../../../docs/payments.md", import.meta.url));
    const [body] = /BODY='[^']*'/.exec(guide)!;
    assertEquals(JSON.parse((await shell(`${body}; echo "$BODY"`)).out), JSON.parse(code));
  },
  async ({ code }, { json }) => {
    const answer = await json(code, { env: { PAYMENTS_WEBHOOK_SECRET } });
    assertEquals(answer, { ...answer, status: "success", result: "unknown_user" });
  },
];

/** docs/permissions.md. */
export const PERMISSIONS: Check[] = [
  async ({ code }, { json }) => {
    assertEquals((await json(code)).status, "success");
    const back = `curl -s -X DELETE "$BERTH/api/v1/servers/weather/transfer" \\
      -H "Authorization: Bearer $TOKEN"`;
    assertEquals((await json(back)).status, "success");
  },
  async ({ code }, { shell }) => {
    const { out } = await shell(code.replace("# joan", "echo\n# joan"));
    for (const answer of out.trim().split("\n")) {
      assertEquals(JSON.parse(answer).status, "success", answer);
    }
  },
];

/** docs/audit.md. */
export const AUDIT: Check[] = [
  async ({ code }, { shell }) => {
    const { out } = await shell(code.replace(/\n/, "; echo\n"));
    for (const answer of out.trim().split("\n")) {
      const { status, entries } = JSON.parse(answer);
      assertEquals(status, "success", answer);
      assert(entries.length > 0, answer);
    }
  },
];

/** The device flow of a block whose reader confirms at `verification_uri_complete`. */
async function device(code: string, desk: Desk): Promise<Record<string, unknown>> {
  const [ask, rest] = code.split(/^# open verification_uri.*$/im);
  const asked = (await desk.shell(`${ask}`, { cwd: desk.home })).out;
  const { verification_uri_complete, user_code, device_code } = JSON.parse(asked);
  await desk.confirm(
    verification_uri_complete.replace("http://127.0.0.1:8000", desk.berth.registryUrl),
    "ada",
    user_code,
  );
  return { rest, device_code, issuer: ask!.split("\n")[0] };
}

/** docs/sign-in.md. */
export const SIGN_IN: Check[] = [
  async ({ code }, desk) => {
    const { rest, device_code, issuer } = await device(code, desk);
    const [first, refresh] = `${rest}`.split(/^# about five minutes.*$/m);
    const env = { DEVICE_CODE: `${device_code}` };
    const got = await desk.json(`${issuer}\n${first}`, { env });
    const renewed = await desk.json(`${issuer}\n${refresh}`, {
      env: { REFRESH_TOKEN: got.refresh_token },
    });
    assert(
      renewed.access_token !== got.access_token && renewed.refresh_token !== got.refresh_token,
    );
  },
  async ({ code }, { json }) => {
    assertShown({
      client_name: "My editor",
      token_endpoint_auth_method: "none",
      redirect_uris: ["http://127.0.0.1/callback"],
    }, await json(code));
  },
  async ({ code }, { shell }) => {
    const { out } = await shell(`${code}\nprintf %s "$UPSTREAM_PROVIDERS"`);
    const { UPSTREAM_PROVIDERS } = parseConfig({ UPSTREAM_PROVIDERS: out });
    assertEquals(UPSTREAM_PROVIDERS?.map(({ name }) => name), ["github.com", "google.com"]);
  },
];

/** docs/tokens.md. */
export const TOKENS: Check[] = [
  async ({ code }, desk) => {
    const [start, call] = code.trim().split("\n");
    const { OIDC_ISSUER } = await settingsOf(start!, desk);
    assertEquals(OIDC_ISSUER, "https://id.example.com");
    assertEquals((await desk.json(`${call} -s`)).user.username, "ada");
  },
  async ({ code }, { json }) => {
    const { access_token: token } = await json(code);
    assertEquals(
      (await json(`curl -s $BERTH/api/v1/auth/me -H "Authorization: Bearer ${token}"`))
        .user.username,
      "ada",
    );
  },
  ({ code }) => assert(code.includes("refresh_token"), "tests/docs/refresh_script_test.ts runs it"),
  async ({ code }, desk) => {
    const guide = await Deno.readTextFile(new URL("../../../docs/tokens.md", import.meta.url));
    const [, script] = /```ts\n([^]*?)```/.exec(guide)!;
    await Deno.writeTextFile(`${desk.home}/refresh.ts`, script!);
    const { rest, issuer } = await device(code, desk);
    // The refresher waits for most of an hour: it ends with the block.
    const ended = `${rest}`.replace("deno run", `OIDC_ISSUER=$ISSUER deno run`)
      .replace("refresh.ts &", "refresh.ts & refresher=$!")
      .replace(/^curl -H/m, "curl -s -H");
    const answer = await desk.json(`${issuer}\n${ended}\nkill $refresher`);
    assertEquals(answer.user.username, "ada");
  },
];
