/**
 * Nobody passes for somebody else by a name that looks like theirs, and no text hides characters that
 * people do not see.
 */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import type { Database } from "../../src/database/open.ts";
import type { Caller } from "../../src/identity/caller.ts";
import { userOf } from "../../src/names/users.ts";
import { renameUser } from "../../src/identity/rename.ts";
import { CreateToken } from "../../src/identity/api_tokens/schema.ts";
import { checkMetadata } from "../../src/issuer/clients/metadata.ts";
import { firstPartyClients } from "../../src/issuer/first_party.ts";
import { PaymentEvent } from "../../src/payments/schema.ts";
import { createServer } from "../../src/registry/servers/create.ts";
import { fillLooks } from "../../src/names/look_alikes.ts";
import { removeServer } from "../../src/registry/servers/remove.ts";
import { CreateServer, UpdateServer } from "../../src/registry/schema.ts";
import { updateServer } from "../../src/registry/servers/update.ts";
import { looksOf } from "../../src/text/skeleton.ts";
import { describeDatabases } from "../helpers/database.ts";
import { callerOf, refusal, serverInput, testRegistry } from "../helpers/registry.ts";

const HIDDEN: [name: string, character: string][] = [
  ["a zero width space", "\u200b"],
  ["a zero width joiner", "\u200d"],
  ["a zero width non-joiner", "\u200c"],
  ["a word joiner", "\u2060"],
  ["a byte order mark", "\ufeff"],
  ["a soft hyphen", "\u00ad"],
  ["a combining grapheme joiner", "\u034f"],
  ["a Hangul filler", "\u3164"],
  ["a Hangul choseong filler", "\u115f"],
  ["a halfwidth Hangul filler", "\uffa0"],
  ["a Khmer inherent vowel", "\u17b4"],
  ["a Mongolian vowel separator", "\u180e"],
  ["a blank braille pattern", "\u2800"],
  ["a Khitan filler", "\u{16fe4}"],
  ["an Egyptian blank", "\u{13441}"],
  ["a null notehead", "\u{1d159}"],
  ["a variation selector", "\ufe00"],
  ["a late variation selector", "\u{e0100}"],
  ["a tag", "\u{e0061}"],
  ["a right-to-left override", "\u202e"],
  ["a left-to-right isolate", "\u2066"],
  ["a right-to-left mark", "\u200f"],
  ["an Arabic letter mark", "\u061c"],
  ["an invisible times", "\u2062"],
  ["a deprecated format", "\u206b"],
  ["an annotation anchor", "\ufff9"],
  ["an object replacement", "\ufffc"],
  ["a line separator", "\u2028"],
  ["a paragraph separator", "\u2029"],
  ["a private character", "\ue000"],
  ["a late private character", "\u{10fffd}"],
  ["a noncharacter", "\ufdd0"],
  ["another noncharacter", "\u{1fffe}"],
  ["an unassigned character", "\u0378"],
  ["half of a surrogate pair", "\ud800"],
  ["NUL", "\0"],
  ["an escape", "\u001b"],
  ["a delete", "\u007f"],
  ["a C1 control", "\u009b"],
  ["a shorthand format", "\u{1bca0}"],
  ["a musical format", "\u{1d173}"],
];

/** Every place that takes a person's text, each with whether it took it. */
const PLACES: [name: string, takes: (text: string) => boolean][] = [
  ["an author", (text) => takesServer({ author: text })],
  ["a description", (text) => takesServer({ description: text })],
  ["a tool's name", (text) => takesServer({ tools: { names: [text] } })],
  ["an entrypoint", (text) => takesServer({ entrypoint: `${text}.py` })],
  [
    "a repository",
    (text) => takesServer({ repository: { url: `https://github.com/acme/${text}` } }),
  ],
  ["a version", (text) => takesServer({ version: `1.0.0-${text}` })],
  ["a changed author", (text) => UpdateServer.safeParse({ author: text }).success],
  ["a changed description", (text) => UpdateServer.safeParse({ description: text }).success],
  ["a token's name", (text) => CreateToken.safeParse({ name: text }).success],
  ["a client's name", (text) => takesClient(text)],
  ["a payment's reference", (text) =>
    PaymentEvent.safeParse({
      type: "payment.confirmed",
      data: { user_id: "u", server: "s", amount: "1", currency: "USD", reference: text },
    }).success],
];

function takesServer(fields: Record<string, unknown>): boolean {
  return CreateServer.safeParse({ ...serverInput("weather"), ...fields }).success;
}

function takesClient(name: string): boolean {
  const document = { client_name: name, redirect_uris: ["http://127.0.0.1/cb"] };
  return checkMetadata("id", document).kind === "accepted";
}

for (const [place, takes] of PLACES) {
  Deno.test(`${place} has no character that nobody sees`, () => {
    if (place !== "a version") assert(takes("plain"), "plain text");
    for (const [name, character] of HIDDEN) {
      assert(!takes(`ac${character}me`), `${name} in ${place}`);
    }
  });
}

