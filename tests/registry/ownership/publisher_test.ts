/** Who is a verified publisher: by a file on the default branch, and by nothing else. */
import { assert, assertEquals } from "@std/assert";
import type { Caller } from "../../../src/identity/caller.ts";
import { renameUser } from "../../../src/identity/rename.ts";
import { userOf } from "../../../src/names/users.ts";
import { publisherCodeOf, publishersIn } from "../../../src/registry/ownership/publisher.ts";
import { acceptOffer, offerServer } from "../../../src/registry/ownership/transfer.ts";
import { ListQuery } from "../../../src/registry/schema.ts";
import { createServer } from "../../../src/registry/servers/create.ts";
import { readFront } from "../../../src/registry/servers/front.ts";
import { getServer } from "../../../src/registry/servers/get.ts";
import { listServers } from "../../../src/registry/servers/list.ts";
import { updateServer } from "../../../src/registry/servers/update.ts";
import { PUBLISHER_FILE } from "../../../src/repository/publisher_file.ts";
import { describeDatabases } from "../../helpers/database.ts";
import {
  alice,
  bob,
  context,
  repositoryOf,
  serverInput,
  testRegistry,
} from "../../helpers/registry.ts";

const CODE = "0c6f1c1e-9d1a-4b7e-8a52-2f6f0f3b1a77";
const URL_HERE = "https://github.com/Acme/weather";

function codesIn(text: string | Uint8Array, ref: string | null = null): string[] {
  const bytes = typeof text === "string" ? new TextEncoder().encode(text) : text;
  return publishersIn({ ref, files: new Map([[PUBLISHER_FILE, bytes]]), url: URL_HERE });
}

Deno.test("the file has a code a line, and what else is in it says nothing", () => {
  assertEquals(codesIn(`# ours\r\n  ${CODE}\n${CODE}\n`), [CODE]);
  const wrong = ["", CODE.slice(1), `${CODE}0`, `x ${CODE}`, CODE.toUpperCase(), `${CODE}\0`, "{}"];
  for (const text of wrong) assertEquals(codesIn(text), [], text);
  assertEquals(codesIn(Uint8Array.of(0xff, 0xfe, 0, 0xd8)), []);
  assertEquals(codesIn(`${CODE}\n${" ".repeat(5000)}`), []);
  const many = Array.from({ length: 100 }, (_, n) => `${CODE.slice(0, -2)}${n + 10}`).join("\n");
  assertEquals(codesIn(many).length, 20);
});

Deno.test("a branch, tag or commit that was chosen proves nothing", () => {
  assertEquals(codesIn(CODE, "main"), []);
  assertEquals(codesIn(CODE, "a".repeat(40)), []);
  assertEquals(publishersIn({ ref: null, files: new Map(), url: URL_HERE }), []);
});

Deno.test("a line that is for another repository proves nothing in a copy of it", () => {
  assertEquals(codesIn(`${CODE} github.com/acme/Weather`), [CODE]);
  for (
    const other of ["github.com/acme/weather2", "git.example.com/acme/weather", "acme/weather"]
  ) {
    assertEquals(codesIn(`${CODE} ${other}`), [], other);
  }
});

describeDatabases((kind, open) => {
  Deno.test(`a publisher is verified where the repository names the owner, on ${kind}`, async () => {
    const database = await open();
    let text = "";
    const deps = testRegistry(database, {
      async fetchRepository({ url }) {
        const repository = await repositoryOf(url);
        return {
          ...repository,
          files: new Map([
            ...repository.files,
            [PUBLISHER_FILE, new TextEncoder().encode(text)],
          ]),
        };
      },
    });
    const { sql } = database;
    const codeOf = ({ userId }: Caller) => publisherCodeOf(sql, { server: "weather", userId });
    const isVerified = async () =>
      (await getServer(deps, "weather", null)).server.publisher_verified;
    async function scanAgain(caller: Caller, version: string) {
      await updateServer(deps, caller, "weather", { version }, context);
    }
    try {
      for (const { userId, username } of [alice, bob]) {
        await userOf(deps, userId, `${username}@example.com`);
      }
      await createServer(deps, alice, serverInput("weather"), context);
      assertEquals(await isVerified(), false);
      const code = await codeOf(alice);
      assert(code !== null);
      assertEquals(await codeOf(bob), null);

      text = `${code}\n`;
      await scanAgain(alice, "1.0.1");
      assertEquals(await isVerified(), true);
      const { servers } = await listServers(deps, ListQuery.parse({}), null);
      assertEquals(servers.map((one) => one.publisher_verified), [true]);
      const front = await readFront(sql, null);
      assertEquals(front.created.map((one) => one.publisher_verified), [true]);

      await renameUser(deps, alice, "alicia", context);
      assertEquals(await isVerified(), true);

      // The repository does not name the new owner until it does.
      await offerServer(deps, alice, "weather", { to: "bob" }, context);
      await acceptOffer(deps, bob, "weather", context);
      assertEquals(await isVerified(), false);
      text = `${code}\n${await codeOf(bob)}`;
      await scanAgain(bob, "1.0.2");
      assertEquals(await isVerified(), true);

      text = "";
      await scanAgain(bob, "1.0.3");
      assertEquals(await isVerified(), false);
    } finally {
      await deps.jobs.close();
      await database.close();
    }
  });
});
