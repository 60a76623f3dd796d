import { assert, assertEquals, assertNotEquals, assertStringIncludes } from "@std/assert";
import { tellEndings } from "../../src/connections/endings.ts";
import { removeClient, showClient, storeClient } from "../../src/connections/owner_clients.ts";
import { currentToken } from "../../src/connections/renew.ts";
import { keepValue } from "../../src/keys/keep.ts";
import { createKeyRing } from "../../src/keys/key_ring.ts";
import { listServerKeys } from "../../src/keys/list.ts";
import { removeValues } from "../../src/keys/remove.ts";
import { serviceId } from "../../src/keys/services.ts";
import { keptValues } from "../../src/keys/session_values.ts";
import { settleKeys } from "../../src/keys/start.ts";
import { describeDatabases } from "../helpers/database.ts";
import { alice, bob, carol, context, refusal } from "../helpers/registry.ts";
import { startTokenService } from "../helpers/token_service.ts";
import {
  begin,
  connectionsWorld,
  connectTo,
  finish,
  operatorClientOf,
  PUBLIC_URL,
  SERVER,
  VARIABLE,
} from "./harness.ts";

const client = { client_id: "berth-client", client_secret: "client-secret-0123" };
const at = { server: SERVER, variable: VARIABLE };
const place = { server: SERVER, subject: bob.userId, name: VARIABLE };

