import { assertEquals } from "@std/assert";
import { launch } from "../../../src/execution/sessions/launch.ts";
import type { InterpreterInput } from "../../../src/execution/interpreters/types.ts";
import { SERVER } from "../harness.ts";

Deno.test("launch() hands a session what the scan of its archive read as code, and what that imports", async () => {
  const opened: InterpreterInput[] = [];
  const code = { files: ["server.py"], texts: [], computed: false, imports: ["pydantic"] };
  const asked: string[] = [];
  await launch(
    {
      hosts: {
        open(input) {
          opened.push(input);
          return Promise.resolve({
            pid: 1,
            load: { kind: "raised", message: "enough", traceback: "" },
            park: () => Promise.resolve({ kind: "ended" as const, reason: "closed" as const }),
            request: () => Promise.reject(new Error("unused")),
            close: () => Promise.resolve(),
          });
        },
        keep: () => () => {},
        stats: () => ({ hosts: 0, sessions: 0, warm: 0, pids: [], images: null }),
        onKill: () => {},
        close: () => Promise.resolve(),
      },
      files: () => Promise.resolve(new Map()),
      egress: { open: () => () => Promise.reject(new Error("unused")) },
      stored(server, archiveSha256) {
        asked.push(server, archiveSha256);
        return Promise.resolve({ scanned: code, packages: undefined });
      },
      profile: "full",
    },
    { ...SERVER, name: "weather", archiveSha256: "ab" },
    {
      client: "anonymous",
      environment: {},
      sealed: [],
      mask: (text) => text,
      onLog: () => {},
      onNotification: () => {},
      onCloseStream: () => {},
      ask: () => Promise.reject(new Error("unused")),
      onEnd: () => {},
    },
  );
  const [input] = opened;
  assertEquals([input!.scanned, input!.imports, asked], [
    code,
    ["pydantic"],
    ["weather", "ab"],
  ]);
});
