import { assert, assertEquals } from "@std/assert";
import { createMasking } from "../../../src/execution/sessions/masking.ts";
import { RawJson } from "../../../src/protocol/raw_json.ts";

async function maskedTexts(secret: string, text: string): Promise<string[]> {
  const raw = RawJson.checked(new TextEncoder().encode(text));
  const masking = createMasking({ API_KEY: secret });
  assert(masking !== null);
  const both = [masking.json(raw), await masking.jsonInTurns(raw)];
  return both.map(({ bytes }) => new TextDecoder().decode(bytes));
}

Deno.test("a secret that looks like part of an escape leaves JSON as it is", async () => {
  const cases: [secret: string, text: string][] = [
    ["nabcdef12", '{"a":"\\nabcdef12"}'],
    ["u00e9xyz", '{"a":"\\u00e9xyz"}'],
    ["00e9xyzabc", '{"a":"\\u00e9xyzabc"}'],
    ['"abcdef', '{"a":"abcdef"}'],
    ["n".repeat(8), `{"a":"${"\\n".repeat(100_000)}"}`],
    ['","b":"', '{"a":"x","b":"y"}'],
    ["12345678", '{"a":12345678}'],
  ];
  for (const [secret, text] of cases) {
    for (const masked of await maskedTexts(secret, text)) assert(masked === text, secret);
  }
});

Deno.test("a secret is masked in strings of JSON, however these are written", async () => {
  const secret = 'Grüße "aus"\\nKöln';
  const plain = { text: `it is ${secret}.`, [secret]: JSON.stringify({ secret }) };
  const ascii = JSON.stringify(plain).replace(
    /[\u0080-\uffff]/g,
    (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  for (const text of [JSON.stringify(plain), ascii]) {
    for (const masked of await maskedTexts(secret, text)) {
      assertEquals(JSON.parse(masked), {
        text: "it is [API_KEY].",
        "[API_KEY]": '{"secret":"[API_KEY]"}',
      });
    }
  }
});

Deno.test("a long result stays JSON at every place where it is cut to be searched", async () => {
  for (let shift = 0; shift < 16; shift++) {
    const text = JSON.stringify(["x".repeat(shift) + "\nabcdef12".repeat(60_000)]);
    for (const masked of await maskedTexts("nabcdef12", text)) assert(masked === text, `${shift}`);
  }
});
