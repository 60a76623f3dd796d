import { assertEquals, assertNotEquals } from "@std/assert";
import { openRealApp, type RealApp } from "./real_services.ts";

const SERVERS = "/api/v1/servers";

async function withApp(run: (app: RealApp) => Promise<void>): Promise<void> {
  const app = await openRealApp();
  try {
    for (const as of ["jane", "joan", "root"]) await app.send("GET", "/api/v1/auth/me", { as });
    await run(app);
  } finally {
    await app.close();
  }
}

function serverOf(name: string, author?: string) {
  return {
    name,
    ...(author === undefined ? {} : { author }),
    version: "1.0.0",
    description: "Weather by city",
    lang: "python",
    license: "MIT",
    entrypoint: "server.py",
    repository: { url: "https://github.com/acme/weather" },
  };
}

Deno.test("a server is offered, found, and accepted over HTTP", async () => {
  await withApp(async ({ send }) => {
    await send("POST", SERVERS, { as: "jane", body: serverOf("weather") });
    const before = await send("GET", `${SERVERS}/weather`);
    assertEquals((await before.json()).server.author, "jane");

    const offered = await send("POST", `${SERVERS}/weather/transfer`, {
      as: "jane",
      body: { to: "joan" },
    });
    const { message, transfer } = await offered.json();
    assertEquals([offered.status, message], [200, 'Offered "weather" to "joan"']);
    const found = await send("GET", "/api/v1/auth/me/transfers", { as: "joan" });
    assertEquals((await found.json()).incoming, [transfer]);

    const accepted = await send("POST", `${SERVERS}/weather/transfer/accept`, { as: "joan" });
    assertEquals((await accepted.json()).server.author, "joan");
    const after = await send("GET", `${SERVERS}/weather`);
    assertNotEquals(after.headers.get("etag"), before.headers.get("etag"));
    // What the former owner had read is no longer hers to change.
    const stale = await send("PUT", `${SERVERS}/weather`, {
      as: "jane",
      body: { description: "x" },
      headers: { "if-match": before.headers.get("etag")! },
    });
    assertEquals(stale.status, 403);
    const listed = await send("GET", `${SERVERS}?author=joan`);
    assertEquals((await listed.json()).total, 1);
    const again = await send("POST", `${SERVERS}/weather/transfer/accept`, { as: "joan" });
    assertEquals(
      [again.status, (await again.json()).detail],
      [409, 'The offer of "weather" was already accepted'],
    );
  });
});

Deno.test("owners of an author name with any characters are managed over HTTP", async () => {
  await withApp(async ({ send }) => {
    const author = "Jané & Söhne/42% <mail@example.com>";
    const created = await send("POST", SERVERS, { as: "jane", body: serverOf("weather", author) });
    assertEquals(created.status, 201, await created.text());
    const base = `/api/v1/authors/${encodeURIComponent(author.toUpperCase())}`;
    const invited = await send("PUT", `${base}/owners/joan`, { as: "jane" });
    assertEquals(invited.status, 200, await invited.text());
    const mine = await send("GET", "/api/v1/auth/me/authors", { as: "joan" });
    assertEquals((await mine.json()).invitations[0].author, author);
    const accepted = await send("POST", `${base}/invitation/accept`, { as: "joan" });
    assertEquals((await accepted.json()).message, `You are now an owner of "${author}"`);
    const changed = await send("PUT", `${SERVERS}/weather`, {
      as: "joan",
      body: { description: "By another owner" },
    });
    assertEquals(changed.status, 200, await changed.text());
    const owners = await (await send("GET", `${base}/owners`, { as: "joan" })).json();
    assertEquals(owners.owners.map((owner: { username: string }) => owner.username), [
      "jane",
      "joan",
    ]);
    const left = await send("DELETE", `${base}/owners/jane`, { as: "jane" });
    assertEquals(left.status, 200, await left.text());
    const profile = await (await send("GET", "/api/v1/auth/me", { as: "joan" })).json();
    assertEquals(profile.user.servers, ["weather"]);
    const last = await send("DELETE", `${base}/owners/joan`, { as: "joan" });
    assertEquals(last.status, 409, await last.text());
  });
});

Deno.test("odd names of authors and users are not found", async () => {
  await withApp(async ({ send }) => {
    await send("POST", SERVERS, { as: "jane", body: serverOf("weather", "Acme") });
    const names = [
      "%ff",
      "%F0%9F%92%A5",
      "..%2f..",
      "%20",
      "a".repeat(5000),
      "'%3B--",
      "__proto__",
    ];
    for (const name of names) {
      const owners = await send("GET", `/api/v1/authors/${name}/owners`, { as: "jane" });
      assertEquals([name, owners.status], [name, 404], await owners.text());
      const invited = await send("PUT", `/api/v1/authors/acme/owners/${name}`, { as: "jane" });
      assertEquals([name, invited.status], [name, 404], await invited.text());
    }
  });
});
