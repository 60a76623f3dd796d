import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { abilitiesOf, NO_ABILITIES } from "../../src/protocol/abilities.ts";
import {
  checkQuestion as checkText,
  isAnswer as isAnswerText,
  type QuestionMethod,
} from "../../src/protocol/questions.ts";
import { RawJson } from "../../src/protocol/raw_json.ts";
import { textOf } from "../helpers/plain_json.ts";

// The same values in every run.
fc.configureGlobal({ seed: 20260501 });

const checkQuestion = (method: QuestionMethod, params: unknown, abilities: typeof ALL) =>
  checkText(method, textOf(params), abilities);
const isAnswer = (method: QuestionMethod, result: unknown) =>
  isAnswerText(method, RawJson.of(result));

const ALL = abilitiesOf({
  sampling: { tools: {} },
  elicitation: { form: {}, url: {} },
  roots: { listChanged: true },
});
const TEXT = { type: "text", text: "hello" };
const ASK = { messages: [{ role: "user", content: TEXT }], maxTokens: 10 };
const USE = { type: "tool_use", id: "1", name: "t", input: {} };
const RESULT = { type: "tool_result", toolUseId: "1", content: [] };

Deno.test("abilitiesOf() reads what a client declares, and nothing from what is no object", () => {
  assertEquals(abilitiesOf({ elicitation: {} }).forms, true);
  assertEquals(abilitiesOf({ elicitation: { url: {} } }).forms, false);
  assertEquals(abilitiesOf({ elicitation: { url: {} } }).urls, true);
  assertEquals(abilitiesOf({ elicitation: { form: {}, url: {} } }).forms, true);
  for (
    const odd of [
      null,
      undefined,
      5,
      "sampling",
      [],
      { sampling: true, elicitation: [], roots: "x" },
      { __proto__: { sampling: {} } },
    ]
  ) assertEquals(abilitiesOf(odd), NO_ABILITIES);
});

const FINE: [QuestionMethod, unknown][] = [
  ["ping", {}],
  ["ping", undefined],
  ["roots/list", undefined],
  ["sampling/createMessage", ASK],
  ["sampling/createMessage", { ...ASK, tools: [{ name: "t" }], toolChoice: { mode: "auto" } }],
  ["sampling/createMessage", {
    ...ASK,
    messages: [
      { role: "user", content: [TEXT] },
      { role: "assistant", content: [TEXT, USE] },
      { role: "user", content: [RESULT] },
    ],
  }],
  ["elicitation/create", { message: "?", requestedSchema: { type: "object", properties: {} } }],
  ["elicitation/create", {
    mode: "form",
    message: "?",
    requestedSchema: {
      type: "object",
      properties: {
        name: { type: "string" },
        age: { anyOf: [{ type: "integer" }, { type: "null" }] },
        choices: { type: "array", items: { anyOf: [{ const: "a", title: "A" }] } },
      },
    },
  }],
  ["elicitation/create", {
    mode: "url",
    message: "?",
    url: "https://example.com/pay",
    elicitationId: "e-1",
  }],
];

for (const [method, params] of FINE) {
  Deno.test(`checkQuestion() lets ${method} ${JSON.stringify(params)?.slice(0, 60)} pass`, () => {
    assertEquals(checkQuestion(method, params, ALL), { ok: true });
  });
}

const BAD: [QuestionMethod, unknown][] = [
  ["sampling/createMessage", undefined],
  ["sampling/createMessage", { ...ASK, messages: "x" }],
  ["sampling/createMessage", { messages: [] }],
  ["sampling/createMessage", { ...ASK, messages: [{ role: "system", content: TEXT }] }],
  ["sampling/createMessage", { ...ASK, messages: [{ role: "user", content: { type: "x" } }] }],
  ["sampling/createMessage", { ...ASK, messages: [{ role: "assistant", content: [USE] }] }],
  ["sampling/createMessage", { ...ASK, messages: [{ role: "user", content: [RESULT] }] }],
  ["elicitation/create", { message: "?" }],
  ["elicitation/create", { mode: "form", message: "?", requestedSchema: { type: "string" } }],
  ["elicitation/create", {
    message: "?",
    requestedSchema: { type: "object", properties: { nested: { type: "object" } } },
  }],
  ["elicitation/create", {
    message: "?",
    requestedSchema: {
      type: "object",
      properties: { list: { type: "array", items: { type: "object" } } },
    },
  }],
  ["elicitation/create", { mode: "url", message: "?", url: "javascript:1", elicitationId: "e" }],
  ["elicitation/create", { mode: "url", message: "?", url: "https://x.example/" }],
  ["elicitation/create", { mode: "voice", message: "?" }],
];

