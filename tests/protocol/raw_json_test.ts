import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { type JsonBounds, jsonFault, jsonFaultInTurns } from "../../src/protocol/json_check.ts";
import { withMembers, withoutMember } from "../../src/protocol/lists.ts";
import { jsonBytes, parseExact, RawJson } from "../../src/protocol/raw_json.ts";

// The same values in every run.
fc.configureGlobal({ seed: 20260501 });

const BOUNDS: JsonBounds = { depth: 64, lineEnds: true };
const bytesOf = (text: string) => new TextEncoder().encode(text);
const raw = (text: string) => RawJson.checked(bytesOf(text));

/** Whether the engine's own parser takes the bytes for JSON. */
function isJson(bytes: Uint8Array): boolean {
  try {
    JSON.parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes));
    return true;
  } catch {
    return false;
  }
}

const TEXTS = [
  '{"a":[1,-0.5e+10,"\\u00e9\\ud83d",null,true,false,{}],"b":"é€😀","":[[],[{}]]}',
  " [ 1 , 2e5 , -0 ] ",
  '"\\"\\\\\\/\\b\\f\\n\\r\\t"',
  "0",
];

Deno.test("jsonFault() takes exactly what JSON.parse takes, whatever bytes are changed", () => {
  const changed = fc.constantFrom(...TEXTS).chain((text) =>
    fc.array(fc.tuple(fc.nat(text.length), fc.nat(2), fc.nat(255)), { maxLength: 3 }).map(
      (changes) => {
        const bytes = [...bytesOf(text)];
        for (const [at, removed, byte] of changes) bytes.splice(at, removed, byte);
        return Uint8Array.from(bytes);
      },
    )
  );
  const made = fc.json().map(bytesOf);
  const any = fc.uint8Array({ maxLength: 12 });
  // Bytes of JSON's own, so that near misses are frequent.
  const near = fc.array(fc.constantFrom(...'{}[],:"\\u09e.-+ tnfalsr\n\x1f'), { maxLength: 12 })
    .map((chars) => bytesOf(chars.join("")));
  for (const bytes of [changed, made, any, near]) {
    fc.assert(
      fc.property(bytes, (given) => {
        const fault = jsonFault(given, BOUNDS);
        assertEquals(fault === null, isJson(given), String(given));
      }),
      { numRuns: 5000 },
    );
  }
});

Deno.test("jsonFault() tells characters from bytes that are not characters", () => {
  const cases: [number[], boolean][] = [
    [[0xc2, 0x80], true],
    [[0xc1, 0xbf], false],
    [[0xe0, 0x9f, 0x80], false],
    [[0xed, 0xa0, 0x80], false],
    [[0xef, 0xbf, 0xbf], true],
    [[0xf0, 0x8f, 0x80, 0x80], false],
    [[0xf4, 0x8f, 0xbf, 0xbf], true],
    [[0xf4, 0x90, 0x80, 0x80], false],
    [[0xf5, 0x80, 0x80, 0x80], false],
    [[0xe2, 0x82], false],
    [[0x80], false],
  ];
  for (const [bytes, isRight] of cases) {
    const text = Uint8Array.of(0x22, ...bytes, 0x22);
    assertEquals(jsonFault(text, BOUNDS), isRight ? null : "encoding", String(bytes));
    assertEquals(isJson(text), isRight);
  }
});

Deno.test("jsonFault() bounds nesting, and knows line ends between values", () => {
  assertEquals(jsonFault(bytesOf("[".repeat(65) + "]".repeat(65)), BOUNDS), "depth");
  const line = { depth: 64, lineEnds: false };
  for (const text of ["{\n}", "[1,\r2]", "1\n", "\r\n1", '{"a"\n:1}']) {
    assertEquals(jsonFault(bytesOf(text), BOUNDS), null);
    assertEquals(jsonFault(bytesOf(text), line), "line_end", text);
  }
  assertEquals(jsonFault(bytesOf('"\\n\\r\u2028"'), line), null);
});

Deno.test("jsonFaultInTurns() says the same of large texts, and lets the event loop turn", async () => {
  const large = bytesOf(`["${"é\\\\n".repeat(300_000)}",[${"[],".repeat(300_000)}1]]`);
  let turned = 0;
  const timer = setInterval(() => turned++, 0);
  assertEquals(await jsonFaultInTurns(large, BOUNDS), null);
  clearInterval(timer);
  assert(turned > 0);
  assertEquals(await jsonFaultInTurns(large.subarray(0, -1), BOUNDS), "syntax");
  const broken = large.slice();
  broken[large.length >> 1] = 0xff;
  assert(await jsonFaultInTurns(broken, BOUNDS) !== null);
});

