import { assertEquals } from "@std/assert";
import { createRuff } from "../../../workers/analysis/ruff/ruff.ts";
import { neutralise } from "../../../workers/analysis/ruff/suppressions.ts";

const FORMS = [
  "eval(x)  # noqa",
  "eval(x)  # noqa: S307",
  "eval(x)  # NoQA:S307,F821",
  "eval(x)  #noqa : S307",
  "eval(x)  # some words # noqa",
  "# ruff: noqa\neval(x)",
  "# ruff: noqa: S307\neval(x)",
  "# flake8: noqa\neval(x)",
  "#ruff:noqa\neval(x)",
  "# ruff: disable[S307]\neval(x)",
  "# ruff: file-ignore[S307]\neval(x)",
  "eval(x)  # ruff: ignore[S307]",
  "# RUFF: NOQA\neval(x)",
  "#\truff\t:\tnoqa\neval(x)",
];

Deno.test("neutralise() disarms every form that the engine obeys, positions kept", () => {
  const ruff = createRuff(["S307"]);
  for (const form of FORMS) {
    const { text } = neutralise(form);
    assertEquals(text.length, form.length, form);
    assertEquals(ruff.check(form).findings.map(({ code }) => code), ["S307"], form);
  }
});

Deno.test("neutralise() lists lines that silence any tool, and only comments", () => {
  const text = "a  # nosec\nb = 'nosec'\nc  # pylint: disable=x\nd  # about noqa\ne  # nosemgrep\n";
  assertEquals(neutralise(text).lines, [1, 3, 4, 5]);
});
