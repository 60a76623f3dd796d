import { assertEquals } from "@std/assert";
import { currentTraceId, inSpan, readParent, traceFields } from "../src/tracing.ts";

const TRACE = "0af7651916cd43dd8448eb211c80319c";
const SPAN = "b7ad6b7169203331";

Deno.test("readParent() reads W3C trace context, also of later versions", () => {
  const parent = { traceId: TRACE, spanId: SPAN, traceFlags: 1, isRemote: true };
  assertEquals(readParent(`00-${TRACE}-${SPAN}-01`), parent);
  assertEquals(readParent(`cc-${TRACE}-${SPAN}-09-what-comes-later`), parent);
  assertEquals(readParent(`00-${TRACE}-${SPAN}-00`), { ...parent, traceFlags: 0 });
});

Deno.test("readParent() takes nothing from what is malformed", () => {
  const broken = [
    null,
    undefined,
    "",
    `00-${TRACE}-${SPAN}`,
    `00-${TRACE}-${SPAN}-01-more`,
    `ff-${TRACE}-${SPAN}-01`,
    `00-${"0".repeat(32)}-${SPAN}-01`,
    `00-${TRACE}-${"0".repeat(16)}-01`,
    `00-${TRACE.toUpperCase()}-${SPAN}-01`,
    `00-${TRACE}-${SPAN}-01\n`,
    `cc-${TRACE}-${SPAN}-01-${"x".repeat(500)}`,
  ];
  for (const text of broken) assertEquals(readParent(text), null, text ?? "none");
});

Deno.test("inSpan() is transparent where nothing is traced", async () => {
  assertEquals(await inSpan({ name: "work" }, () => traceFields()), {});
  assertEquals(await inSpan({ name: "work" }, () => currentTraceId()), null);
});
