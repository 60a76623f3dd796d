/** @module What docs/api.md shows. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { TEXT_TOOLS } from "../../helpers/world.ts";
import { assertShown } from "./alike.ts";
import type { Desk } from "./desk.ts";
import type { Check } from "./guide.ts";

const WEATHER = {
  name: "weather",
  version: "1.0.0",
  description: "The weather in a city",
  author: "acme",
  lang: "python",
  license: "MIT",
  entrypoint: "server.py",
  repository: { url: "https://github.com/examples/weather" },
};

/** What the registry answers when ada posts `record`. */
async function post({ json }: Desk, record: unknown) {
  return await json(
    `curl -s "$BERTH/api/v1/servers" -H "Authorization: Bearer $TOKEN" \\
       -H 'Content-Type: application/json' -d "$RECORD"`,
    { env: { RECORD: JSON.stringify(record) } },
  );
}

/** Registers the examples for ada: `text-tools`, and `weather` under the author `acme`. */
export async function registerExamples(desk: Desk): Promise<void> {
  for (const record of [WEATHER, TEXT_TOOLS]) {
    const made = await post(desk, record);
    assertEquals(made.status, "success", JSON.stringify(made));
  }
}

/** The id of the last scan of `weather`. */
export async function lastScan({ json }: Desk): Promise<string> {
  return (await json(`curl -s "$BERTH/api/v1/servers/weather/scans"`)).scans[0].id;
}

/** One for each block, in order. */
export const API: Check[] = [
  async ({ code }, desk) => {
    const { version: _version, ...record } = WEATHER;
    assertShown(JSON.parse(code), await post(desk, record));
  },
  async ({ code }, { json }) => {
    const real = await json(
      `curl -s -X DELETE "$BERTH/api/v1/servers/weather" -H "Authorization: Bearer $HERS"`,
    );
    assertShown(JSON.parse(code), real);
  },
  async ({ code }, { shell }) => {
    assertShown(
      JSON.parse(code),
      JSON.parse((await shell("curl -s $BERTH/.well-known/berth")).out),
    );
  },
  async ({ code }, { shell }) => {
    const { out } = await shell(
      'curl -si $BERTH/api/v1/auth/me -H "Authorization: Bearer $TOKEN" | grep -i ^ratelimit',
    );
    const form = (text: string) =>
      text.toLowerCase().replace(/=\d+/g, "=0").trim().split(/\r?\n/).sort();
    assertEquals(form(out), form(code));
  },
  async ({ code }, { shell, json }) => {
    // Pages of one, so that there is a second one.
    const { out } = await shell(code.replace("limit=100", "limit=1").replace("author=acme&", ""));
    assertMatch(out, /^link: <\/api\/v1\/servers\?[^>]*cursor=[^>]*>; rel="next"/i);
    const all = await json('curl -s "$BERTH/api/v1/servers?author=acme&limit=100"');
    assertEquals(all.total_matching, 1);
  },
  async ({ code }, { shell }) => {
    const { out } = await shell(
      `ETAG=$(curl -sI "$BERTH/api/v1/servers/weather" | tr -d '\\r' | sed -n 's/^etag: //Ip')\n${code}`,
    );
    assertMatch(out, /^HTTP\/1.1 200/);
    assert(out.includes('"version":"1.1.0"'), out);
    const again = await shell(`ETAG='"old"'\n${code}`);
    assertMatch(again.out, /^HTTP\/1.1 412/);
  },
  async ({ code }, desk) => {
    const { out } = await desk.shell(code, { env: { ID: await lastScan(desk) } });
    assertMatch(out, /^event: end\n?/m);
  },
  async ({ code }, desk) => {
    const env = { ID: await lastScan(desk) };
    const { out } = await desk.shell(code.replaceAll(/ +#.*$/gm, "; echo"), { env });
    const [sarif, cyclonedx] = out.trim().split(/\n+(?=\{)/).map((text) => JSON.parse(text));
    assertEquals([sarif.version, cyclonedx.specVersion], ["2.1.0", "1.6"]);
  },
];