for (const [method, params] of BAD) {
  Deno.test(`checkQuestion() refuses ${method} ${JSON.stringify(params)?.slice(0, 80)}`, () => {
    const check = checkQuestion(method, params, ALL);
    assertEquals(check.ok ? 0 : check.code, -32602);
  });
}

Deno.test("checkQuestion() refuses what the client did not declare", () => {
  for (const [method, params] of FINE.filter(([method]) => method !== "ping")) {
    const check = checkQuestion(method, params, NO_ABILITIES);
    assertEquals(check.ok ? 0 : check.code, -32601, method);
  }
  const sampling = abilitiesOf({ sampling: {} });
  assertEquals(checkQuestion("sampling/createMessage", { ...ASK, tools: [] }, sampling).ok, false);
  const forms = abilitiesOf({ elicitation: {} });
  const url = { mode: "url", message: "?", url: "https://x.example/", elicitationId: "e" };
  assertEquals(checkQuestion("elicitation/create", url, forms).ok, false);
});

Deno.test("isAnswer() takes the results that MCP has, with more in them", () => {
  const answers: [QuestionMethod, unknown][] = [
    ["ping", { _meta: {} }],
    ["roots/list", { roots: [{ uri: "file:///home/ada", name: "home" }] }],
    ["sampling/createMessage", { role: "assistant", content: TEXT, model: "m", stopReason: "x" }],
    ["sampling/createMessage", { role: "assistant", content: [TEXT, USE], model: "m" }],
    ["elicitation/create", { action: "decline" }],
    ["elicitation/create", { action: "accept", content: { a: "x", b: 1, c: true, d: ["y"] } }],
  ];
  for (const [method, result] of answers) assertEquals(isAnswer(method, result), true, method);
});

Deno.test("isAnswer() refuses anything else, and never throws", () => {
  const lies: [QuestionMethod, unknown][] = [
    ["ping", undefined],
    ["ping", []],
    ["roots/list", { roots: [{ uri: "https://example.com/" }] }],
    ["roots/list", { roots: [{ uri: "../etc" }] }],
    ["roots/list", { roots: new Array(20_000).fill({ uri: "file:///x" }) }],
    ["roots/list", {}],
    ["sampling/createMessage", { role: "assistant", content: TEXT }],
    ["sampling/createMessage", { role: "assistant", content: { type: "text" }, model: "m" }],
    ["elicitation/create", { action: "yes" }],
    ["elicitation/create", { action: "accept", content: { nested: { a: 1 } } }],
    ["elicitation/create", { action: "accept", content: ["x"] }],
  ];
  for (const [method, result] of lies) assertEquals(isAnswer(method, result), false, method);
  fc.assert(fc.property(fc.jsonValue(), (result) => {
    isAnswer("sampling/createMessage", result);
    isAnswer("elicitation/create", result);
  }));
});

Deno.test("checkQuestion() refuses a name that is there twice, and more values than are read", () => {
  const check = (text: string) =>
    checkText("elicitation/create", RawJson.checked(new TextEncoder().encode(text)), ALL).ok;
  const form = '"message":"m","requestedSchema":{"type":"object","properties":{}}';
  assertEquals(check(`{${form}}`), true);
  assertEquals(check(`{${form},"mode":"form"}`), true);
  assertEquals(check(`{"mode":"url",${form},"mode":"form"}`), false);
  assertEquals(check(`{${form},"_meta":{"a":1,"\\u0061":2}}`), false);
  assertEquals(check(`{${form},"_meta":[${"[],".repeat(10_000)}1]}`), false);
});
