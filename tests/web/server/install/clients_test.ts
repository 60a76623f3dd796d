/** What the pages say of each client. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { parse } from "smol-toml";
import { CLIENT_TABLE } from "../../../../src/mcp_clients/table.ts";
import {
  CLIENT_CHOICES,
  entryOfClient,
  pullCommand,
} from "../../../../src/web/server/install/clients.ts";

const URL_OF_WEATHER = "http://127.0.0.1:8001/mcp?name=weather";
const VARIABLES = [{ name: "API_KEY", description: "Of the\nservice", secret: true }];

function entries(needsToken: boolean, variables: typeof VARIABLES = []) {
  const input = { name: "weather", url: URL_OF_WEATHER, needsToken, variables };
  return CLIENT_CHOICES.map(([id]) => entryOfClient(id, input));
}

Deno.test("entryOfClient() gives each client what it reads, and nothing that keeps it from signing in", () => {
  for (const needsToken of [false, true]) {
    for (const { id, snippet, values } of entries(needsToken)) {
      assertStringIncludes(snippet, URL_OF_WEATHER, id);
      assertEquals(values, null);
      if (id === "http" || id === "address") continue;
      assert(!/header|token|authorization/i.test(snippet), snippet);
      const { format } = CLIENT_TABLE[id];
      if (format === "json") assertEquals(Object.keys(JSON.parse(snippet)).length, 1, id);
      if (format === "toml") parse(snippet);
      if (format === "yaml") assertStringIncludes(snippet, '    type: "streamable_http"');
    }
  }
});

Deno.test("entryOfClient() links to the clients that add a server by themselves", () => {
  const link = (id: string) => new URL(entries(false).find((entry) => entry.id === id)!.link!);
  for (const id of ["cursor", "lmstudio"]) {
    const config = JSON.parse(atob(link(id).searchParams.get("config")!));
    assertEquals(config, { url: URL_OF_WEATHER }, id);
  }
  const code = JSON.parse(decodeURIComponent(link("vscode").search.slice(1)));
  assertEquals(code, { name: "weather", type: "http", url: URL_OF_WEATHER });
  const goose = link("goose").searchParams;
  assertEquals([goose.get("url"), goose.get("type")], [URL_OF_WEATHER, "streamable_http"]);
});

Deno.test("entryOfClient() gives each client its form of the variables that a server needs", () => {
  const all = entries(false, VARIABLES);
  for (const { snippet, values, id } of all) {
    assertStringIncludes(snippet, "Mcp-Server-Env-API-KEY", id);
    assert(values !== null, id);
  }
  const of = (id: string) => all.find((entry) => entry.id === id)!;
  assertStringIncludes(of("vscode").snippet, '"promptString"');
  assertStringIncludes(of("vscode").snippet, "${input:berth-weather-API_KEY}");
  assertStringIncludes(of("claude").snippet, '"env"');
  parse(of("codex").snippet);
  assertStringIncludes(
    of("codex").snippet,
    'env_http_headers = { "Mcp-Server-Env-API-KEY" = "API_KEY" }',
  );
  assertStringIncludes(of("claude-code").command!, '--header "Mcp-Server-Env-API-KEY: $API_KEY"');
  // VS Code asks by itself; where the value would be in the address, there is none.
  const code = JSON.parse(decodeURIComponent(new URL(of("vscode").link!).search.slice(1)));
  assertEquals(code.inputs[0].description, "Of the service");
  assertEquals([of("lmstudio").link, of("goose").link], [null, null]);
});

Deno.test("pullCommand() names the clients that berth pull knows, and no others", () => {
  assertEquals(pullCommand("cursor", "weather"), "berth pull weather --client cursor");
  for (const id of ["jetbrains", "goose", "http", "address"] as const) {
    assertEquals(pullCommand(id, "weather"), null);
  }
});
