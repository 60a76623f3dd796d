import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { decodeJwt } from "jose";
import { CLI_CLIENT } from "../../src/issuer/first_party.ts";
import {
  begin,
  enter,
  exchange,
  type Node,
  ORIGIN,
  refresh,
  signUp,
  startNode,
  tokenRequest,
} from "./harness.ts";

interface Device {
  device_code: string;
  user_code: string;
  verification_uri: string;
  verification_uri_complete: string;
  interval?: number;
  expires_in: number;
}

async function startDevice(node: Node): Promise<Device> {
  const response = await node.send(`${ORIGIN}/oidc/device/auth`, {
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams({
      client_id: CLI_CLIENT,
      scope: "openid email offline_access berth",
    }).toString(),
  });
  assertEquals(response.status, 200);
  return await response.json();
}

function poll(node: Node, device: Device) {
  return tokenRequest(node, {
    grant_type: "urn:ietf:params:oauth:grant-type:device_code",
    client_id: CLI_CLIENT,
    device_code: device.device_code,
  });
}

Deno.test("device flow: the command line signs in by a code that the user confirms in a browser", async () => {
  const node = await startNode();
  try {
    const email = await signUp(node);
    const device = await startDevice(node);
    assertEquals(device.verification_uri, `${ORIGIN}/oidc/device`);
    assertEquals((await poll(node, device)).error, "authorization_pending");

    const browser = node.browser();
    const ask = await browser.load(device.verification_uri);
    const wrong = await browser.submit(ask, "/device", { user_code: "BBBB-BBBB" });
    assertEquals(wrong.status, 400);
    assertStringIncludes(wrong.text, 'aria-describedby="user_code-hint user_code-fault"');
    const confirm = await browser.submit(wrong, "/device", { user_code: device.user_code });
    assertStringIncludes(confirm.text, device.user_code);
    const signIn = await browser.submit(confirm, "/device");
    const consent = await enter(browser, signIn, { email });
    assertStringIncludes(consent.text, "Berth command line");
    const done = await browser.submit(consent, "/consent");
    assertEquals(done.status, 200);
    assertStringIncludes(done.text, "Device connected");

    const tokens = await poll(node, device);
    assertEquals(tokens.status, 200);
    assertEquals(decodeJwt(tokens.access_token)["email"], email);
    assertEquals((await node.me(tokens.access_token)).status, 200);
    const renewed = await refresh(node, tokens.refresh_token, CLI_CLIENT);
    assertEquals(renewed.status, 200);
    assertEquals((await poll(node, device)).error, "invalid_grant");

    const again = await browser.load(device.verification_uri);
    const used = await browser.submit(again, "/device", { user_code: device.user_code });
    assertEquals(used.status, 400);
  } finally {
    await node.close();
  }
});

Deno.test("device flow: a refusal reaches the device; the complete address shows its code for confirmation", async () => {
  const node = await startNode();
  try {
    const device = await startDevice(node);
    const browser = node.browser();
    // Without scripts the page has a button in place of posting itself.
    const page = await browser.load(device.verification_uri_complete);
    assert(!page.headers.get("content-security-policy")!.includes("unsafe-inline"));
    const confirm = await browser.submit(page, "/device");
    const abort = confirm.forms.find(({ fields }) => "abort" in fields)!;
    const refused = await browser.load(abort.action, { fields: abort.fields });
    assertStringIncludes(refused.text, "refused");
    assertEquals((await poll(node, device)).error, "access_denied");
  } finally {
    await node.close();
  }
});

Deno.test("loopback redirect: the command line gets its code on any port, after consent, at no other host", async () => {
  const node = await startNode();
  try {
    const email = await signUp(node);
    const begun = await begin({ clientId: CLI_CLIENT });
    const browser = node.browser();
    const consent = await enter(browser, await browser.load(begun.url), { email });
    assertStringIncludes(consent.text, "127.0.0.1:49152");
    assertStringIncludes(
      consent.headers.get("content-security-policy")!,
      "form-action 'self' http://127.0.0.1:49152",
    );
    const back = await browser.submit(consent, "/consent");
    assertEquals((await exchange(node, begun, back.url)).status, 200);

    const asked = await begin({ clientId: CLI_CLIENT });
    const refused = await browser.submit(await browser.load(asked.url), "/abort");
    assertEquals(new URL(refused.url).searchParams.get("error"), "access_denied");

    const elsewhere = await begin({
      clientId: CLI_CLIENT,
      redirectUri: "http://evil.example/callback",
    });
    const page = await browser.load(elsewhere.url);
    assertEquals(page.status, 400);
    assert(page.url.startsWith(ORIGIN));
  } finally {
    await node.close();
  }
});
