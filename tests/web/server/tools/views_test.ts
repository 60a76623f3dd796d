/** Tools as pages show them, from schemas and sources that may be hostile. */
import { assert, assertEquals } from "@std/assert";
import type { ServerDetail } from "../../../../src/registry/schema.ts";
import type { ListedTool } from "../../../../src/scan/listed_tools_schema.ts";
import type { DiscoveredTool } from "../../../../src/scan/schema.ts";
import { readDocstring, readType } from "../../../../src/web/server/tools/annotated.ts";
import { firstSentence, toolAnchor } from "../../../../src/web/server/tools/lines.tsx";
import { toolViews } from "../../../../src/web/server/tools/views.ts";

function listed(input_schema: Record<string, unknown>, more: Partial<ListedTool> = {}): ListedTool {
  return {
    name: "book",
    title: null,
    description: null,
    output_schema: null,
    annotations: {},
    ...more,
    input_schema,
  };
}

function found(signature: string, more: Partial<DiscoveredTool> = {}): DiscoveredTool {
  return {
    name: "book",
    file: "server.py",
    line: 1,
    description: null,
    declaration: "@mcp.tool()",
    ...more,
    signature,
  };
}

function viewsOf(discovery: Record<string, unknown>) {
  const security_report = { tool_discovery: { found: [], ...discovery } };
  return toolViews({ security_report } as unknown as ServerDetail);
}

Deno.test("toolViews() shows descriptions, choices, defaults, bounds and members of a schema", () => {
  const [view] = viewsOf({
    found: [found("book(day, seats, guests)")],
    listed: [listed({
      type: "object",
      required: ["day"],
      properties: {
        day: { type: "string", format: "date", description: "When" },
        seats: { type: "integer", minimum: 1, maximum: 9, default: 2 },
        place: { enum: ["bar", "terrace"], default: "bar" },
        guests: {
          type: "array",
          items: { type: "object", properties: { name: { type: "string" } }, required: ["name"] },
        },
      },
    }, { annotations: { readOnlyHint: false, destructiveHint: true } })],
  });
  const [day, seats, place, guests] = view!.parameters!;
  assertEquals([day!.required, day!.description, day!.type], [true, "When", "string"]);
  assertEquals([seats!.defaultValue, seats!.constraints], ["2", "1 to 9"]);
  assertEquals([place!.choices, place!.defaultValue], [["bar", "terrace"], "bar"]);
  assertEquals([guests!.type, guests!.members.map(({ name }) => name)], ["list of object", [
    "name",
  ]]);
  assertEquals(view!.signs, ["destructive"]);
  assertEquals(view!.example!.arguments, { day: "2026-01-31" });
});

Deno.test("toolViews() reads what the source says where the server listed nothing", () => {
  const [view] = viewsOf({
    found: [found(
      'book(day: Annotated[str, Field(description="When, as a date")], ' +
        'place: Literal["bar", "terrace"] = "bar", seats: int = 2) -> str',
      {
        description:
          "Books a table.\n\nArgs:\n    seats: How many\n      people\n\nReturns: a text",
        declaration: "@mcp.tool(annotations={'readOnlyHint': True})",
      },
    )],
  });
  const [day, place, seats] = view!.parameters!;
  assertEquals([day!.type, day!.description, day!.required], ["str", "When, as a date", true]);
  assertEquals([place!.choices, place!.defaultValue], [["bar", "terrace"], '"bar"']);
  assertEquals([seats!.description, seats!.type], ["How many people", "int"]);
  assertEquals(view!.signs, ["read-only"]);
  assert(view!.description!.startsWith("Books a table."));
  assertEquals(view!.example!.arguments, { day: "text" });
});

Deno.test("toolViews() lists tools that only the build has seen, with what is known of them", () => {
  const views = viewsOf({
    built: [{ name: "made", description: "At run time" }, { name: "plain", description: null }],
    listed: [listed({ type: "object" }, { name: "made" })],
  });
  assertEquals(views.map(({ name, parameters }) => [name, parameters]), [
    ["made", []],
    ["plain", null],
  ]);
});

Deno.test("toolViews() stays small and quick for schemas that are made to grow", () => {
  const branch = { anyOf: Array.from({ length: 20 }, () => ({ $ref: "#/$defs/node" })) };
  const node = { type: "object", properties: { a: branch, b: branch, c: branch } };
  const hostile = { type: "object", properties: { top: branch }, $defs: { node } };
  const many = Array.from({ length: 60 }, (_, at) => `tool${at}`);
  const begun = performance.now();
  const views = viewsOf({
    found: many.map((name) => found("f(a)", { name })),
    listed: many.map((name) => listed(structuredClone(hostile), { name })),
  });
  const json = JSON.stringify(views);
  assertEquals(views.length, many.length);
  assert(json.length < 5_000_000, String(json.length));
  assert(performance.now() - begun < 20_000);
});

Deno.test("toolViews() takes a schema with the names of an object's own members as any other", () => {
  const schema = JSON.parse(
    '{"type":"object","properties":{"__proto__":{"type":"string"},"constructor":{"type":"null"}},' +
      '"required":["__proto__"]}',
  );
  const [view] = viewsOf({ found: [found("f()")], listed: [listed(schema)] });
  assertEquals(view!.parameters!.map(({ name }) => name), ["__proto__", "constructor"]);
});

Deno.test("readDocstring() reads lists of arguments in the usual forms, and leaves the rest", () => {
  const forms = [
    "Does it.\n\nArgs:\n    city (str): Where\n    days: How long",
    "Does it.\n\n:param city: Where\n:param days: How long",
    "Does it.\n\nParameters:\n- `city`: Where\n- days: How long",
    "Does it.\n@param {string} city Where\n@param days - How long",
  ];
  for (const text of forms) {
    const read = readDocstring(text);
    assertEquals(read.text, "Does it.", text);
    assertEquals([...read.parameters], [["city", "Where"], ["days", "How long"]], text);
  }
  assertEquals(readDocstring("Time: now").text, "Time: now");
});

Deno.test("readType() reads choices and descriptions, and leaves other types as they are", () => {
  assertEquals(readType("dict[str, int]"), {
    type: "dict[str, int]",
    description: null,
    choices: [],
  });
  assertEquals(readType("Literal['a', 'b, c']").choices.length > 0, true);
  assertEquals(readType('"x" | "y"').choices, ["x", "y"]);
  const hostile = `Literal[${"Literal[".repeat(400)}`;
  assertEquals(readType(hostile).type, hostile);
});

Deno.test("firstSentence() ends at a sentence or with an ellipsis; toolAnchor() has no spaces", () => {
  assertEquals(firstSentence("Adds two numbers. And more"), "Adds two numbers.");
  assertEquals(firstSentence("a".repeat(300), 10), `${"a".repeat(9)}…`);
  assertEquals(firstSentence("Version 1.2 is\nout"), "Version 1.2 is out");
  assertEquals(toolAnchor("a b\tc"), "tool-a_b_c");
});
