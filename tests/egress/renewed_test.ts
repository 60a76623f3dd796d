import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import type { CurrentValue } from "../../src/egress/types.ts";
import { placeholderFor } from "../../src/keys/placeholder.ts";
import { get, never, testBroker } from "./harness.ts";

const OLD = "tok_old0123456789abcdefghij";
const NEW = "tok_new0123456789abcdefghij";

/** A service that shows what it was sent, and a session whose token is looked up. */
async function withService(
  body: (world: {
    ask: (path: string, header?: string, body?: string) => Promise<string>;
    set: (value: CurrentValue) => void;
    seen: string[];
    looked: string[];
    placeholder: string;
    elsewhere: string;
  }) => Promise<void>,
): Promise<void> {
  const seen: string[] = [];
  const echo = async (request: Request) => {
    const { pathname } = new URL(request.url);
    const body = (await request.text()).trim();
    const sent = body || (request.headers.get("authorization") ?? "none");
    seen.push(sent);
    return new Response(pathname === "/old" ? `before: ${OLD}` : `you are ${sent}`);
  };
  const serve = () => Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, echo);
  const [service, other] = [serve(), serve()];
  const hosts = [`127.0.0.1:${service.addr.port}`];
  const elsewhere = `http://127.0.0.1:${other.addr.port}`;
  const { broker } = testBroker({ allow: ["127.0.0.1"] });
  const placeholder = placeholderFor(OLD);
  const looked: string[] = [];
  let value: CurrentValue = { kind: "value", value: OLD };
  const channel = broker.open("weather", {
    secrets: [{ name: "TOKEN", placeholder, value: OLD, hosts, changes: true }],
    current(name) {
      looked.push(name);
      return Promise.resolve(value);
    },
  });
  try {
    await body({
      seen,
      looked,
      placeholder,
      elsewhere,
      set(next) {
        value = next;
      },
      async ask(path, header = `Bearer ${placeholder}`, body) {
        const url = path.startsWith("http") ? path : `http://${hosts[0]}${path}`;
        const request = get(url, {
          headers: [["Authorization", header]],
          ...(body === undefined ? {} : { method: "POST", body: new TextEncoder().encode(body) }),
        });
        const outcome = await channel(request, never);
        if (outcome.kind === "error") return `${outcome.error}: ${outcome.message}`;
        outcome.release?.();
        return new TextDecoder().decode(outcome.body);
      },
    });
  } finally {
    await Promise.all([service.shutdown(), other.shutdown()]);
  }
}

Deno.test("a live session sends the token that its connection has now", async () => {
  await withService(async ({ ask, set, seen, placeholder }) => {
    assertEquals(await ask("/"), `you are Bearer ${placeholder}`);
    set({ kind: "value", value: NEW });
    assertEquals(await ask("/"), `you are Bearer ${placeholder}`);
    assertEquals(seen, [`Bearer ${OLD}`, `Bearer ${NEW}`]);
  });
});

Deno.test("a token that was replaced is taken out of answers all the same", async () => {
  await withService(async ({ ask, set, placeholder }) => {
    set({ kind: "value", value: NEW });
    await ask("/");
    assertEquals(await ask("/old"), `before: ${placeholder}`);
  });
});

Deno.test("without a connection no request goes out with its placeholder, and others do", async () => {
  await withService(async ({ ask, set, seen }) => {
    set({ kind: "none", why: "TOKEN is not connected any more" });
    assertStringIncludes(await ask("/"), "refused: TOKEN is not connected any more");
    assertEquals(seen, []);
    assertEquals(await ask("/", "Bearer mine"), "you are Bearer mine");
  });
});

Deno.test("a token whose connection has ended is not sent from the end of a long body", async () => {
  await withService(async ({ ask, set, seen, placeholder }) => {
    const body = `${" ".repeat(300 * 1024)}${placeholder}`;
    await ask("/", "Bearer mine", body);
    set({ kind: "none", why: "TOKEN is not connected any more" });
    await ask("/", "Bearer mine", body);
    set({ kind: "value", value: NEW });
    await ask("/", "Bearer mine", body);
    assertEquals(seen, [OLD, placeholder, NEW]);
  });
});

Deno.test("a token is not even looked up for a host that it is not for", async () => {
  await withService(async ({ ask, looked, seen, elsewhere, placeholder }) => {
    await ask(`${elsewhere}/`);
    assertEquals([looked, seen], [[], [`Bearer ${placeholder}`]]);
    assert(!JSON.stringify(seen).includes(OLD));
  });
});
