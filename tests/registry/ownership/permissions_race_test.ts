import { assert, assertEquals } from "@std/assert";
import { AppError } from "../../../src/errors.ts";
import { userOf } from "../../../src/names/users.ts";
import { createServer } from "../../../src/registry/servers/create.ts";
import {
  answerInvitation,
  inviteOwner,
  removeOwner,
} from "../../../src/registry/ownership/owners.ts";
import { removeServer } from "../../../src/registry/servers/remove.ts";
import { acceptOffer, cancelOffer, offerServer } from "../../../src/registry/ownership/transfer.ts";
import { updateServer } from "../../../src/registry/servers/update.ts";
import { describeDatabases } from "../../helpers/database.ts";
import { callerOf, serverInput, type TestRegistry, testRegistry } from "../../helpers/registry.ts";

const PEOPLE = ["alice", "bob", "carol", "dave"].map((name) => callerOf(name));
const SERVERS = ["one", "two", "three"];
const AUTHORS = ["acme", "globex", "initech"];
const WORKERS = 8;
const ROUNDS = 60;
/** What a request may be told when others were faster, or it was not theirs to make. */
const REFUSALS = ["forbidden", "not_found", "conflict", "invalid_request", "rate_limited"];

function pick<T>(from: readonly T[]): T {
  return from[Math.floor(Math.random() * from.length)]!;
}

/** What somebody does to something. Each use picks anew. */
function operations(deps: TestRegistry): (() => Promise<unknown>)[] {
  const context = { requestId: "req-9" };
  function update(change: Record<string, unknown>) {
    return updateServer(
      deps,
      pick(PEOPLE),
      pick(SERVERS),
      { author: pick(AUTHORS), ...change },
      context,
    );
  }
  return [
    () => {
      const input = serverInput(pick(SERVERS), { author: pick(AUTHORS) });
      return createServer(deps, pick(PEOPLE), input, context);
    },
    () => update({ description: crypto.randomUUID() }),
    () => update({ version: `1.0.${Math.floor(Math.random() * 1000)}` }),
    () => removeServer(deps, pick(PEOPLE), pick(SERVERS), context),
    () => offerServer(deps, pick(PEOPLE), pick(SERVERS), { to: pick(PEOPLE).username }, context),
    () => acceptOffer(deps, pick(PEOPLE), pick(SERVERS), context),
    () => cancelOffer(deps, pick(PEOPLE), pick(SERVERS), context),
    () => inviteOwner(deps, pick(PEOPLE), pick(AUTHORS), pick(PEOPLE).username, context),
    () => answerInvitation(deps, pick(PEOPLE), pick(AUTHORS), "accept", context),
    () => removeOwner(deps, pick(PEOPLE), pick(AUTHORS), pick(PEOPLE).username, context),
  ];
}

async function work(all: (() => Promise<unknown>)[]): Promise<void> {
  for (let round = 0; round < ROUNDS; round++) {
    try {
      await pick(all)();
    } catch (error) {
      // A deadlock, say, is none of them.
      assert(error instanceof AppError && REFUSALS.includes(error.code), String(error));
    }
  }
}

describeDatabases((kind, open) => {
  Deno.test(`whatever happens at once, owners of servers own their author names (${kind})`, async () => {
    const database = await open();
    const deps = testRegistry(database);
    try {
      for (const { userId, username } of PEOPLE) {
        await userOf(deps, userId, `${username}@example.com`);
      }
      const all = operations(deps);
      await Promise.all(Array.from({ length: WORKERS }, () => work(all)));
      const strangers = await deps.sql`
        select name, owner, author from servers s where not exists (
          select 1 from namespace_owners o
          where o.author_key = s.author_key and o.owner = s.owner)`;
      assertEquals([...strangers], []);
      const unowned = await deps.sql`
        select author_key from author_namespaces n where not exists (
          select 1 from namespace_owners o where o.author_key = n.author_key)`;
      assertEquals([...unowned], []);
    } finally {
      await deps.jobs.close();
      await database.close();
    }
  });
});
