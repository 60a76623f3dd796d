import { assertEquals, assertRejects } from "@std/assert";
import { createGuardedFetch, RedirectRefused } from "../../src/repository/guarded_fetch.ts";

const NAMES: Record<string, string[]> = {
  "api.example.com": ["93.184.216.34"],
  "files.example.com": ["93.184.216.35"],
  "inside.example.com": ["93.184.216.36", "10.0.0.5"],
  "api.inside": ["10.0.0.9"],
};

function setUp(api: string, redirects: Record<string, string>) {
  const seen: [string, string | null][] = [];
  const guarded = createGuardedFetch({
    apiUrl: api,
    fetch: (input, init) => {
      const url = String(input);
      seen.push([url, new Headers(init?.headers).get("authorization")]);
      const location = redirects[url];
      return Promise.resolve(
        location === undefined
          ? new Response("ok")
          : new Response(null, { status: 302, headers: { location } }),
      );
    },
    resolve: (name) => {
      const addresses = NAMES[name];
      return addresses ? Promise.resolve(addresses) : Promise.reject(new Error("no such name"));
    },
  });
  const start = `${api}/start`;
  return { seen, go: () => guarded(start, { headers: { authorization: "token t0" } }), start };
}

Deno.test("guardedFetch() follows to another https host without the token", async () => {
  const files = "https://files.example.com/a";
  const { go, seen, start } = setUp("https://api.example.com", {
    "https://api.example.com/start": files,
  });
  assertEquals(await (await go()).text(), "ok");
  assertEquals(seen, [[start, "token t0"], [files, null]]);
});

Deno.test("guardedFetch() keeps the token on the same origin", async () => {
  const { go, seen } = setUp("https://api.example.com", {
    "https://api.example.com/start": "/repositories/12",
  });
  await (await go()).body?.cancel();
  assertEquals(seen[1], ["https://api.example.com/repositories/12", "token t0"]);
});

Deno.test("guardedFetch() goes neither inside nor in plain text", async () => {
  for (
    const target of [
      "http://files.example.com/a",
      "https://inside.example.com/a",
      "https://127.0.0.1/a",
      "https://[::1]/a",
      "https://[::ffff:10.0.0.1]/a",
      "https://2130706433/a",
      "https://169.254.169.254/latest",
      "https://localhost/a",
      "https://x.localhost/a",
      "https://u:p@files.example.com/a",
      "file:///etc/passwd",
      "data:,x",
      "http://[",
    ]
  ) {
    const { go, seen } = setUp("https://api.example.com", {
      "https://api.example.com/start": target,
    });
    await assertRejects(go, RedirectRefused);
    assertEquals(seen.length, 1, target);
  }
});

Deno.test("guardedFetch() follows inside when the API itself is inside", async () => {
  const { go, seen } = setUp("http://api.inside", {
    "http://api.inside/start": "http://10.0.0.10/a",
  });
  await (await go()).body?.cancel();
  assertEquals(seen[1], ["http://10.0.0.10/a", null]);
});

Deno.test("guardedFetch() ends a loop", async () => {
  const { go, seen } = setUp("https://api.example.com", {
    "https://api.example.com/start": "/start",
  });
  await assertRejects(go, RedirectRefused, "too many times");
  assertEquals(seen.length, 6);
});
