/** Parts of pages, as the markup that they make. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import type { ServerAuditEntry } from "../../src/audit/schema.ts";
import { AuditTable, userIdsIn } from "../../src/web/layout/audit_table.tsx";
import { plainProse, Prose } from "../../src/web/layout/prose.tsx";
import { variablesOf } from "../../src/keys/variables.ts";
import { ValueField } from "../../src/web/server/keys/value_field.tsx";
import { VariablesTable } from "../../src/web/server/keys/variables_table.tsx";
import { ResultView } from "../../src/web/try/result/view.tsx";

const PROSES: [text: string, html: string, plain: string][] = [
  ["Use `a_b` here", "Use <code>a_b</code> here", "Use a_b here"],
  ["`a` and ``b``", "<code>a</code> and <code>b</code>", "a and b"],
  ["`<img src=x>`", "<code>&lt;img src=x&gt;</code>", "<img src=x>"],
  ["a lone ` stays", "a lone ` stays", "a lone ` stays"],
  ["``` `` `", "``` `` `", "``` `` `"],
  ["<b>", "&lt;b&gt;", "<b>"],
  ["", "", ""],
];

Deno.test("Prose() shows what analysers put between backticks as code, and nothing as markup", () => {
  for (const [text, html, plain] of PROSES) {
    assertEquals(String(Prose({ text })), `<bdi>${html}</bdi>`);
    assertEquals(plainProse(text), plain);
  }
});

const USER = "e844c9a8-70da-4567-9209-b56a9e79fa6d";
const TOKEN = "6b4949d2-d9b0-4c06-9e66-b3a7ee36f028";

function entry(action: string, subject: string, details = {}): ServerAuditEntry {
  const at = "2026-05-01T12:00:00.000Z";
  return { id: "1", at, by: "user", username: "ada", action, subject, details };
}

function textOf(entries: ServerAuditEntry[], usernames = new Map<string, string>()): string {
  const html = String(AuditTable({ entries, label: "Log", usernames }));
  const ids = html.replaceAll(
    /<details class="ids">.*?<\/details>/gs,
    (part) => ` {${part.replaceAll(/<summary>.*?<\/summary>|<[^>]+>/g, "").trim()}}`,
  );
  return ids.slice(ids.indexOf("<tbody>")).replaceAll(/<[^>]+>/g, " ").replaceAll(/\s+/g, " ");
}

Deno.test("AuditTable() names users and tokens, with the ids to be opened", () => {
  const users = new Map([[USER, "grace"], ["ada", "somebody"]]);
  const entries = [
    entry("account.sign_in", USER, { provider: "password" }),
    entry("token.revoke", TOKEN, { name: "Build", owner: USER }),
    entry("server.create", "weather", { scan: TOKEN, version: "1.0.0" }),
    // A username, whoever's id it may be.
    entry("user.rename", "ada"),
    entry("account.sign_in", "github|1"),
  ];
  assertEquals(userIdsIn(entries), [USER, "github|1"]);
  const text = textOf(entries, users);
  for (
    const part of [
      `account.sign_in grace provider: password {account: ${USER}}`,
      `token.revoke name: Build · owner: grace {token: ${TOKEN}`,
      `owner: ${USER}}`,
      `server.create weather version: 1.0.0 {scan: ${TOKEN}}`,
      "user.rename ada",
      "account.sign_in github|1",
    ]
  ) assertStringIncludes(text.replaceAll(/ +/g, " "), part);
});

Deno.test("ResultView() shows what is structured once, and what says more beside the text", () => {
  const show = (result: unknown) =>
    String(ResultView({ message: { jsonrpc: "2.0", id: 1, result } as never, milliseconds: 1 }));
  const text = (text: string) => ({ type: "text", text });
  const same = show({ content: [text('{"a": 1}')], structuredContent: { a: 1 } });
  assertStringIncludes(same, "<summary>Text copy of the structured data</summary>");
  const more = show({ content: [text("warm")], structuredContent: { degrees: 20 } });
  assertStringIncludes(more, "<h4>Structured data</h4>");
  const picture = { type: "image", mimeType: "image/png", data: "AA==" };
  const both = show({ content: [picture], structuredContent: { a: 1 } });
  assertStringIncludes(both, "<h4>Structured data</h4>");
});

Deno.test("ValueField() says which variable is required and which is optional", async () => {
  const variables = variablesOf([
    { name: "API_KEY", required: true },
    { name: "MODE", required: true, choices: ["fast", "exact"] },
    { name: "REGION" },
  ], []);
  const [key, mode, region] = await Promise.all(
    variables.map(async (variable) => String(await ValueField({ variable }))),
  );
  for (const required of [key!, mode!]) {
    assertStringIncludes(required, "(required)");
    assertEquals(required.includes("(optional)"), false);
    // What is kept already may be left out.
    assertEquals(/<(input|select)[^>]* required/.test(required), false);
  }
  assertStringIncludes(region!, "(optional)");
});

Deno.test("VariablesTable() keeps apart choices and defaults that have commas and full stops", async () => {
  const variables = variablesOf([
    { name: "MODE", choices: ["a, b", "c."], default: "c." },
  ], []);
  const html = String(await VariablesTable({ variables }));
  assertStringIncludes(html, "One of: <code>a, b</code>, <code>c.</code>");
  assertStringIncludes(html, "Default: <code>c.</code>");
});
