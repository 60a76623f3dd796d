/** `berth keys`, and values for one session. */
import { assert, assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { parseEnvironmentFile } from "../../src/cli/mcp/environment.ts";
import { createKeyRing } from "../../src/keys/key_ring.ts";
import { serviceId } from "../../src/keys/services.ts";
import { putValue } from "../../src/keys/store.ts";
import { createServer } from "../../src/registry/servers/create.ts";
import { updateServer } from "../../src/registry/servers/update.ts";
import { keysServices } from "../../src/services/keys.ts";
import { testCli } from "../helpers/cli.ts";
import { callerOf, context, serverInput } from "../helpers/registry.ts";
import { openRealApp } from "../http/real_services.ts";

const SECRET = "s3cr3t-0123456789";

Deno.test("berth keys set, list, agree and rm never show a value", async () => {
  const real = await openRealApp();
  try {
    const ring = await createKeyRing({ keys: [new Uint8Array(32).fill(5)], lost: [] });
    const { sql, now } = real.registry;
    Object.assign(real.services.keys, keysServices({ sql, now, ring }));
    const env = { BERTH_TOKEN: await real.issuer.mint({ sub: "ada" }) };
    await using cli = await testCli((url, init) => real.app.request(url, init), env);
    const ada = callerOf("ada", { userId: "ada" });
    const configuration = [{
      name: "API_KEY",
      required: true,
      description: "From example.com/settings",
      hosts: ["api.example.com"],
    }];
    await createServer(real.registry, ada, serverInput("weather", { configuration }), context);

    // Asks for what is needed.
    const set = await cli.run(["keys", "set", "weather"], { answers: [SECRET] });
    assertEquals(set.code, 0, set.err);
    assertStringIncludes(set.err, "API_KEY: ");
    assertStringIncludes(set.err, "From example.com/settings");
    // From standard input; another name than a declared one is refused.
    const piped = await cli.run(["keys", "set", "weather", "API_KEY"], { stdin: `${SECRET}\n` });
    assertEquals(piped.code, 0, piped.err);
    const wrong = await cli.run(["keys", "set", "weather", "OTHER"], { stdin: SECRET });
    assertEquals(wrong.code, 1);
    assertStringIncludes(wrong.err, "takes no variable OTHER");

    for (const stdin of ["", "\n"]) {
      const empty = await cli.run(["keys", "set", "weather", "API_KEY"], { stdin });
      assertEquals(empty.code, 2);
      assertStringIncludes(empty.err, "The value of API_KEY on standard input is empty");
    }
    const unfilled = await cli.run(["keys", "set", "weather", "API_KEY"], { stdin: "…" });
    assertEquals(unfilled.code, 1);
    assertStringIncludes(unfilled.err, "is a placeholder that was not filled in");
    // A server that is not there is told before anything is asked or read.
    for (const how of [{ answers: [SECRET] }, { stdin: SECRET }, { stdin: "" }]) {
      const nowhere = await cli.run(["keys", "set", "nowhere", "API_KEY"], how);
      assert(nowhere.code !== 0);
      assertStringIncludes(nowhere.err, "nowhere");
      assert(!nowhere.err.includes("API_KEY: "));
    }

    const listed = await cli.run(["keys", "list"]);
    assertEquals(listed.out, "weather\tAPI_KEY\tme\tready\tnever\n");
    const json = await cli.run(["keys", "list", "weather", "--json"]);
    assertEquals(json.json.keys[0].hosts, ["api.example.com"]);

    const wider = [{ name: "API_KEY", hosts: ["*.example.com"] }];
    await updateServer(real.registry, ada, "weather", { configuration: wider }, context);
    const changed = await cli.run(["keys", "list"]);
    assertStringIncludes(changed.out, "changed");
    assertStringIncludes(changed.err, "berth keys agree weather");
    const agreed = await cli.run(["keys", "agree", "weather"], { answers: ["y"] });
    assertEquals(agreed.code, 0, agreed.err);
    assertStringIncludes(agreed.err, "API_KEY: sent to *.example.com");
    assertStringIncludes((await cli.run(["keys", "list"])).out, "ready");

    const removed = await cli.run(["keys", "rm", "weather", "API_KEY"]);
    assertEquals(removed.code, 0, removed.err);
    assertEquals((await cli.run(["keys", "rm", "weather", "API_KEY"])).code, 1);
    const anonymous = await cli.run(["keys", "list"], { env: { BERTH_TOKEN: "" } });
    assertEquals(anonymous.code, 3);
    for (const run of [set, piped, wrong, listed, json, changed, agreed, removed]) {
      assert(!(run.out + run.err).includes(SECRET));
    }
    assert(!JSON.stringify(real.lines).includes(SECRET));
  } finally {
    await real.close();
  }
});

Deno.test("a file of variables has comments, quotes and export", () => {
  const text = `# a comment
A=1
export B = two words # behind
C="with # and \\n line"
D='as is \\n'

E=
`;
  assertEquals(parseEnvironmentFile(text, ".env"), {
    A: "1",
    B: "two words",
    C: "with # and \n line",
    D: "as is \\n",
    E: "",
  });
});

Deno.test("a quoted value may have several lines, and ends with its quote", () => {
  const key = "-----BEGIN KEY-----\nMIIE  \nQ+/=\n-----END KEY-----\n";
  const text = `\uFEFFKEY="${key}" # the "key"\r
PLAIN='${key}'
ONE="a" # or "b"
TWO='a' # it's 'b'
ESCAPED="say \\"no\\" # here"
EMPTY= # nothing
HASH=#1
`;
  assertEquals(parseEnvironmentFile(text, ".env"), {
    KEY: key,
    PLAIN: key,
    ONE: "a",
    TWO: "a",
    ESCAPED: 'say "no" # here',
    EMPTY: "",
    HASH: "#1",
  });
  for (const value of ['"s3cr3t', "'s3cr3t", '"s3cr3t" more', '"s3cr3t\nB=2', '"s3cr3t\\"']) {
    const error = assertThrows(() => parseEnvironmentFile(`\nA=${value}`, ".env"), Error);
    assertEquals(error.message, ".env, line 2: a quoted value must end with its quote");
  }
});

const SERVICE = { service: "Notes", issuer: "https://notes.example", scopes: ["read"] };
const NOTES = { name: "NOTES_TOKEN", required: true, hosts: ["api.notes.example"], oauth: SERVICE };

Deno.test("berth keys connect opens the page, and waits until the user has connected", async () => {
  const real = await openRealApp();
  try {
    const env = {
      BERTH_TOKEN: await real.issuer.mint({ sub: "ada" }),
      BROWSER: "browse",
    };
    await using cli = await testCli((url, init) => real.app.request(url, init), env);
    const ada = callerOf("ada", { userId: "ada" });
    const configuration = [NOTES, { name: "MODE" }];
    await createServer(real.registry, ada, serverInput("notes", { configuration }), context);
    await createServer(real.registry, ada, serverInput("plain"), context);
    const { sql } = real.registry;

    const connectNow = async () => {
      const connection = {
        service: serviceId(SERVICE),
        label: "Notes",
        scopes: ["read"],
        granted: null,
        expires_at: null,
        renews: false,
        ended: false,
      };
      const ring = (await createKeyRing({ keys: [new Uint8Array(32).fill(7)], lost: [] }))!;
      const place = { server: "notes", subject: "ada", name: "NOTES_TOKEN" };
      await putValue(sql, {
        place,
        envelope: await ring.seal(place, SECRET),
        terms: { owner: "ada", delivery: "placeholder", hosts: ["api.notes.example"] },
        connection,
        now: new Date(),
      });
    };

    const connected = await cli.run(["keys", "connect", "notes"], {
      answers: [],
      onSleep: connectNow,
    });
    assertEquals(connected.code, 0, connected.err);
    assertStringIncludes(connected.out, "/servers/notes/keys/NOTES_TOKEN/connect");
    assertEquals(cli.launched, [["browse", connected.out.trim()]]);
    assertStringIncludes(connected.err, "NOTES_TOKEN is connected to Notes");
    assertStringIncludes((await cli.run(["keys", "list"])).out, "connected to Notes");

    const printed = await cli.run(["keys", "connect", "notes", "--no-wait"], { answers: [] });
    assertEquals([printed.code, printed.out], [0, connected.out]);
    const late = await cli.run(["keys", "connect", "notes", "NOTES_TOKEN"], {
      answers: [],
      onSleep() {
        cli.clock.heldAt! += 600_000;
      },
    });
    assertStringIncludes(late.err, "Nobody connected in time");
    for (const args of [["plain"], ["notes", "MODE"], ["nowhere"]]) {
      assert((await cli.run(["keys", "connect", ...args], { answers: [] })).code !== 0);
    }

    const wider = [{ ...NOTES, oauth: { ...SERVICE, scopes: ["read", "write"] } }];
    await updateServer(real.registry, ada, "notes", { configuration: wider }, context);
    const ended = await cli.run(["keys", "list"]);
    assertStringIncludes(ended.out, "reconnect (Notes)");
    assertStringIncludes(ended.err, "berth keys connect notes NOTES_TOKEN");
  } finally {
    await real.close();
  }
});

Deno.test("a session without a connection opens its page, where that is the registry's", async () => {
  const real = await openRealApp();
  try {
    const connect = (url: string) => [{ variable: "NOTES_TOKEN", service: "Notes", url }];
    let url = "";
    const refuse = () =>
      Response.json({
        jsonrpc: "2.0",
        id: 0,
        error: {
          code: -32000,
          message: "NOTES_TOKEN is not connected to Notes",
          data: { reason: "variables_missing", connect: connect(url) },
        },
      });
    const env = { BERTH_TOKEN: await real.issuer.mint({ sub: "ada" }), BROWSER: "browse" };
    await using cli = await testCli(
      (address, init) => address.includes("/mcp") ? refuse() : real.app.request(address, init),
      env,
    );
    const ada = callerOf("ada", { userId: "ada" });
    await createServer(real.registry, ada, serverInput("notes"), context);
    const registry = new URL((await cli.run(["open", "--print"])).out.trim()).origin;

    url = `${registry}/servers/notes/keys/NOTES_TOKEN/connect`;
    const shown = await cli.run(["tools", "notes"], { answers: [] });
    assert(shown.code !== 0);
    assertStringIncludes(shown.err, `Connect to Notes: ${url}`);
    assertEquals(cli.launched, [["browse", url]]);
    // In a script nothing is opened.
    assertStringIncludes((await cli.run(["tools", "notes"])).err, url);
    url = "https://evil.example/servers/notes/keys/NOTES_TOKEN/connect";
    await cli.run(["tools", "notes"], { answers: [] });
    assertEquals(cli.launched.length, 1);
  } finally {
    await real.close();
  }
});
