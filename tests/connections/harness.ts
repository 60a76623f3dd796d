/**
 * Connections over a real database and a service on loopback.
 *
 * @module
 */
import { beginConnection } from "../../src/connections/begin.ts";
import type { ConnectionsDeps } from "../../src/connections/deps.ts";
import { finishConnection } from "../../src/connections/finish.ts";
import { createFindMetadata } from "../../src/connections/metadata.ts";
import { createAskService } from "../../src/connections/request.ts";
import type { Database } from "../../src/database/open.ts";
import { parseEgressPolicy } from "../../src/egress/policy.ts";
import type { Caller } from "../../src/identity/caller.ts";
import { createKeyRing } from "../../src/keys/key_ring.ts";
import { findTermsDigest } from "../../src/keys/shown_terms.ts";
import { createAttempts } from "../../src/limits/attempts.ts";
import { challengeOf, newBegun } from "../../src/web/session/begun.ts";
import { createLogger } from "../../src/log.ts";
import { UpdateServer } from "../../src/registry/schema.ts";
import { createServer } from "../../src/registry/servers/create.ts";
import { updateServer } from "../../src/registry/servers/update.ts";
import {
  admin,
  alice,
  bob,
  carol,
  context,
  repositoryOf,
  serverInput,
  testRegistry,
} from "../helpers/registry.ts";
import type { TokenService } from "../helpers/token_service.ts";

/** The server that everything is about, and its variable. */
export const SERVER = "notes";
export const VARIABLE = "NOTES_TOKEN";
export const PUBLIC_URL = "http://berth.test";

/** Where tests keep their connections. */
export interface ConnectionsWorld {
  deps: ConnectionsDeps;
  /** What the operator's log has. */
  lines: string[];
  /** Changes the declaration of the variable. */
  declare(oauth: Record<string, unknown> | null, more?: Record<string, unknown>): Promise<void>;
  /** Later from now on by this many seconds. */
  wait(seconds: number): void;
}

/** What a service and its client are, for the operator's setting. */
export function operatorClientOf(service: string) {
  return {
    service,
    clientId: "berth-client",
    clientSecret: "client-secret-0123",
    hosts: ["*"],
    scopes: null,
  };
}

/** A world with the server of alice, which declares nothing yet. */
export async function connectionsWorld(
  database: Database,
  allow: readonly string[],
): Promise<ConnectionsWorld> {
  const { sql } = database;
  const registry = testRegistry(database, {
    fetchRepository: () => repositoryOf("https://github.com/acme/notes"),
  });
  for (const { userId, username } of [alice, bob, carol, admin]) {
    await sql`
      insert into users (subject, username, created_at) values (${userId}, ${username}, now())
      on conflict do nothing`;
  }
  await createServer(registry, alice, serverInput(SERVER), context);
  const lines: string[] = [];
  let offset = 0;
  const policy = parseEgressPolicy([...allow], ["*"]);
  const resolve = () => Promise.resolve(["10.0.0.1"]);
  const ask = createAskService({
    policy,
    own: { endpoints: [], interfaces: [], resolve },
    resolve,
  });
  const deps: ConnectionsDeps = {
    sql,
    now: () => new Date(Date.now() + offset),
    ring: await createKeyRing({ keys: [new Uint8Array(32).fill(1)], lost: [] }),
    log: createLogger({ level: "debug", format: "json", write: (line) => lines.push(line) }),
    ask,
    metadata: createFindMetadata(ask, () => performance.now() + offset),
    attempts: createAttempts(sql),
    operatorClients: [],
    publicUrl: PUBLIC_URL,
    sleep: (ms) => new Promise((done) => setTimeout(done, Math.min(ms, 20))),
  };
  return {
    deps,
    lines,
    wait(seconds) {
      offset += seconds * 1000;
    },
    async declare(oauth, more = {}) {
      const variable = { name: VARIABLE, required: true, hosts: ["api.notes.example"], ...more };
      const input = { configuration: [{ ...variable, ...(oauth === null ? {} : { oauth }) }] };
      await updateServer(registry, alice, SERVER, UpdateServer.parse(input), context);
    },
  };
}

/** A sign-in that has begun: what the browser remembers, and where it is sent. */
export async function begin(deps: ConnectionsDeps, caller: Caller) {
  const shown = await findTermsDigest(deps, null, SERVER);
  const begun = newBegun();
  const address = await beginConnection(
    deps,
    caller,
    { server: SERVER, variable: VARIABLE, shown },
    { state: begun.state, challenge: await challengeOf(begun.verifier) },
  );
  return { ...begun, address };
}

/** Brings the answer at `back` to Berth, as the browser of `caller` that began it. */
export async function finish(
  deps: ConnectionsDeps,
  caller: Caller,
  { state, verifier }: { state: string; verifier: string },
  back: URL,
) {
  const service = back.pathname.split("/").at(-1)!;
  const answer = { service, state, verifier, parameters: back.searchParams };
  return await finishConnection(deps, caller, answer, context);
}

/** The whole way, as a user goes it who agrees to everything. */
export async function connectTo(
  deps: ConnectionsDeps,
  service: TokenService,
  caller: Caller,
): Promise<void> {
  const begun = await begin(deps, caller);
  await finish(deps, caller, begun, await service.signIn(begun.address));
}
