import { assert, assertEquals } from "@std/assert";
import { ServerAuditQuery } from "../../src/audit/schema.ts";
import { invalidRequest } from "../../src/http/validation.ts";
import { PageQuery } from "../../src/payments/schema.ts";
import { HistoryQuery } from "../../src/registry/scanning/scan_schema.ts";
import { CreateServer, ListQuery, UpdateServer } from "../../src/registry/schema.ts";
import { serverInput } from "../helpers/registry.ts";

/** What stands around or inside a value and is easily taken for nothing. */
const STRAY = [
  " ",
  "  ",
  "\t",
  "\n",
  "\r\n",
  "\v",
  "\f",
  "\u00a0",
  "\u0085",
  "\u2028",
  "\u3000",
  "\ufeff",
];

function faultsOf(change: Record<string, unknown>): string[] {
  const parsed = CreateServer.safeParse({ ...serverInput("weather"), ...change });
  return parsed.success
    ? []
    : invalidRequest("json", parsed.error.issues).errors.map((e) => e.path);
}

Deno.test("blanks and line ends around a value are refused by the field's name, not stored", () => {
  const values: Record<string, string> = {
    name: "weather",
    version: "1.2.3",
    lang: "python",
    license: "MIT OR Apache-2.0",
    entrypoint: "src/server.py",
  };
  for (const [field, value] of Object.entries(values)) {
    assertEquals(faultsOf({ [field]: value }), [], field);
    for (const stray of STRAY) {
      for (const text of [value + stray, stray + value, stray + value + stray]) {
        assertEquals(faultsOf({ [field]: text }), [field], JSON.stringify(text));
        const { success } = UpdateServer.safeParse({ [field]: text });
        assert(!success, JSON.stringify(text));
      }
    }
  }
  for (const stray of STRAY) {
    const names = [`forecast${stray}`];
    assertEquals(faultsOf({ tools: { names } }), ["tools.names.0"], JSON.stringify(stray));
    const pricing = { currency: `USD${stray}`, amount: 0 };
    assertEquals(faultsOf({ pricing }), ["pricing.currency"], JSON.stringify(stray));
    const type = `git${stray}`;
    assertEquals(
      faultsOf({ repository: { type, url: "https://github.com/acme/weather" } }),
      ["repository.type"],
      JSON.stringify(stray),
    );
  }
});

Deno.test("texts that are trimmed are stored trimmed", () => {
  const parsed = CreateServer.parse({
    ...serverInput("weather"),
    description: "\n Weather by city \t",
    author: " acme ",
  });
  assertEquals([parsed.description, parsed.author], ["Weather by city", "acme"]);
});

Deno.test("versions are what Semantic Versioning 2.0 says, to the letter", () => {
  for (
    const version of ["0.0.0", "1.2.3-rc.1+build.5", "10.20.30", "1.0.0--", "1.0.0-0A.is.legal"]
  ) {
    assertEquals(faultsOf({ version }), [], version);
  }
  const refused = [
    "v1.2.3",
    "=1.2.3",
    "V1.2.3",
    "1.2",
    "1",
    "01.2.3",
    "1.2.3.4",
    "1.2.3-",
    "1.2.3+",
  ];
  refused.push(
    "1.2.3-01",
    "1.2.3 beta",
    "１.2.3",
    "1.2.٣",
    "+1.2.3",
    "-1.2.3",
    "1e2.0.0",
    "1.2.3_a",
  );
  refused.push(`1.2.${"9".repeat(20)}`, "1.2.3-é", "latest", "*", "1.x.0", "1.2.3\u0000");
  for (const version of refused) assertEquals(faultsOf({ version }), ["version"], version);
});

Deno.test("numbers in a query are plain digits", () => {
  const queries = { ListQuery, ServerAuditQuery, HistoryQuery, PageQuery };
  const strange = [
    "1e2",
    "1E2",
    "0x10",
    "0b11",
    "0o7",
    "+5",
    "-5",
    " 5",
    "5 ",
    "5.0",
    "5.",
    ".5",
    "",
  ];
  strange.push(
    "٥",
    "５",
    "५",
    "1_000",
    "1,000",
    "Infinity",
    "NaN",
    "5n",
    "5\n",
    "\t5",
    "0",
    "99999999999",
  );
  for (const [name, query] of Object.entries(queries)) {
    assertEquals(query.parse({ limit: "5" }).limit, 5, name);
    assertEquals(query.parse({ limit: "007" }).limit, 7, name);
    assert(query.parse({}).limit >= 20, name);
    for (const limit of strange) {
      const parsed = query.safeParse({ limit });
      assert(!parsed.success, `${name} ${limit}`);
      const { errors } = invalidRequest("query", parsed.error.issues);
      assertEquals(errors.map(({ path }) => path), ["limit"], `${name} ${limit}`);
    }
  }
  for (const price of ["1e2", "0x10", "+5", " 5", "5.", ".5", "٥", "", "-1", "5\n", "1,5"]) {
    assert(!ListQuery.safeParse({ max_price: price }).success, price);
  }
  assertEquals(ListQuery.parse({ max_price: "4.50" }).max_price, 4.5);
});
