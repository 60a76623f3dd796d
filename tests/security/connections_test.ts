/**
 * Attacks on sign-ins at other services: by who runs a server, a service, or another browser. Each must
 * fail, and no code, token or secret must go where it does not belong.
 */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { createFindMetadata } from "../../src/connections/metadata.ts";
import { storeClient } from "../../src/connections/owner_clients.ts";
import { currentToken } from "../../src/connections/renew.ts";
import { createAskService } from "../../src/connections/request.ts";
import { parseEgressPolicy } from "../../src/egress/policy.ts";
import { listServerKeys } from "../../src/keys/list.ts";
import { serviceId } from "../../src/keys/services.ts";
import {
  begin,
  connectionsWorld,
  connectTo,
  finish,
  operatorClientOf,
  SERVER,
  VARIABLE,
} from "../connections/harness.ts";
import { openTestDatabase } from "../helpers/database.ts";
import { alice, bob, carol, context, refusal } from "../helpers/registry.ts";
import { startTokenService, type TokenServiceOptions } from "../helpers/token_service.ts";

const at = { server: SERVER, variable: VARIABLE };
const client = { client_id: "berth-client", client_secret: "client-secret-0123" };

/** A world with an honest service, at which the server's owner has a client. */
async function honestWorld(options: TokenServiceOptions = {}, allow: string[] = []) {
  const database = await openTestDatabase();
  const service = startTokenService(options);
  const world = await connectionsWorld(database, [service.host, ...allow]);
  await world.declare({ issuer: service.url, scopes: ["read"] });
  await storeClient(world.deps, alice, at, client, context);
  return {
    ...world,
    service,
    codes: () => service.requests.filter(({ path }) => path === "/token").length,
    async isConnected(caller = bob) {
      return (await listServerKeys(world.deps, caller, SERVER)).length > 0;
    },
    async [Symbol.asyncDispose]() {
      await service.close();
      await database.close();
    },
  };
}

Deno.test("an answer is good for the user who began, once, for ten minutes", async (t) => {
  await using world = await honestWorld();
  const { deps, service, codes, isConnected, wait } = world;

  await t.step("another user who is given its link connects nothing", async () => {
    const begun = await begin(deps, bob);
    const back = await service.signIn(begun.address);
    await refusal(() => finish(deps, carol, begun, back), "conflict");
    assert(!await isConnected(carol) && !await isConnected(bob));
    // The attempt is spent, so that nobody goes on guessing.
    await refusal(() => finish(deps, bob, begun, back), "conflict");
    assertEquals(codes(), 0);
  });

  await t.step("a second use of the same answer is refused", async () => {
    const begun = await begin(deps, bob);
    const back = await service.signIn(begun.address);
    await finish(deps, bob, begun, back);
    const sent = codes();
    await refusal(() => finish(deps, bob, begun, back), "conflict");
    assertEquals(codes(), sent);
  });

  await t.step("a late answer is refused", async () => {
    const begun = await begin(deps, bob);
    const back = await service.signIn(begun.address);
    wait(601);
    const sent = codes();
    await refusal(() => finish(deps, bob, begun, back), "conflict");
    assertEquals(codes(), sent);
  });

  await t.step("a state that nobody was given is refused", async () => {
    const begun = await begin(deps, bob);
    const back = await service.signIn(begun.address);
    await refusal(() => finish(deps, bob, { ...begun, state: "x".repeat(43) }, back), "conflict");
  });
});

Deno.test("a code that an attacker puts into the answer of another is worth nothing", async () => {
  await using world = await honestWorld();
  const { deps, service, isConnected } = world;
  const attacker = await begin(deps, carol);
  const stolen = (await service.signIn(attacker.address)).searchParams.get("code")!;
  const victim = await begin(deps, bob);
  const back = await service.signIn(victim.address);
  back.searchParams.set("code", stolen);
  const refused = await refusal(() => finish(deps, bob, victim, back), "conflict");
  assertStringIncludes(refused.message, "invalid_grant");
  assert(!await isConnected());
});

Deno.test("a hostile service that sends users on to an honest one gets no code of it", async (t) => {
  await using world = await honestWorld();
  const { service, declare, isConnected } = world;
  const hostile = startTokenService();
  try {
    const wide = connectionsAt(world, hostile.host);
    await declare({ issuer: hostile.url, scopes: ["read"] });
    await storeClient(wide, alice, at, client, context);
    const begun = await begin(wide, bob);

    await t.step("its answer comes to the address of the honest one", async () => {
      // The hostile page: to the honest service, with Berth's client there and the state of here.
      const onward = new URL(begun.address);
      onward.host = service.host;
      const honestId = serviceId({ issuer: service.url });
      onward.searchParams.set("redirect_uri", `http://berth.test/connections/return/${honestId}`);
      const back = await service.signIn(onward.href);
      const refused = await refusal(() => finish(wide, bob, begun, back), "conflict");
      assertStringIncludes(refused.message, "another service");
      assertEquals(hostile.requests.filter(({ path }) => path === "/token"), []);
      assert(!await isConnected());
    });

    await t.step("its metadata may not name the sign-in page of the honest one", async () => {
      hostile.options.metadata = (all) => ({
        ...all,
        authorization_endpoint: `${service.url}/authorize`,
      });
      const fresh = connectionsAt(world, hostile.host);
      const refused = await refusal(() => begin(fresh, bob), "conflict");
      assertStringIncludes(refused.message, "another host");
      hostile.options.metadata = (all) => ({ ...all, issuer: service.url });
      const other = connectionsAt(world, hostile.host);
      assertStringIncludes(
        (await refusal(() => begin(other, bob), "conflict")).message,
        "another issuer",
      );
    });
  } finally {
    await hostile.close();
  }
});

