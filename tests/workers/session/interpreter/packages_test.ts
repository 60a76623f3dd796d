import { assertEquals } from "@std/assert";
import { createPackageBridge } from "../../../../workers/session/interpreter/packages.ts";
import type { BootFile } from "../../../../workers/session/interpreter/boot.ts";

function packed(files: Record<string, string>): Uint8Array {
  const encoder = new TextEncoder();
  const contents = Object.values(files).map((text) => encoder.encode(text));
  const head = encoder.encode(
    JSON.stringify(Object.keys(files).map((path, i) => [path, contents[i]!.length])),
  );
  const length = new Uint8Array(4);
  new DataView(length.buffer).setUint32(0, head.length, true);
  return Uint8Array.from([...length, ...head, ...contents.flatMap((bytes) => [...bytes])]);
}

Deno.test("createPackageBridge() has the files of what was asked for written, and nothing else", async () => {
  const asked: number[] = [];
  const written: BootFile[] = [];
  const bridge = createPackageBridge(
    (message) => message.type === "package" && asked.push(message.request),
    (files) => written.push(...files),
  );
  const first = bridge.take("a");
  const second = bridge.take("b");
  bridge.done(asked[1]!, packed({ "/lib/packages/b/b.py": "é = 1", "/lib/packages/b/empty": "" }));
  bridge.done(asked[0]!, null);
  bridge.done(99, packed({ "/x": "never asked for" }));
  assertEquals([await first, await second], [false, true]);
  assertEquals(written.map(({ path, bytes }) => [path, new TextDecoder().decode(bytes)]), [
    ["/lib/packages/b/b.py", "é = 1"],
    ["/lib/packages/b/empty", ""],
  ]);
});
