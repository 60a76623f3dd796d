import { assert, assertEquals } from "@std/assert";
import type { Visibility } from "../../src/access/schema.ts";
import { type Place, ROUTES } from "./routes.ts";
import {
  ABSENT,
  type AccessSite,
  type By,
  type CallerName,
  CALLERS,
  openAccessSite,
  reads,
  SERVERS,
} from "./site.ts";

const NAMES = Object.keys(CALLERS) as CallerName[];
const VISIBILITIES = Object.keys(SERVERS) as Visibility[];
const NO_SCAN = "0f0e0d0c-0000-4000-8000-000000000000";
const NO_ICON = "0123456789abcdef01234567";

/** The routes that the application has, as the table names them. */
function routesOf({ app }: AccessSite): string[] {
  const all = app.routes.filter(({ method, path }) =>
    method !== "ALL" && !path.startsWith("/assets/")
  );
  return [...new Set(all.map(({ method, path }) => `${method} ${path}`))];
}

/** The address of a route for one server; null: for none that is there. */
function addressOf(
  site: AccessSite,
  path: string,
  visibility: Visibility | null,
  values: Record<string, string> = {},
): string {
  const all: Record<string, string> = {
    ":name": visibility === null ? ABSENT : SERVERS[visibility],
    ":id": visibility === null ? NO_SCAN : site.scans[visibility],
    ":digest": visibility === null ? NO_ICON : site.icons[visibility],
    ":variable": "NOTES_TOKEN",
    ":username": "stranger",
    ":group": "others",
    ":author": "owner",
    ":service": "none",
    ":file": "pages.xml",
    ...values,
  };
  return path.replaceAll(/:\w+|\*/g, (part) => all[part]!);
}

/** What a response says, but for what tells requests apart. */
async function saidOf(response: Response, named: string) {
  const text = (await response.text()).replaceAll(named, "NAME");
  const headers = [...response.headers].filter(([name]) =>
    !["x-request-id", "ratelimit", "set-cookie", "content-length"].includes(name)
  );
  return {
    status: response.status,
    headers: Object.fromEntries(headers.map(([name, value]) => [
      name,
      value.replaceAll(encodeURIComponent(named), "NAME").replaceAll(named, "NAME"),
    ])),
    text: text.replaceAll(/"request_id":"[^"]+"|<code>[\w-]{36}<\/code>|value="[\w-]{43}"/g, ""),
  };
}

function optionsOf(key: string, place: Place) {
  const [method, path] = key.split(" ") as [string, string];
  const isPage = !path.startsWith("/api/") && !path.startsWith("/connections/clients");
  const body = place.kind === "server" ? place.body : undefined;
  const by: By = isPage ? "session" : "token";
  const options = {
    method,
    body,
    form: isPage && method === "POST",
    ...(isPage && method === "POST" ? { headers: { accept: "text/html" } } : {}),
  };
  return { path, by, options };
}

/** Whether the caller gets what the route says of a server that they may read. */
function isServed(caller: CallerName, { for: who }: Place & { kind: "server" }): boolean {
  if (who === "readers") return true;
  if (who === "users") return caller !== "anonymous";
  return who === "owners" && ["owner", "admin"].includes(caller);
}

async function checkServer(site: AccessSite, key: string, place: Place & { kind: "server" }) {
  const { path, by, options } = optionsOf(key, place);
  for (const caller of NAMES) {
    const absent = await saidOf(
      await site.ask(caller, by, addressOf(site, path, null, place.in), options),
      path.includes(":id") ? NO_SCAN : path.includes(":digest") ? NO_ICON : ABSENT,
    );
    for (const visibility of VISIBILITIES) {
      const what = `${key} of the ${visibility} server as ${caller}`;
      const address = addressOf(site, path, visibility, place.in);
      const named = path.includes(":id")
        ? site.scans[visibility]
        : path.includes(":digest")
        ? site.icons[visibility]
        : SERVERS[visibility];
      if (!reads(caller, visibility)) {
        // Whatever it is, it is what there is to say of a name that nobody has.
        assertEquals(
          await saidOf(await site.ask(caller, by, address, options), named),
          absent,
          what,
        );
        continue;
      }
      if (options.method !== "GET" || !isServed(caller, place)) continue;
      const response = await site.ask(caller, by, address, options);
      const text = await response.text();
      if (place.status !== undefined) {
        assertEquals(response.status, place.status, `${what}: ${text}`);
      }
      const kept = response.headers.get("cache-control") ?? "no-store";
      if (visibility !== "public") assert(!kept.includes("public"), `${what}: ${kept}`);
    }
  }
}

async function checkRest(site: AccessSite, key: string, place: Place) {
  const { path, by, options } = optionsOf(key, place);
  if (options.method !== "GET") return;
  const asked = "path" in place && place.path !== undefined
    ? place.path
    : addressOf(site, path, "private");
  for (const caller of NAMES) {
    const response = await site.ask(caller, by, asked, options);
    const text = await response.text();
    for (const visibility of VISIBILITIES) {
      const what = `${key} names the ${visibility} server to ${caller}`;
      const named = text.includes(SERVERS[visibility]);
      const isAll = place.kind === "list" && place.isForAll === true;
      const may = reads(isAll ? "anonymous" : caller, visibility);
      if (place.kind === "list") assertEquals(named, may, what);
      // What the caller has asked for comes back, of a name that nobody has too.
      else if (named && !asked.includes(SERVERS[visibility])) {
        assert(may || text.includes(ABSENT), what);
      }
    }
    if (place.kind === "list" && place.isForAll !== true && caller !== "anonymous") {
      const kept = response.headers.get("cache-control") ?? "no-store";
      assert(!kept.includes("public"), `${key} as ${caller}: ${kept}`);
    }
  }
}

Deno.test("every route says of a server to whom may not read it what it says of none", async (t) => {
  const site = await openAccessSite();
  try {
    await t.step("the table has every route", () => {
      assertEquals(Object.keys(ROUTES).sort(), routesOf(site).sort());
    });
    for (const [key, place] of Object.entries(ROUTES)) {
      await t.step(key, async () => {
        if (place.kind === "server") return await checkServer(site, key, place);
        await checkRest(site, key, place);
      });
    }
  } finally {
    await site.close();
  }
});