Deno.test("metadata that somebody uploads to a service takes no code of its users elsewhere", async () => {
  const hostile = startTokenService();
  await using world = await honestWorld({}, [hostile.host]);
  const { service, deps, declare } = world;
  const issuer = `${service.url}/mallory/files/raw`;
  service.options.answer = (_, path) =>
    path === "/mallory/files/raw/.well-known/openid-configuration"
      ? Response.json({
        issuer,
        authorization_endpoint: `${service.url}/authorize`,
        token_endpoint: `${hostile.url}/token`,
      })
      : path.startsWith("/.well-known/")
      ? new Response(null, { status: 404 })
      : null;
  try {
    await declare({ issuer, client_id: "client-of-mallory" });
    const refused = await refusal(() => begin(deps, bob), "conflict");
    assertStringIncludes(refused.message, "another host in a folder");
    assertEquals(hostile.requests, []);
  } finally {
    await hostile.close();
  }
});

/** The same world, whose operator allows one more address. */
function connectionsAt(world: Awaited<ReturnType<typeof honestWorld>>, host: string) {
  const resolve = () => Promise.resolve([]);
  const ask = createAskService({
    policy: parseEgressPolicy([world.service.host, host], ["*"]),
    own: { endpoints: [], interfaces: [], resolve },
    resolve,
  });
  return { ...world.deps, ask, metadata: createFindMetadata(ask) };
}

Deno.test("the answer of a service that names itself must name it", async () => {
  await using world = await honestWorld({ namesItself: true });
  const { deps, service, isConnected } = world;
  for (const change of ["remove", "replace", "twice"]) {
    const begun = await begin(deps, bob);
    const back = await service.signIn(begun.address);
    if (change === "remove") back.searchParams.delete("iss");
    if (change === "replace") back.searchParams.set("iss", "https://evil.example");
    if (change === "twice") back.searchParams.append("iss", "https://evil.example");
    await refusal(() => finish(deps, bob, begun, back), "conflict");
  }
  assert(!await isConnected());
  await connectTo(deps, service, bob);
  assert(await isConnected());
});

Deno.test("a service without PKCE is not used", async () => {
  await using world = await honestWorld({
    metadata: (all) => ({ ...all, code_challenge_methods_supported: ["plain"] }),
  });
  const refused = await refusal(() => begin(world.deps, bob), "conflict");
  assertStringIncludes(refused.message, "PKCE");
});

Deno.test("addresses of a service lead nowhere inside", async (t) => {
  const inner = startTokenService();
  const innerDatabase = await openTestDatabase();
  try {
    await t.step("an issuer on a loopback or private address is not asked", async () => {
      const { deps, declare } = await connectionsWorld(innerDatabase, []);
      for (
        const issuer of [
          inner.url,
          "https://10.0.0.1",
          "https://169.254.169.254",
          "https://[::1]:8443",
          "https://resolves-inside.example",
        ]
      ) {
        await declare({ issuer });
        const error = await refusal(() => begin(deps, bob), "unavailable");
        // Which inner addresses answer is nobody's business.
        assert(!/refused|cannot connect|public internet/i.test(error.message), error.message);
      }
      assertEquals(inner.requests, []);
    });

    await t.step("a redirect of metadata or of the token endpoint is not followed", async () => {
      await using world = await honestWorld({
        answer: (_, path) =>
          path === "/token"
            ? new Response(null, { status: 307, headers: { location: `${inner.url}/token` } })
            : null,
      });
      const { deps, service } = world;
      const begun = await begin(deps, bob);
      const back = await service.signIn(begun.address);
      await refusal(() => finish(deps, bob, begun, back), "unavailable");
      assertEquals(inner.requests, []);
    });

    await t.step("endpoints that metadata names inside are not asked", async () => {
      await using world = await honestWorld({
        metadata: (all) => ({ ...all, token_endpoint: `${inner.url}/token` }),
      });
      const { deps, service } = world;
      const begun = await begin(deps, bob);
      const back = await service.signIn(begun.address);
      await refusal(() => finish(deps, bob, begun, back), "unavailable");
      assertEquals(inner.requests, []);
    });
  } finally {
    await inner.close();
    await innerDatabase.close();
  }
});