Deno.test("RawJson finds members and items where JSON.parse finds them", () => {
  fc.assert(fc.property(fc.jsonValue(), (value) => {
    const text = RawJson.of(value);
    assertEquals(text.value(), JSON.parse(JSON.stringify(value)));
    for (const spaced of [JSON.stringify(value), JSON.stringify(value, null, 2)]) {
      const given = raw(spaced);
      if (Array.isArray(value)) {
        assertEquals([...given.items()].map((item) => item.value()), JSON.parse(spaced));
      } else if (given.isObject) {
        const members = [...given.members()].map(([key, item]) => [key.string(), item.value()]);
        assertEquals(members, Object.entries(JSON.parse(spaced)));
      }
    }
  }));
});

Deno.test("RawJson knows a member by its name, however that is written, and no other by it", () => {
  const read = (text: string) => RawJson.checked(new TextEncoder().encode(text));
  const long = "n".repeat(1022);
  const cases: [text: string, name: string, found: string | undefined][] = [
    ['{"name":1}', "name", "1"],
    ['{"n\\u0061me":2}', "name", "2"],
    ['{"\\u006e\\u0061\\u006d\\u0065" : 3 }', "name", "3"],
    ['{"a\\/b":4}', "a/b", "4"],
    ['{"a\\"b":5}', 'a"b', "5"],
    ['{"":6}', "", "6"],
    ['{"nam":1,"names":2,"Name":3,"nbme":4,"name\\u0000":5,"na\\u00e9e":6}', "name", undefined],
    ['{"nam\u00e9":1,"\u00e1\u00e9":2}', "name", undefined],
    ['["name",1]', "name", undefined],
    ['{"x":{"name":1}}', "name", undefined],
    [`{"${long}":7}`, long, "7"],
    [`{"${long}n":8}`, `${long}n`, undefined],
  ];
  for (const [text, name, found] of cases) {
    assertEquals(read(text).member(name)?.text(), found, text.slice(0, 80));
    assertEquals(read(text).pickOnce("other", name)?.[name]?.text(), found);
  }
  const twice = read('{"name":1,"n\\u0061me":2}');
  assertEquals(twice.member("name")?.text(), "2");
  assertEquals(twice.pickOnce("name"), null);
});

Deno.test("RawJson reads integers of any size, and nothing else as one", () => {
  const cases: [string, unknown][] = [
    ["9007199254740991", 9007199254740991],
    ["9007199254740993", 9007199254740993n],
    ["-18446744073709551617", -18446744073709551617n],
    ["1.5", null],
    ["1e30", null],
    ['"1"', null],
    ["[1]", null],
    ["null", null],
    ["1".repeat(2000), null],
  ];
  for (const [text, value] of cases) assertEquals(raw(text).integer(), value, text);
});

Deno.test("RawJson.value() builds no more values than it is told to", () => {
  assertEquals(raw('{"a":[1,{"b":null}],"c":"d"}').value(6), { a: [1, { b: null }], c: "d" });
  assertEquals(raw('{"a":[1,{"b":null}],"c":"d"}').value(5), undefined);
  assertEquals(raw(`[${"[],".repeat(1_000_000)}[]]`).value(), undefined);
});

Deno.test("RawJson.singleValue() refuses a name that is there twice, however it is written", () => {
  fc.assert(fc.property(fc.jsonValue(), (value) => {
    const text = JSON.stringify(value);
    assertEquals(raw(text).singleValue(), JSON.parse(text));
  }));
  assertEquals(raw('{"a":1,"\\u0061":1}').singleValue(), undefined);
  assertEquals(raw('[{"x":{"a":1,"a":[]}}]').singleValue(), undefined);
});

Deno.test("parseExact() and jsonBytes() keep numbers as they were written", () => {
  const text = '{"a":[9007199254740993,1.0,1e400,-0,0.1,1E5,123456789012345678901234567890],"b":2}';
  const written = new TextDecoder().decode(jsonBytes(parseExact(text)));
  assertEquals(written, text);
  assertEquals(JSON.stringify(parseExact(text)), text);
  assertEquals(
    new TextDecoder().decode(jsonBytes({ a: 2n ** 70n, b: [raw("1.0"), undefined] })),
    '{"a":1180591620717411303424,"b":[1.0,null]}',
  );
});

Deno.test("jsonBytes() writes what JSON.stringify writes", () => {
  fc.assert(fc.property(fc.jsonValue(), (value) => {
    assertEquals(new TextDecoder().decode(jsonBytes(value)), JSON.stringify(value));
  }));
});

Deno.test("withMembers() and withoutMember() leave the other members as they are", () => {
  const given = raw('{ "a" : 1.0, "b":[ 2 ] , "\\u0061":3}');
  assertEquals(
    withMembers(given, { b: raw("{}"), c: raw("9007199254740993") }).text(),
    '{"a":1.0,"\\u0061":3,"b":{},"c":9007199254740993}',
  );
  assertEquals(withoutMember(given, "a").text(), '{"b":[ 2 ]}');
  assertEquals(withoutMember(raw('{"a":1}'), "a").text(), "{}");
  assertEquals(withoutMember(given, "z"), given);
});
