import { assertEquals } from "@std/assert";
import { startingHandler } from "../../src/http/starting_app.ts";
import { silentLog } from "../helpers/database.ts";

const options = {
  log: silentLog,
  now: () => new Date(),
  newId: () => "the-request",
  bindHost: "127.0.0.1",
  publicUrl: "http://127.0.0.1:8000",
  trustedProxies: [],
};
const info = {
  remoteAddr: { transport: "tcp", hostname: "127.0.0.1", port: 1 },
  completed: Promise.resolve(),
} as const;

Deno.test("while Berth starts, each listener refuses in its own form, to any origin", async () => {
  const detail = "Berth is starting. Try again in a moment";
  const envelope = { status: "error", detail, request_id: "the-request" };
  const bodies = {
    registry: envelope,
    execution: {
      jsonrpc: "2.0",
      id: null,
      error: { code: -32000, message: detail, data: envelope },
    },
  };
  for (const listener of ["registry", "execution"] as const) {
    const ask = startingHandler(listener, options);
    const url = (path: string) => `http://127.0.0.1:8000${path}`;
    for (const method of ["GET", "POST", "DELETE"]) {
      const answer = await ask(new Request(url("/mcp?name=x"), { method }), info);
      assertEquals(answer.status, 503);
      assertEquals(answer.headers.get("retry-after"), "1");
      assertEquals(answer.headers.get("access-control-allow-origin"), "*");
      assertEquals(answer.headers.get("x-request-id"), "the-request");
      assertEquals(await answer.json(), bodies[listener]);
    }
    const page = await ask(
      new Request(url("/servers/weather"), { headers: { accept: "text/html" } }),
      info,
    );
    assertEquals(page.status, 503);
    const isPage = page.headers.get("content-type")?.startsWith("text/html");
    assertEquals(isPage, listener === "registry");
    assertEquals((await page.text()).includes('http-equiv="refresh"'), isPage);
    const preflight = await ask(new Request(url("/mcp"), { method: "OPTIONS" }), info);
    assertEquals(preflight.status, 204);
    // It lives, and is not to be replaced; it takes no requests yet.
    assertEquals((await ask(new Request(url("/healthz")), info)).status, 200);
    assertEquals((await ask(new Request(url("/readyz")), info)).status, 503);
  }
});
