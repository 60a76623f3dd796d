/**
 * Sign-in at another service through the pages, by browsers without scripts: what users agree to, the
 * way there and back, and forged ways.
 */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { openDatabase } from "../../src/database/open.ts";
import { serviceId } from "../../src/keys/services.ts";
import { createServer } from "../../src/registry/servers/create.ts";
import { prepareDataDir, silentLog } from "../helpers/database.ts";
import { callerOf, context, repositoryOf, serverInput, testRegistry } from "../helpers/registry.ts";
import { startTokenService, type TokenService } from "../helpers/token_service.ts";
import {
  type Loaded,
  type Person,
  personAt,
  signIn,
  signUp,
  startSite,
  type TestSite,
} from "./harness.ts";

const ADA = "ada@example.com";
const EVE = "eve@example.com";
const KEYS = "/servers/notes/keys";
const CONNECT = `${KEYS}/NOTES_TOKEN/connect`;

async function prepare(dataDir: string, service: TokenService): Promise<void> {
  const database = await openDatabase({ dataDir, log: silentLog });
  const registry = testRegistry(database, {
    fetchRepository: () => repositoryOf("https://github.com/acme/notes"),
  });
  const configuration = [{
    name: "NOTES_TOKEN",
    required: true,
    hosts: ["api.notes.example"],
    oauth: { service: "Notes", issuer: service.url, scopes: ["read"] },
  }];
  await createServer(registry, callerOf("owner"), serverInput("notes", { configuration }), context);
  await database.close();
}

async function withSite(
  body: (site: TestSite, service: TokenService) => Promise<void>,
): Promise<void> {
  const dataDir = await prepareDataDir();
  const service = startTokenService();
  await prepare(dataDir, service);
  const site = await startSite({
    dataDir,
    environment: {
      SECRETS_KEY: new Uint8Array(32).fill(7).toBase64(),
      EGRESS_ALLOW: service.host,
      CONNECTION_CLIENTS: JSON.stringify([{
        issuer: service.url,
        client_id: "berth-client",
        client_secret: "client-secret-0123",
        hosts: ["api.notes.example"],
      }]),
    },
  });
  try {
    await body(site, service);
  } finally {
    await site.close();
    await service.close();
    await Deno.remove(dataDir, { recursive: true });
  }
}

/** Agrees, and returns where the page leads to. */
async function agree(person: Person): Promise<string> {
  const page = await person.load(CONNECT);
  assertEquals(page.status, 200, page.html);
  const going = await person.send(page, "/connect");
  const refresh = going.headers.get("refresh") ?? "";
  assert(refresh.startsWith("0; url="), going.html);
  return refresh.slice("0; url=".length);
}

async function connect(person: Person, service: TokenService): Promise<Loaded> {
  return await person.load((await service.signIn(await agree(person))).href);
}

Deno.test("web: a user connects a service, sees it, and disconnects, without scripts", async (t) => {
  await withSite(async (site, service) => {
    await signUp(site, ADA);
    const ada = personAt(site);

    await t.step("a visitor is led to the sign-in first", async () => {
      const page = await ada.load(CONNECT);
      assertStringIncludes(page.url.pathname, "/oidc/");
      assertStringIncludes((await ada.load(KEYS)).html, "Sign in to keep values and connect");
      await signIn(ada, ADA);
    });

    await t.step("what they agree to is shown before", async () => {
      const { html } = await ada.load(CONNECT);
      for (const said of ["owner", service.host, "Notes", "read", "api.notes.example"]) {
        assertStringIncludes(html, said);
      }
      assertStringIncludes((await ada.load(KEYS)).html, "not connected");
    });

    await t.step("they come back connected", async () => {
      const back = await connect(ada, service);
      assertEquals([back.status, back.url.pathname], [200, KEYS]);
      assertStringIncludes(back.html, "connected");
      assertStringIncludes(back.html, "renewed by itself");
      const profile = await ada.load("/profile/keys");
      assertStringIncludes(profile.html, "connected to");
      for (const token of service.tokens) {
        assert(![back.html, profile.html, JSON.stringify(site.lines)].join().includes(token));
      }
    });

    await t.step("they disconnect", async () => {
      const page = await ada.load(KEYS);
      const after = await ada.send(page, "/remove");
      assertStringIncludes(after.html, "not connected");
    });
  });
});

