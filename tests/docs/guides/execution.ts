/** @module What docs/execution.md shows. */
import { assertEquals, assertMatch } from "@std/assert";
import { type BerthProcess, startBerthProcess } from "../../helpers/berth_process.ts";
import { preparedDataDir } from "../../helpers/data_dir.ts";
import { shellIn } from "./desk.ts";
import type { Check } from "./guide.ts";

/** The JSON-RPC messages that several `curl -s` wrote after another. */
function messagesIn(out: string) {
  return out.split(/(?<=\})\s*(?=\{"jsonrpc)/).map((text) => JSON.parse(text));
}

/** One for each block, in order. */
export const EXECUTION: Check[] = [
  async ({ code }, { shell }) => {
    const { out } = await shell(code);
    const [initialized, listed] = messagesIn(out);
    assertEquals(initialized.result.serverInfo.name, "weather");
    assertEquals(
      listed.result.tools.map(({ name }: { name: string }) => name),
      ["current_weather", "forecast"],
    );
  },
  async ({ code }, { shell }) => {
    const [, header] = code.split(/(?=# in a header)/);
    const [initialized] = messagesIn((await shell(code.replace(header!, ""))).out);
    assertEquals(initialized.id, 1);
    const [listed] = messagesIn((await shell(header!.replaceAll("my-session", "other"))).out);
    assertEquals(listed.result.tools.length, 2);
  },
  async ({ code }, { home, world }) => {
    const dataDir = await preparedDataDir();
    const { OIDC_ISSUER: _issuer, OIDC_AUDIENCE: _audience, ...around } = world.environment;
    let berth: BerthProcess | undefined;
    try {
      berth = await startBerthProcess({
        dataDir,
        environment: { ...around, EXECUTION_AUTH: "required", WARM_SESSIONS: "1" },
      });
      const shell = shellIn(home, {
        "http://127.0.0.1:8000": berth.registryUrl,
        "http://127.0.0.1:8001": berth.workerUrl,
      }, {});
      const { out } = await shell(code);
      const [header, metadata] = out.trim().split(/\r?\n(?=\{)/);
      const [, shown] = /^# (.*)$/m.exec(code)!;
      assertEquals(header!.toLowerCase().trim(), shown!.toLowerCase());
      assertMatch(JSON.parse(metadata!).resource, /\/mcp$/);
    } finally {
      await berth?.stop();
      await Deno.remove(dataDir, { recursive: true });
    }
  },
];
