import { assertEquals } from "@std/assert";
import { createApp } from "../../src/http/app.ts";
import { CALLERS, describeAuth } from "../helpers/auth_cases.ts";
import { capabilitiesOf } from "../helpers/capable_servers.ts";
import { emptyTables } from "../helpers/database_pool.ts";
import { reportOn } from "../helpers/registry.ts";
import { startTokenIssuer } from "../helpers/token_issuer.ts";
import { PROTECTED_ROUTES } from "./protected_routes.ts";
import { openRealApp } from "./real_services.ts";
import { OWNER, stubServices } from "./stub_services.ts";

describeAuth("in memory", PROTECTED_ROUTES, async () => {
  const issuer = await startTokenIssuer();
  let app = createApp(stubServices(issuer).services);
  return {
    issuer,
    request: (path, init) => app.request(path, init),
    reset: () => Promise.resolve(void (app = createApp(stubServices(issuer).services))),
    close: () => issuer.close(),
  };
});

describeAuth("over a database", PROTECTED_ROUTES, async () => {
  const real = await openRealApp({
    scan: (request) =>
      Promise.resolve({ ...reportOn(request), capabilities: capabilitiesOf(["sql"]) }),
  });
  const body = {
    name: "weather",
    author: "acme",
    version: "1.0.0",
    description: "Weather by city",
    lang: "python",
    license: "MIT",
    entrypoint: "server.py",
    repository: { url: "https://github.com/acme/weather" },
    configuration: [
      { name: "API_KEY" },
      {
        name: "NOTES_TOKEN",
        hosts: ["api.notes.example"],
        oauth: { issuer: "https://notes.example" },
      },
    ],
  };
  return {
    issuer: real.issuer,
    request: (path, init) => real.app.request(path, init),
    async reset() {
      const { sql } = real.registry;
      // A scan that goes on after its response would meet the emptied tables.
      while ((await sql`select 1 from scans where state = 'running'`).length > 0);
      await emptyTables(sql);
      for (const subject of Object.keys(CALLERS)) {
        const met = await real.send("GET", "/api/v1/auth/me", { as: subject });
        assertEquals((await met.json()).user.username, subject);
      }
      const created = await real.send("POST", "/api/v1/servers", { as: OWNER, body });
      assertEquals(created.status, 201, await created.text());
      await sql`insert into namespace_owners values ('acme', 'colleague', now())`;
    },
    close: () => real.close(),
  };
});

Deno.test("createApp() has no protected route that the security cases leave out", async () => {
  const response = await createApp(stubServices().services).request("/api/v1/openapi.json");
  const { paths } = await response.json();
  const documented = Object.values(paths).flatMap((operations) =>
    Object.values(operations as Record<string, { operationId: string; security?: object[] }>)
  ).filter(({ security }) => security?.every((one) => "bearer" in one));
  assertEquals(
    documented.map((operation) => operation.operationId).sort(),
    PROTECTED_ROUTES.map((route) => route.operation).sort(),
  );
});