describeDatabases((kind, open) => {
  Deno.test(`connections on ${kind}`, async (t) => {
    const database = await open();
    const service = startTokenService();
    const { deps, lines, declare, wait } = await connectionsWorld(database, [service.host]);
    const { sql } = deps;
    const oauth = { service: "Notes", issuer: service.url, scopes: ["read", "write"] };
    const stateOf = async () => (await listServerKeys(deps, bob, SERVER))[0]?.state ?? null;
    const tokenNow = async () => {
      const now = await currentToken(deps, place);
      return now.kind === "token" ? now.token : now.kind;
    };
    try {
      await declare(oauth);

      await t.step("need a client, which the server's owner stores", async () => {
        const none = await refusal(() => begin(deps, bob), "conflict");
        assertStringIncludes(none.message, "not registered at Notes");
        await refusal(() => storeClient(deps, bob, at, client, context), "forbidden");
        await storeClient(deps, alice, at, client, context);
        const shown = await showClient(deps, alice, at);
        assertEquals(shown.redirect_uri, `${PUBLIC_URL}/connections/return/${serviceId(oauth)}`);
        assert(shown.stored && !JSON.stringify(shown).includes(client.client_secret));
      });

      await t.step("are made with PKCE, state and one exact address to return to", async () => {
        const begun = await begin(deps, bob);
        const url = new URL(begun.address);
        assertEquals(Object.fromEntries(url.searchParams), {
          scope: "read write",
          response_type: "code",
          code_challenge_method: "S256",
          client_id: "berth-client",
          redirect_uri: `${PUBLIC_URL}/connections/return/${serviceId(oauth)}`,
          state: begun.state,
          code_challenge: url.searchParams.get("code_challenge")!,
        });
        const done = await finish(deps, bob, begun, await service.signIn(begun.address));
        assertEquals(done, at);
        const [key] = await listServerKeys(deps, bob, SERVER);
        assertEquals([key!.state, key!.delivery, key!.connection?.service], [
          "ready",
          "placeholder",
          "Notes",
        ]);
        assertEquals(key!.connection?.scopes, ["read", "write"]);
        assert(key!.connection!.renews);
      });

      await t.step("give their token to sessions of their user alone", async () => {
        const [value] = await keptValues(deps, SERVER, bob.userId);
        assert(value?.state === "ready" && value.isConnection);
        assert(service.tokens.has(value.value));
        assertEquals(value.hosts, ["api.notes.example"]);
        assertEquals(await keptValues(deps, SERVER, carol.userId), []);
      });

      await t.step("are shown to nobody", async () => {
        const rows = [
          await sql`select encode(sealed, 'escape') sealed, connection, terms from kept_values`,
          await sql`select encode(sealed, 'escape') sealed, service from service_clients`,
          await sql`select * from connection_attempts`,
          await sql`select * from audit_log`,
          await listServerKeys(deps, bob, SERVER),
        ];
        const all = JSON.stringify(rows) + lines.join("\n");
        for (const secret of [...service.tokens, client.client_secret, "ref_"]) {
          assert(!all.includes(secret));
        }
        assertStringIncludes(all, "keys.connect");
      });

      await t.step("are renewed before they run out, once for all who ask at once", async () => {
        const before = await tokenNow();
        wait(3600 - 30);
        service.requests.length = 0;
        const all = await Promise.all(Array.from({ length: 8 }, tokenNow));
        const asked = service.requests.filter(({ path }) => path === "/token");
        assertEquals(asked.length, 1);
        assert(all.every((one) => service.tokens.has(one)));
        const after = await tokenNow();
        assertNotEquals(after, before);
        assert(service.tokens.has(after));
      });

      await t.step("wait for whoever renews, where the token has run out", async () => {
        wait(3600 + 30);
        service.requests.length = 0;
        const all = await Promise.all(Array.from({ length: 8 }, tokenNow));
        assertEquals(new Set(all).size, 1);
        assert(service.tokens.has(all[0]!));
        assertEquals(service.requests.filter(({ path }) => path === "/token").length, 1);
      });

      await t.step("go on while their service is away, as long as the token holds", async () => {
        const before = await tokenNow();
        service.options.answer = (_, path) =>
          path === "/token" ? new Response("later", { status: 503 }) : null;
        wait(3600 - 30);
        assertEquals(await tokenNow(), before);
        wait(60);
        assertEquals(await tokenNow(), "away");
        assertEquals(await stateOf(), "ready");
        delete service.options.answer;
        wait(10);
        assert(service.tokens.has(await tokenNow()));
      });

      await t.step("move to a new key of the operator, with the clients", async () => {
        const keys = [new Uint8Array(32).fill(2), new Uint8Array(32).fill(1)];
        const ring = (await createKeyRing({ keys, lost: [] }))!;
        const settled = await settleKeys(sql, ring, deps.now());
        assert(settled.kind === "settled" && settled.moved === 2);
        deps.ring = (await createKeyRing({ keys: [keys[0]!], lost: [] }))!;
        assert(service.tokens.has(await tokenNow()));
        wait(3600);
        assert(service.tokens.has(await tokenNow()));
      });

      await t.step("wait for another sign-in when the server asks for more", async () => {
        await declare({ ...oauth, scopes: ["read", "write", "delete"] });
        assertEquals(await stateOf(), "reconnect");
        assertEquals(await keptValues(deps, SERVER, bob.userId), [
          { state: "reconnect", name: VARIABLE },
        ]);
        await declare({ ...oauth, scopes: ["read"] });
        assertEquals(await stateOf(), "ready");
        await declare({ ...oauth, issuer: "https://other.example" });
        assertEquals(await stateOf(), "reconnect");
        await declare(null);
        assertEquals(await stateOf(), "reconnect");
        await declare(oauth, { hosts: ["api.notes.example", "evil.example"] });
        assertEquals(await stateOf(), "changed");
        await declare(oauth);
        await sql`update servers set owner = ${carol.userId} where name = ${SERVER}`;
        assertEquals(await stateOf(), "changed");
        await sql`update servers set owner = ${alice.userId} where name = ${SERVER}`;
        assertEquals(await stateOf(), "ready");
      });

      await t.step("take no value in their place", async () => {
        const value = { value: "a-token-by-hand", for: "me" as const };
        const refused = await refusal(
          () => keepValue(deps, bob, at, value, context),
          "conflict",
        );
        assertStringIncludes(refused.message, "Disconnect it");
      });

      await t.step("end when their service refuses to renew them", async () => {
        service.options.answer = (_, path) =>
          path === "/token" ? Response.json({ error: "invalid_grant" }, { status: 400 }) : null;
        wait(3600);
        assertEquals(await tokenNow(), "gone");
        assertEquals(await stateOf(), "reconnect");
        delete service.options.answer;
        assertEquals(await tokenNow(), "gone");
        await connectTo(deps, service, bob);
        assertEquals(await stateOf(), "ready");
      });

      await t.step("are given back to their service by whoever disconnects", async () => {
        const token = await tokenNow();
        const which = { ...at, for: "me" as const };
        assertEquals(await removeValues(deps, bob, which, context), [VARIABLE]);
        assertEquals(await tokenNow(), "gone");
        wait(1);
        assertEquals(await tellEndings(deps), 1);
        assertEquals(service.revoked.length, 1);
        assert(service.revoked[0]!.startsWith("ref_"), token);
        assertEquals(await tellEndings(deps), 0);
      });

      await t.step(
        "are given back when the account ends, also to a service that is away",
        async () => {
          await connectTo(deps, service, bob);
          service.revoked.length = 0;
          service.options.answer = (_, path) =>
            path === "/revoke" ? new Response(null, { status: 503 }) : null;
          await sql`delete from users where subject = ${bob.userId}`;
          wait(1);
          assertEquals(await tellEndings(deps), 0);
          delete service.options.answer;
          wait(61);
          assertEquals(await tellEndings(deps), 1);
          assertEquals(service.revoked.length, 1);
          assertEquals((await sql`select 1 from connection_endings`).length, 0);
        },
      );

      await t.step("stop with their client, which the owner removes", async () => {
        await removeClient(deps, alice, at, context);
        await refusal(() => removeClient(deps, alice, at, context), "not_found");
        await refusal(() => begin(deps, carol), "conflict");
      });
    } finally {
      await service.close();
      await database.close();
    }
  });

  Deno.test(`clients of connections on ${kind}`, async (t) => {
    const database = await open();
    const service = startTokenService();
    const { deps, declare } = await connectionsWorld(database, [service.host]);
    const oauth = { issuer: service.url, scopes: ["read"] };
    const clientOf = async () =>
      new URL((await begin(deps, bob)).address).searchParams.get("client_id");
    try {
      await t.step("are registered where the service registers them, once", async () => {
        service.options.metadata = (all) => ({
          ...all,
          registration_endpoint: `${service.url}/register`,
        });
        await declare(oauth);
        await connectTo(deps, service, bob);
        const first = await clientOf();
        assert(first!.startsWith("client_"));
        assertEquals(await clientOf(), first);
        assertEquals(service.requests.filter(({ path }) => path === "/register").length, 1);
        delete service.options.metadata;
      });

      await t.step(
        "are the operator's where the server asks for no more than they allow",
        async () => {
          const endpoints = {
            authorization_endpoint: `${service.url}/authorize`,
            token_endpoint: `${service.url}/token`,
            scopes: ["read"],
          };
          const mine = { ...operatorClientOf(serviceId(endpoints)), hosts: ["api.notes.example"] };
          deps.operatorClients = [{ ...mine, scopes: ["read"] }];
          await declare(endpoints);
          assertEquals(await clientOf(), "berth-client");
          await connectTo(deps, service, bob);
          const sent = service.requests.findLast(({ path }) => path === "/token")!;
          assertEquals(sent.form["client_secret"], "client-secret-0123");
          await declare({ ...endpoints, scopes: ["read", "admin"] });
          await refusal(() => begin(deps, bob), "conflict");
          await declare(endpoints, { hosts: ["api.notes.example", "collect.evil.example"] });
          await refusal(() => begin(deps, bob), "conflict");
        },
      );

      await t.step("are documents at services that read them, over https", async () => {
        const secure = { ...deps, publicUrl: "https://berth.example" };
        const reading = {
          ...secure,
          metadata: async (one: Parameters<typeof deps.metadata>[0]) => ({
            ...await deps.metadata(one),
            takes_documents: true,
          }),
        };
        await declare({ issuer: service.url });
        const { address } = await begin(reading, bob);
        assertEquals(
          new URL(address).searchParams.get("client_id"),
          `https://berth.example/connections/clients/${SERVER}/${VARIABLE}`,
        );
      });

      await t.step("are those that the author declares, without a secret", async () => {
        service.options.clients!["public-client"] = null;
        await declare({ issuer: service.url, client_id: "public-client" });
        await connectTo(deps, service, bob);
        const sent = service.requests.findLast(({ path }) => path === "/token")!;
        assertEquals(sent.form["client_id"], "public-client");
        assertEquals([sent.form["client_secret"], sent.authorization], [undefined, null]);
      });
    } finally {
      await service.close();
      await database.close();
    }
  });
});
