import { assertEquals } from "@std/assert";
import { createApp } from "../../src/http/app.ts";
import { CREATE_EXAMPLE } from "../../src/http/openapi/examples.ts";
import { describeAuth, type ProtectedRoute } from "../helpers/auth_cases.ts";
import { startTokenIssuer } from "../helpers/token_issuer.ts";
import { stubServices } from "./stub_services.ts";

const SERVER = "/api/v1/servers/weather";
const ME = "/api/v1/auth/me";

const ROUTES: ProtectedRoute[] = [
  {
    operation: "createServer",
    method: "POST",
    path: "/api/v1/servers",
    body: { ...CREATE_EXAMPLE, name: "new" },
    allowed: "anyone",
    status: 201,
  },
  {
    operation: "updateServer",
    method: "PUT",
    path: SERVER,
    body: { description: "Changed" },
    allowed: "owner",
    status: 200,
  },
  { operation: "deleteServer", method: "DELETE", path: SERVER, allowed: "owner", status: 200 },
  {
    operation: "rescanServer",
    method: "POST",
    path: `${SERVER}/rescan`,
    allowed: "owner",
    status: 202,
  },
  { operation: "getProfile", method: "GET", path: ME, allowed: "anyone", status: 200 },
  {
    operation: "changeUsername",
    method: "PUT",
    path: ME,
    body: { username: "new-name" },
    allowed: "anyone",
    status: 200,
  },
];

describeAuth("stub", ROUTES, async () => {
  const issuer = await startTokenIssuer();
  const app = createApp(stubServices(issuer).services);
  return { issuer, request: (path, init) => app.request(path, init), close: () => issuer.close() };
});

Deno.test("createApp() has no protected route that the security cases leave out", async () => {
  const response = await createApp(stubServices().services).request("/api/v1/openapi.json");
  const { paths } = await response.json();
  const documented = Object.values(paths).flatMap((operations) =>
    Object.values(operations as Record<string, { operationId: string; security?: object[] }>)
  ).filter(({ security }) => security?.every((one) => "bearer" in one));
  assertEquals(
    documented.map((operation) => operation.operationId).sort(),
    ROUTES.map((route) => route.operation).sort(),
  );
});