Deno.test("an author's name has no space that is too narrow to be seen, a description may", () => {
  for (const space of "\u2000\u2006\u2009\u200a\u202f\u205f") {
    assert(!takesServer({ author: `Ac${space}me` }), JSON.stringify(space));
    assert(takesServer({ description: `100${space}000 €` }), JSON.stringify(space));
  }
  for (const space of " \u00a0\u3000") assert(takesServer({ author: `Acme${space}Corp` }));
});

Deno.test("who is refused reads which character it was", () => {
  const parsed = CreateServer.safeParse({ ...serverInput("weather"), author: "acme\u200bcorp" });
  assertStringIncludes(parsed.error!.issues[0]!.message, "U+200B");
});

Deno.test("honest texts of many scripts are taken as they are", () => {
  const honest = [
    "Weather ☔ by\ncity,\twith tabs\r\nand lines",
    "Family 👨‍👩‍👧‍👦, heart ❤️, keycap 1️⃣, flag 🇨🇭, Scotland 🏴󠁧󠁢󠁳󠁣󠁴󠁿, tone 👍🏽, pirate 🏴‍☠️, text ☺︎",
    "می‌خواهم", // Persian, with a non-joiner.
    "क्‍ष and ශ්‍රී", // Devanagari and Sinhala, with joiners after a virama.
    "Ça, Ångström, ḍ̣, Việt, Ελληνικά, Русский, עברית, العربية, 日本語, 한국어, ไทย",
    "≤ € ™ ¿ “quotes” – dashes … 1 000",
  ];
  for (const description of honest) {
    assert(takesServer({ description }), description);
    assertEquals(serverInput("weather", { description }).description, description);
  }
  for (
    const author of ["acme", "Jane Doe", "jane@example.com", "Ångström & Söhne", "株式会社", "☕"]
  ) {
    assert(takesServer({ author }), author);
  }
});

Deno.test("what a picture is made of does not hide a text beside it", () => {
  const hidden = [
    "flag \u{1f3f4}\u{e0069}\u{e0067}\u{e006e}\u{e006f}\u{e0072}\u{e0065}\u{e007f}",
    "a\u{fe0f}b",
    "😀\u{e0101}\u{e0102}",
    "x\u200dy",
    "cat\u200c",
    "👍\u200d\u200d👍",
  ];
  for (const description of hidden) {
    assert(!takesServer({ description }), JSON.stringify(description));
  }
});

const LOOK_ALIKES: [owned: string, claimed: string][] = [
  ["acme", "аcme"], // Cyrillic a.
  ["acme", "асmе"],
  ["acme", "АСМЕ"],
  ["acme", "αcme"], // Greek alpha.
  ["acme", "ACMΕ"], // Greek capital epsilon.
  ["acme", "acrne"],
  ["acme", "𝖺𝖼𝗆𝖾"],
  ["acme", "аϲⅿе"],
  ["Acme Corp", "Acme\u00a0Corp"],
  ["Acme Corp", "Acme  Corp"],
  ["acme-corp", "acme‐corp"],
  ["google", "g00gle"],
  ["paypal", "paypa1"],
  ["Illy", "llly"],
  ["IBM", "lBM"],
  ["ozon", "օzоn"], // Armenian and Cyrillic o.
  ["scope", "ѕсоре"],
  ["nasa", "ɴᴀꜱᴀ"], // Small capitals.
  ["comet", "сомет"], // Cyrillic, of which some letters look like small capitals.
  ["acid", "aci\u0307d"], // A second dot.
  ["acid", "acı\u0307d"],
  ["acme", "🅰🅲🅼🅴"],
  ["acme", "🅐🅒🅜🅔"],
  ["acme", "🇦🇨🇲🇪"],
];

async function withRegistry(
  open: () => Promise<Database>,
  run: (database: Database) => Promise<void>,
) {
  const database = await open();
  try {
    await run(database);
  } finally {
    await database.close();
  }
}

const context = { requestId: "req-1" };