Deno.test("what a service answers is bounded, and no token with line ends is kept", async () => {
  await using world = await honestWorld();
  const { deps, service, isConnected } = world;
  const bodies: (BodyInit | null)[] = [
    "x".repeat(200_000),
    JSON.stringify({ access_token: "tok\r\nX-Injected: yes-0123456789", token_type: "Bearer" }),
    JSON.stringify({ access_token: "short", token_type: "Bearer" }),
    JSON.stringify({ access_token: "t".repeat(10_000), token_type: "Bearer" }),
    JSON.stringify({ access_token: "tok_0123456789abcdef", token_type: "mac" }),
    "[".repeat(60_000),
    null,
  ];
  for (const body of bodies) {
    service.options.answer = (_, path) => path === "/token" ? new Response(body) : null;
    const begun = await begin(deps, bob);
    await refusal(async () => {
      await finish(deps, bob, begun, await service.signIn(begun.address));
    }, "unavailable");
  }
  assert(!await isConnected());
});

Deno.test("a server that changes while its user signs in gets nothing", async () => {
  await using world = await honestWorld();
  const { deps, service, declare, isConnected } = world;
  const issuer = service.url;
  const changes = [
    () => declare({ issuer, scopes: ["read"] }, { hosts: ["api.notes.example", "evil.example"] }),
    () => declare({ issuer, scopes: ["read", "admin"] }),
    async () => {
      await deps.sql`update servers set owner = ${carol.userId} where name = ${SERVER}`;
    },
  ];
  for (const change of changes) {
    await declare({ issuer, scopes: ["read"] });
    const begun = await begin(deps, bob);
    const back = await service.signIn(begun.address);
    await change();
    const refused = await refusal(() => finish(deps, bob, begun, back), "conflict");
    assertStringIncludes(refused.message, "has changed");
  }
  assert(!await isConnected());
});

Deno.test("a new owner, or other endpoints, do not get the secret of the former owner's client", async () => {
  await using world = await honestWorld();
  const { declare } = world;
  const evil = startTokenService();
  try {
    const wide = connectionsAt(world, evil.host);
    await declare({ issuer: evil.url, scopes: ["read"] });
    await refusal(() => begin(wide, bob), "conflict");
    await declare({ issuer: world.service.url, scopes: ["read"] });
    await begin(wide, bob);
    await wide.sql`update servers set owner = ${carol.userId} where name = ${SERVER}`;
    await refusal(() => begin(wide, bob), "conflict");
    assert(!JSON.stringify(evil.requests).includes(client.client_secret));
  } finally {
    await evil.close();
  }
});

Deno.test("a declared service cannot borrow the operator's client with a token endpoint of its own", async () => {
  await using world = await honestWorld();
  const { deps, declare, service } = world;
  const honest = { authorization_endpoint: `${service.url}/authorize` };
  const mine = operatorClientOf(
    serviceId({ ...honest, token_endpoint: `${service.url}/token` }),
  );
  deps.operatorClients = [{ ...mine, hosts: ["api.notes.example"] }];
  await declare({ ...honest, token_endpoint: `${service.url}/elsewhere`, scopes: ["read"] });
  await refusal(() => begin(deps, bob), "conflict");
});

Deno.test("a stolen row opens for no other user, server or variable", async () => {
  await using world = await honestWorld();
  const { deps, service } = world;
  await connectTo(deps, service, bob);
  await deps.sql`
    insert into kept_values (server, subject, name, key_id, wrapped, sealed, terms, connection, set_at)
    select server, ${carol.userId}, name, key_id, wrapped, sealed, terms, connection, set_at
    from kept_values`;
  const place = { server: SERVER, name: VARIABLE };
  assertEquals((await currentToken(deps, { ...place, subject: bob.userId })).kind, "token");
  assertEquals((await currentToken(deps, { ...place, subject: carol.userId })).kind, "gone");
});

Deno.test("a refresh token is used once, by one of two nodes", async () => {
  await using world = await honestWorld();
  const { deps, service, wait } = world;
  await connectTo(deps, service, bob);
  wait(3700);
  const place = { server: SERVER, subject: bob.userId, name: VARIABLE };
  const nodes = [deps, { ...deps }];
  const tokens = await Promise.all(nodes.map((node) => currentToken(node, place)));
  assertEquals(tokens[0], tokens[1]);
  const refreshed = service.requests
    .filter(({ form }) => form["grant_type"] === "refresh_token");
  assertEquals(refreshed.length, 1);
});

Deno.test("many sign-ins at other services are refused: each sends requests to a stranger's address", async () => {
  await using world = await honestWorld();
  for (let round = 0; round < 30; round++) await begin(world.deps, bob);
  await refusal(() => begin(world.deps, bob), "rate_limited");
  await begin(world.deps, carol);
});
