import { assertEquals } from "@std/assert";
import { createApp } from "../../src/http/app.ts";
import { AppError } from "../../src/errors.ts";
import { wantsPage } from "../../src/http/browser_requests.ts";
import { stubServices } from "./stub_services.ts";

Deno.test("failures: a browser gets a page, also on the issuer's pages; programs and APIs get JSON", async () => {
  const { services } = stubServices();
  const app = createApp({
    ...services,
    issuer: {
      maxBodyBytes: 1000,
      handle: () => Promise.reject(new AppError("unavailable", "The storage is full")),
    },
    web: {
      install() {},
      signInFirst: () => Promise.resolve({ kind: "program" }),
      failurePage: (error, c) =>
        wantsPage(c)
          ? Promise.resolve(new Response("<h1>page</h1>", { status: error.status }))
          : null,
    },
  });
  async function ask(path: string, accept: string) {
    const response = await app.request(path, { headers: { accept } });
    return [response.status, (await response.text()).startsWith("<h1>")];
  }
  assertEquals(await ask("/oidc/sign-up", "text/html,*/*;q=0.8"), [503, true]);
  assertEquals(await ask("/oidc/sign-up", "*/*"), [503, false]);
  assertEquals(await ask("/oidc/jwks", "application/json"), [503, false]);
  assertEquals(await ask("/api/v1/nothing", "text/html"), [404, false]);
  assertEquals(await ask("/nothing", "text/html"), [404, true]);
});