describeDatabases((kind, open) => {
  Deno.test(`author names that look like another's are refused, on ${kind}`, async () => {
    await withRegistry(open, async (database) => {
      const deps = testRegistry(database);
      const [ann, eve] = ["ann", "eve"].map((name) => callerOf(name, { isAdmin: true })) as [
        Caller,
        Caller,
      ];
      let number = 0;
      const next = () => `server-${number += 1}-x`;
      for (const [owned, claimed] of LOOK_ALIKES) {
        await createServer(deps, ann, serverInput(next(), { author: owned }), context);
        const input = serverInput(next(), { author: claimed });
        const { message } = await refusal(
          () => createServer(deps, eve, input, context),
          "forbidden",
        );
        assertStringIncludes(message, "belongs to another user");
        // Her own names may look alike.
        await createServer(deps, ann, serverInput(next(), { author: claimed }), context);
      }
      await createServer(deps, eve, serverInput("honest", { author: "entirely else" }), context);
      await refusal(
        () => updateServer(deps, eve, "honest", UpdateServer.parse({ author: "аcme" }), context),
        "forbidden",
      );
    });
  });

  Deno.test(`author names that look like a username, and the other way round, on ${kind}`, async () => {
    await withRegistry(open, async (database) => {
      const deps = testRegistry(database);
      const users = { sql: database.sql, now: deps.now };
      assertEquals((await userOf(users, "user-joan", "joan1@example.com")).username, "joan1");
      const input = serverInput("fake", { author: "jоanl" });
      await refusal(() => createServer(deps, callerOf("eve"), input, context), "forbidden");
      await createServer(
        deps,
        callerOf("acme"),
        serverInput("real", { author: "modern" }),
        context,
      );
      // Who would get the name of itself gets the next; who asks for it is told that it is taken.
      assertEquals((await userOf(users, "user-mod", "rnodern@example.com")).username, "rnodern-2");
      const eve = await userOf(users, "user-eve", "eve@example.com");
      const caller = callerOf("eve", { userId: eve.subject });
      await refusal(() => renameUser(users, caller, "m0dern", context), "conflict");
      await renameUser(users, caller, "evelyn", context);
    });
  });

  Deno.test(`of two look-alikes claimed at once one is refused, on ${kind}`, async () => {
    await withRegistry(open, async (database) => {
      const deps = testRegistry(database);
      const claims = ["globex", "glоbex", "globеx", "gl0bex"].map((author, i) =>
        createServer(deps, callerOf(`u${i}`), serverInput(`at-once-${i}`, { author }), context)
      );
      const settled = await Promise.allSettled(claims);
      assertEquals(settled.filter(({ status }) => status === "fulfilled").length, 1);
    });
  });

  Deno.test(`names that are older than looks are held against too, on ${kind}`, async () => {
    await withRegistry(open, async (database) => {
      const deps = testRegistry(database);
      await createServer(deps, callerOf("ann"), serverInput("old", { author: "Initech" }), context);
      await database.sql`delete from author_looks`;
      await fillLooks(database.sql);
      const input = serverInput("new", { author: "lnitech" });
      await refusal(() => createServer(deps, callerOf("eve"), input, context), "forbidden");
    });
  });

  Deno.test(`names of servers that look like another owner's are refused, reserved ones too, on ${kind}`, async () => {
    await withRegistry(open, async (database) => {
      const deps = testRegistry(database);
      const [ann, eve] = [callerOf("ann"), callerOf("eve")];
      await createServer(deps, ann, serverInput("modern-1"), context);
      for (const name of ["rnodern-1", "modern-l", "m0dern-1", "rn0dern-l"]) {
        const again = () => createServer(deps, eve, serverInput(name), context);
        assertStringIncludes((await refusal(again, "conflict")).message, '"modern-1"');
      }
      await createServer(deps, ann, serverInput("modern-l"), context);
      const removal = { ...deps, endSessions: () => Promise.resolve() };
      await removeServer(removal, ann, "modern-1", context);
      await removeServer(removal, ann, "modern-l", context);
      await refusal(() => createServer(deps, eve, serverInput("m0dern-1"), context), "conflict");
      await createServer(deps, eve, serverInput("modern-2"), context);
    });
  });

  Deno.test(`the database knows the looks of servers as the skeleton has them, on ${kind}`, async () => {
    await withRegistry(open, async ({ sql }) => {
      for (const name of ["weather", "m0dern-1", "rnrnm", "1lo0", "a-b-c-9"]) {
        const [row] = await sql`select server_look(${name}) as look`;
        assertEquals([row!["look"]], looksOf(name));
      }
    });
  });
});

Deno.test("a client that registers does not take the names of Berth's own programs", () => {
  const address = { publicUrl: "http://localhost:8000" } as never;
  const own = firstPartyClients(address).map(({ client_name }) => client_name!);
  const taken = [
    ...own,
    "berth",
    "BERTH",
    "Berth CLI",
    "berth-cli",
    "berth-web",
    "The Berth command line",
    "Вerth command line", // Cyrillic Ve.
    "Ｂｅｒｔｈ",
    "𝐁𝐞𝐫𝐭𝐡 command line",
    "B e r t h",
    "B.E.R.T.H",
    "Bеrth", // Cyrillic e.
    "Berṭh".normalize("NFD").replace("\u0323", ""),
    "ʙᴇʀᴛʜ",
    "🅑🅔🅡🅣🅗",
    "OfficialBerth",
    "Official B e r t h",
    "my b-e-r-t-h tool",
  ];
  for (const name of taken) assert(!takesClient(name), name);
  for (const name of ["Editor", "Lambert Hosting", "Bert", "MCP Inspector", "Claude", "A B C"]) {
    assert(takesClient(name), name);
  }
});
