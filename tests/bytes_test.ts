import { assertEquals, assertRejects } from "@std/assert";
import { createServer } from "node:net";
import { sentOnce } from "../src/bytes.ts";

/** Answers the first request of each connection, and ends it at the second, which it has got. */
async function openForgetful(): Promise<{ url: string; requests: string[]; close(): void }> {
  const requests: string[] = [];
  const server = createServer((socket) => {
    let answered = 0;
    socket.on("error", () => {});
    socket.on("data", (bytes) => {
      const path = /^POST (\S+)/.exec(bytes.toString())?.[1];
      if (path === undefined) return;
      requests.push(path);
      if (answered++ === 0) socket.write("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok");
      else setTimeout(() => socket.destroy(), 50);
    });
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const { port } = server.address() as { port: number };
  return { url: `http://127.0.0.1:${port}`, requests, close: () => void server.close() };
}

Deno.test("sentOnce() keeps a request from being sent again when its answer is lost", async () => {
  const service = await openForgetful();
  const client = Deno.createHttpClient({});
  try {
    for (const body of ["text", new TextEncoder().encode("bytes")]) {
      service.requests.length = 0;
      const send = (path: string) =>
        fetch(service.url + path, { method: "POST", body: sentOnce(body), client });
      assertEquals(await (await send("/first")).text(), "ok");
      await assertRejects(() => send("/second"), TypeError);
      assertEquals(service.requests, ["/first", "/second"]);
    }
  } finally {
    client.close();
    service.close();
  }
});