Deno.test("web: forged ways back connect nothing", async (t) => {
  await withSite(async (site, service) => {
    for (const email of [ADA, EVE]) await signUp(site, email);
    const [ada, eve] = [personAt(site), personAt(site)];
    await signIn(ada, ADA);
    await signIn(eve, EVE);
    const keysOf = async (person: Person) => (await person.load(KEYS)).html;
    const id = serviceId({ issuer: service.url });
    const refused = async (person: Person, address: string, status = 400) => {
      const page = await person.load(address);
      assertEquals([page.status, page.url.origin], [status, site.url], page.html);
      assertStringIncludes(page.html, "Not connected");
    };

    await t.step(
      "the answer of another browser is refused: nobody gets another's account",
      async () => {
        const back = await service.signIn(await agree(eve));
        await refused(ada, back.href);
        assertStringIncludes(await keysOf(ada), "not connected");
      },
    );

    await t.step("a cookie that was carried over is of no use to another user", async () => {
      const back = await service.signIn(await agree(eve));
      const cookie = eve.setCookies.findLast((one) => one.startsWith("berth_web_connect_"))!;
      const session = ada.cookies();
      const page = await fetch(back, {
        redirect: "manual",
        headers: { cookie: `${session}; ${cookie.split(";")[0]}`, accept: "text/html" },
      });
      assertEquals(page.status, 400);
      await page.body?.cancel();
      assertStringIncludes(await keysOf(ada), "not connected");
    });

    await t.step("an answer at the address of another service is refused", async () => {
      const back = await service.signIn(await agree(ada));
      back.pathname = back.pathname.replace(id, "0".repeat(20));
      await refused(ada, back.href);
      assertStringIncludes(await keysOf(ada), "not connected");
    });

    await t.step(
      "answers without state, with a foreign one, or with an error are refused",
      async () => {
        const base = `${site.url}/connections/return/${id}`;
        await refused(ada, base);
        await refused(ada, `${base}?state=${"x".repeat(43)}&code=abc`);
        const back = await service.signIn(await agree(ada));
        back.searchParams.delete("code");
        back.searchParams.set("error", "access_denied");
        await refused(ada, back.href);
      },
    );

    await t.step("a form of another site begins nothing", async () => {
      const forged = await fetch(`${site.url}${CONNECT}`, {
        method: "POST",
        redirect: "manual",
        headers: {
          "cookie": ada.cookies(),
          "content-type": "application/x-www-form-urlencoded",
          "origin": "https://evil.example",
        },
        body: "terms=x",
      });
      assertEquals(forged.status, 403);
      await forged.body?.cancel();
    });

    await t.step("agreement to other terms than those that were shown begins nothing", async () => {
      const page = await ada.load(CONNECT);
      const changed = await ada.send(page, "/connect", { terms: "older" });
      assertEquals(changed.status, 409);
      assertStringIncludes(changed.html, "Look again");
    });

    await t.step("a changed cookie leads nowhere else", async () => {
      const back = await service.signIn(await agree(ada));
      const cookie = ada.setCookies.findLast((one) => one.startsWith("berth_web_connect_"))!;
      const [name, value] = cookie.split(";")[0]!.split("=") as [string, string];
      const note = new TextEncoder().encode("//evil.example/servers/a/keys/A/connect")
        .toBase64({ alphabet: "base64url", omitPadding: true });
      back.searchParams.delete("code");
      const page = await fetch(back, {
        redirect: "manual",
        headers: {
          cookie: `${ada.cookies()}; ${name}=${value.split(".")[0]}.${note}`,
          accept: "text/html",
        },
      });
      const html = await page.text();
      assertEquals(page.status, 400);
      assert(!html.includes("evil.example"));
    });
  });
});
