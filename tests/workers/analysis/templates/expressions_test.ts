import { assertEquals } from "@std/assert";
import { partFaults } from "../../../../workers/analysis/templates/expressions.ts";
import { jinjaParts } from "../../../../workers/analysis/templates/parts.ts";

const faults = (text: string) => partFaults(jinjaParts(text)).map(({ title }) => title);

Deno.test("partFaults() says what an expression reaches, and where", () => {
  const text = "Hello\n{{ name }}\n{{ x.__class__.__mro__ }}";
  assertEquals(partFaults(jinjaParts(text)), [{
    title: "A template accesses __class__",
    at: text.indexOf(" x."),
  }]);
  assertEquals(faults("{{ os.popen('id') }}"), ["A template calls popen"]);
  assertEquals(faults("{{ x['__glo' ~ 'bals__'] }}"), [
    "A template builds the name of an internal attribute",
  ]);
  assertEquals(faults("{{ x|attr(name ~ 1) }}"), [
    "A template looks up a computed name",
  ]);
});

Deno.test("partFaults() sees names whose pieces stand in several statements", () => {
  assertEquals(
    faults("{% set a = '__cla' %}{% set b = 'ss__' %}{{ x[a ~ b] }}").length > 0,
    true,
  );
});

Deno.test("partFaults() leaves names of types, keys and files alone", () => {
  for (
    const text of [
      "{{ e.__class__.__name__ }}",
      "{{ data['system'] }}",
      "{% if name == '__init__.py' %}x{% endif %}",
      "{{ row['a_' ~ i] }}",
      "{{ 'a_b'|replace('_', ' ') }}",
    ]
  ) assertEquals(faults(text), [], text);
});

Deno.test("partFaults() does not read expressions without end", () => {
  const long = `{{ ${"'a' ~ ".repeat(20_000)} x|attr(y) }}`;
  assertEquals(faults(long), ["A template has an expression that is too long to analyse"]);
  assertEquals(faults("{{ x[".repeat(20_000)), []);
  assertEquals(faults("{{ ' ".repeat(5_000)), []);
});
