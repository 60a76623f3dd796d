import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { parseEgressPolicy } from "../../../src/egress/policy.ts";
import { createDocumentFetch } from "../../../src/issuer/clients/fetch_document.ts";

const FIXTURES = new URL("../../fixtures/tls/", import.meta.url);
const read = (name: string) => Deno.readTextFileSync(new URL(name, FIXTURES));
const DOCUMENT = { client_id: "x" };

interface Options {
  /** Inner addresses that may be reached. */
  allow?: string[];
  /** Addresses of the name, a turn each. */
  addresses?: string[][];
}

async function withHost(
  answer: (path: string) => Response | Promise<Response>,
  body: (
    fetch: (path: string, options?: Options) => ReturnType<ReturnType<typeof createDocumentFetch>>,
    asked: string[],
    port: number,
  ) => Promise<void>,
): Promise<void> {
  const asked: string[] = [];
  const server = Deno.serve({
    hostname: "127.0.0.1",
    port: 0,
    cert: read("secure.pem"),
    key: read("secure.key"),
    onListen() {},
    onError: () => new Response(null, { status: 500 }),
  }, (request) => {
    const { pathname } = new URL(request.url);
    asked.push(pathname);
    return answer(pathname);
  });
  const { port } = server.addr;
  try {
    await body(
      (path, { allow = ["127.0.0.1"], addresses = [["127.0.0.1"]] } = {}) => {
        const turns = [...addresses];
        const resolve = () => Promise.resolve(turns.length > 1 ? turns.shift()! : turns[0]!);
        return createDocumentFetch({
          policy: parseEgressPolicy(allow, ["*"]),
          own: { endpoints: [], interfaces: [], resolve },
          resolve,
          ca: [read("ca.pem")],
        })(path.startsWith("https:") ? path : `https://secure.test:${port}${path}`);
      },
      asked,
      port,
    );
  } finally {
    await server.shutdown();
  }
}

Deno.test("createDocumentFetch() reads a JSON document and how long it may be kept", async () => {
  const controls: [string | null, number][] = [
    [null, 300],
    ["max-age=60", 60],
    ["public, max-age=99999999", 86_400],
    ["no-store", 0],
    ["max-age=60, no-cache", 0],
  ];
  await withHost((path) => {
    const control = controls[Number(path.slice(1))]![0];
    return Response.json(DOCUMENT, {
      headers: control === null ? {} : { "cache-control": control },
    });
  }, async (fetch) => {
    for (const [index, [, cacheSeconds]] of controls.entries()) {
      assertEquals(await fetch(`/${index}`), {
        kind: "fetched",
        document: DOCUMENT,
        cacheSeconds,
      });
    }
  });
});

Deno.test("createDocumentFetch() reaches no inner address, and does not say what is there", async () => {
  await withHost(() => Response.json(DOCUMENT), async (fetch, asked, port) => {
    const same = "The client's metadata document could not be fetched";
    const attempts: [string, Options][] = [
      ["/c", { allow: [] }],
      ["/c", { allow: [], addresses: [["93.184.216.34", "127.0.0.1"]] }],
      ["/c", { allow: [], addresses: [["169.254.169.254"]] }],
      ["/c", { allow: [], addresses: [["10.0.0.1"]] }],
      ["/c", { allow: [], addresses: [["::ffff:127.0.0.1"]] }],
      ["/c", { allow: [], addresses: [["fd00::1"]] }],
      ["/c", { addresses: [[]] }],
      [`https://127.0.0.1:${port}/c`, { allow: [] }],
      [`https://[::1]:${port}/c`, { allow: [] }],
      ["https://secure.test:22/c", {}],
      ["https://secure.test:1/c", {}],
      // A certificate of another name.
      [`https://other.test:${port}/c`, {}],
    ];
    for (const [path, options] of attempts) {
      assertEquals(await fetch(path, options), { kind: "failed", fault: same }, path);
    }
    assertEquals(asked, []);
  });
});

Deno.test("createDocumentFetch() follows no redirect and takes no other status", async () => {
  await withHost((path) => {
    if (path === "/moved") return Response.redirect("https://secure.test/next", 302);
    return new Response("{}", { status: 404, headers: { "content-type": "application/json" } });
  }, async (fetch, asked) => {
    for (const [path, status] of [["/moved", "302"], ["/gone", "404"]] as const) {
      const answer = await fetch(path);
      assert(answer.kind === "failed");
      assertStringIncludes(answer.fault, status);
    }
    assertEquals(asked, ["/moved", "/gone"]);
  });
});

Deno.test("createDocumentFetch() takes small JSON only", async (t) => {
  const json = { "content-type": "application/json" };
  const answers: Record<string, () => Response> = {
    "a page": () => new Response("<html>", { headers: { "content-type": "text/html" } }),
    "JSON announced as text": () => new Response("{}"),
    "not JSON": () => new Response("{", { headers: json }),
    "not UTF-8": () => new Response(new Uint8Array([34, 255, 34]), { headers: json }),
    "too much": () => new Response(JSON.stringify("x".repeat(20_000)), { headers: json }),
    "endless": () =>
      new Response(
        new ReadableStream({
          pull: (controller) => controller.enqueue(new Uint8Array(4096)),
        }),
        { headers: json },
      ),
  };
  await withHost((path) => answers[decodeURIComponent(path.slice(1))]!(), async (fetch) => {
    for (const name of Object.keys(answers)) {
      await t.step(name, async () => {
        assertEquals((await fetch(`/${encodeURIComponent(name)}`)).kind, "failed");
      });
    }
  });
});
