import { assertEquals } from "@std/assert";
import { fitsCurrency, formatAmount, toDecimal } from "../../src/payments/amounts.ts";

Deno.test("toDecimal() takes plain decimals, and nothing that would lose or hide a digit", () => {
  const taken: [number | string, string][] = [
    [0, "0"],
    [-0, "0"],
    [4.99, "4.99"],
    [1e3, "1000"],
    [0.1, "0.1"],
    [99999999999.9999, "99999999999.9999"],
    ["4.90", "4.90"],
    ["0.0001", "0.0001"],
  ];
  for (const [value, decimal] of taken) assertEquals(toDecimal(value), decimal, String(value));
  const refused: (number | string)[] = [
    -1,
    NaN,
    Infinity,
    1e21,
    1e-7,
    0.1 + 0.2,
    100_000_000_000,
    "",
    " 1",
    "1 ",
    "+1",
    "-1",
    "1.",
    ".5",
    "01",
    "1,5",
    "1e3",
    "0x10",
    "1.00000",
    "NaN",
    "٣",
    "1\n",
  ];
  for (const value of refused) assertEquals(toDecimal(value), null, String(value));
});

Deno.test("fitsCurrency() counts the decimals that matter", () => {
  const cases: [string, string, boolean][] = [
    ["500", "JPY", true],
    ["500.00", "JPY", true],
    ["500.5", "JPY", false],
    ["4.99", "USD", true],
    ["4.999", "USD", false],
    ["1.125", "KWD", true],
    ["1.1255", "KWD", false],
    ["1.1255", "XXQ", true],
  ];
  for (const [amount, currency, fits] of cases) {
    assertEquals(fitsCurrency(amount, currency), fits, `${amount} ${currency}`);
  }
});

Deno.test("formatAmount() has the currency's decimals, and drops none that count", () => {
  const cases: [string, string, string][] = [
    ["4.9900", "USD", "4.99"],
    ["5", "USD", "5.00"],
    ["500.0000", "JPY", "500"],
    ["1.5000", "KWD", "1.500"],
    ["1.0005", "USD", "1.0005"],
    ["12.3400", "XXQ", "12.34"],
    ["0", "JPY", "0"],
  ];
  for (const [decimal, currency, text] of cases) {
    assertEquals(formatAmount(decimal, currency), text);
  }
});
