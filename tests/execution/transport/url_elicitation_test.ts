import { assertEquals, assertStringIncludes } from "@std/assert";
import type { KeptValue } from "../../../src/keys/session_values.ts";
import { Configuration, variablesOf } from "../../../src/keys/variables.ts";
import { harness, json, post, rpc } from "../harness.ts";

const oauth = { service: "Notes", issuer: "https://notes.example", scopes: ["read"] };
const NOTES = { name: "NOTES_TOKEN", required: true, hosts: ["api.notes.example"], oauth };
const PAGE = "http://registry.test/servers/weather/keys";

function serverWith(configuration: unknown[]) {
  const variables = variablesOf(Configuration.parse(configuration), []);
  return { weather: { variables, neededToStart: [] } };
}

function initialize(capabilities: Record<string, unknown>) {
  return rpc("initialize", { protocolVersion: "2025-11-25", capabilities });
}

Deno.test("a session without a connection says where to connect, before code runs", async () => {
  const { send, hosts } = await harness({ servers: serverWith([NOTES]) });
  const { error } = await json(await send(post(initialize({}), { token: "jane" })), 200);
  assertEquals(error.code, -32000);
  assertEquals(error.data.reason, "variables_missing");
  assertEquals(error.data.connect, [
    { variable: "NOTES_TOKEN", service: "Notes", url: `${PAGE}/NOTES_TOKEN/connect` },
  ]);
  assertStringIncludes(error.message, "NOTES_TOKEN is not connected to Notes");
  assertStringIncludes(error.message, `Connect to Notes at ${PAGE}/NOTES_TOKEN/connect`);
  const nobody = await json(await send(post(initialize({}))), 200);
  assertStringIncludes(nobody.error.message, "Your client has to sign in here");
  assertEquals(hosts.sessions.length, 0);
});

Deno.test("a client that opens addresses is asked to open them, each with an id of its own", async () => {
  const { send } = await harness({
    servers: serverWith([NOTES, { name: "MODE", required: true }]),
  });
  const asked = post(initialize({ elicitation: { url: {} } }), { token: "jane" });
  const { error } = await json(await send(asked), 200);
  assertEquals(error.code, -32042);
  const { elicitations } = error.data;
  assertEquals(
    elicitations.map(({ mode, url, message }: Record<string, string>) => [mode, url, message]),
    [
      ["url", `${PAGE}/NOTES_TOKEN/connect`, "Connect to Notes"],
      ["url", PAGE, "Enter MODE"],
    ],
  );
  const ids = elicitations.map(({ elicitationId }: { elicitationId: string }) => elicitationId);
  assertEquals(new Set(ids).size, 2);
  const forms = await json(
    await send(post(initialize({ elicitation: {} }), { token: "jane" })),
    200,
  );
  assertEquals(forms.error.code, -32000);
});

Deno.test("a connection that has ended says so, and one that works gives a placeholder", async () => {
  const kept: KeptValue[] = [{ state: "reconnect", name: "NOTES_TOKEN" }];
  const { send, hosts } = await harness({
    servers: serverWith([NOTES]),
    keptValues: () => Promise.resolve(kept),
  });
  const { error } = await json(await send(post(initialize({}), { token: "jane" })), 200);
  assertStringIncludes(error.message, "connect again");
  kept[0] = {
    state: "ready",
    name: "NOTES_TOKEN",
    value: "tok_0123456789abcdefghij",
    hosts: ["api.notes.example"],
    origin: "me NOTES_TOKEN 2026-01-01T00:00:00.000Z",
    isConnection: true,
  };
  await json(await send(post(initialize({}), { token: "jane" })), 200);
  const given = hosts.sessions[0]!.input.environment["NOTES_TOKEN"]!;
  assertEquals(given === "tok_0123456789abcdefghij", false);
  assertEquals(given.length, "tok_0123456789abcdefghij".length);
});
