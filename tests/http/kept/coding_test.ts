import { assertEquals } from "@std/assert";
import { codingFor } from "../../../src/http/kept/coding.ts";

Deno.test("codingFor() follows Accept-Encoding, whatever is in it", () => {
  const cases: [string | undefined, string | null][] = [
    [undefined, null],
    ["", null],
    ["identity", null],
    ["gzip", "gzip"],
    ["GZIP, deflate", "gzip"],
    ["gzip, br", "br"],
    ["gzip, br;q=0.9", "gzip"],
    ["identity, gzip", "gzip"],
    ["gzip;q=1.0,deflate;q=0.6,identity;q=0.3", "gzip"],
    ["gzip;q=0.1, identity", null],
    ["br;q=0, gzip", "gzip"],
    ["br;q=0.000,gzip ; q=0.1", "gzip"],
    ["*", "br"],
    ["*;q=0", null],
    ["br;q=0, *", "gzip"],
    ["gzip;q=0, br;q=0, *", null],
    ["deflate, zstd", null],
    ["br;q=x", null],
    [";;,=,,q=1", null],
    [`${"a,".repeat(8000)}br`, "br"],
  ];
  for (const [accepted, coding] of cases) {
    assertEquals(codingFor(accepted, 5000), coding, String(accepted).slice(0, 50));
  }
});

Deno.test("codingFor() leaves short bodies alone", () => {
  assertEquals(codingFor("br", 100), null);
});
