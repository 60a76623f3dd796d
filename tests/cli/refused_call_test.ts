import { assertEquals, assertStringIncludes } from "@std/assert";
import { DETAIL_EXAMPLE } from "../../src/http/openapi/examples.ts";
import { testCli } from "../helpers/cli.ts";

const refusal = {
  success: false,
  error: { code: "FORBIDDEN", message: "Its scan failed", details: {} },
};

for (
  const args of [["call", "weather", "get"], ["tools", "weather"], ["shell", "weather"]]
) {
  Deno.test(`berth ${args[0]} of a server whose scan failed exits as pull does`, async () => {
    const report = { ...DETAIL_EXAMPLE.security_report, status: "failed" };
    await using cli = await testCli((url) => {
      if (url.endsWith("/.well-known/berth")) {
        return Response.json({
          service: {
            name: "Berth",
            version: "0.1.0",
            api_url: "http://127.0.0.1:8000/api/v1",
            mcp_url: "http://127.0.0.1:8001/mcp",
            sign_in: null,
          },
        });
      }
      if (url.includes("/mcp")) {
        const error = { code: -32000, message: "Its scan failed", data: refusal };
        return Response.json({ jsonrpc: "2.0", id: null, error }, { status: 403 });
      }
      const server = { ...DETAIL_EXAMPLE, name: "weather", security_report: report };
      return Response.json({ status: "success", server });
    });
    const { code, err } = await cli.run(args);
    assertEquals(code, 6, err);
    assertStringIncludes(err, "security scan failed");
  });
}
