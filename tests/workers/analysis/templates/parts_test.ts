import { assertEquals } from "@std/assert";
import { jinjaParts, templatePython } from "../../../../workers/analysis/templates/parts.ts";
import { lineFinder } from "../../../../workers/analysis/text.ts";

const codes = (text: string) => jinjaParts(text).map(({ code }) => code.trim());

Deno.test("jinjaParts() gives expressions and statements, not comments and raw text", () => {
  assertEquals(codes("a {{ b }} {% if c %}{# {{ d }} #}{% endif %}"), ["b", "if c", "endif"]);
  assertEquals(codes("{% raw %}{{ a }}{% endraw %}{{ b }}"), ["raw", "b"]);
  assertEquals(codes("{# {% raw %} #}{{ a }}{# {% endraw %} #}"), ["a"]);
});

Deno.test("jinjaParts() knows that marks in strings end nothing", () => {
  assertEquals(codes("{{ '}}' ~ a }}{{ b }}"), ["'}}' ~ a", "b"]);
  assertEquals(codes("{{ 'never closed }} {{ b }}"), ["'never closed", "b"]);
});

function python(text: string, syntax: Parameters<typeof templatePython>[1]) {
  const { code, lines } = templatePython(text, syntax, lineFinder(text));
  return { code: code.trim().split("\n"), lines };
}

Deno.test("templatePython() gives Mako's blocks, lines and expressions with their lines", () => {
  const text = `<%!\n  import json\n%>\n% for a in b:\n\${a | h}\n% endfor\n`;
  assertEquals(python(text, "mako"), {
    code: ["import json", "", "for a in b: pass", "(a)"],
    lines: [1, 2, 3, 4, 5],
  });
});

Deno.test("templatePython() gives what other engines run", () => {
  assertEquals(python("{% import os %}{{ f(x) }}{% end %}", "tornado").code, [
    "import os",
    "(f(x))",
  ]);
  assertEquals(python("% import os\n{{x}}\n", "simple").code, ["import os", "(x)"]);
  assertEquals(python(`<p py:if="f(x)">\${y}</p>`, "markup").code, ["(f(x))", "(y)"]);
  assertEquals(python("#import os\n#set $a = $b\n", "cheetah").code, ["import os", "a = b"]);
});
