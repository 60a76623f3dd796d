/**
 * Clients that speak MCP over HTTP and little else, so that little of a measurement is theirs.
 *
 * @module
 */

const HEADERS = {
  "content-type": "application/json",
  accept: "application/json, text/event-stream",
};

/** One client: a session, and calls one after the other. */
export interface Connection {
  /** Calls the empty tool. */
  call(): Promise<void>;
  close(): Promise<void>;
}

/** Begins a session at `url`. */
export async function connect(url: string): Promise<Connection> {
  let id = 0;
  let headers: Record<string, string> = HEADERS;
  async function send(method: string, params: unknown, isNotification = false) {
    const message = { jsonrpc: "2.0", method, params, ...(isNotification ? {} : { id: ++id }) };
    const response = await fetch(url, { method: "POST", headers, body: JSON.stringify(message) });
    const text = await response.text();
    if (!response.ok) throw new Error(`${response.status} ${text}`);
    return { response, text };
  }
  const { response, text } = await send("initialize", {
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo: { name: "bench", version: "1" },
  });
  if (!text.includes('"result"')) throw new Error(text);
  headers = { ...HEADERS, "mcp-session-id": response.headers.get("mcp-session-id")! };
  let isReady = false;
  return {
    async call() {
      if (!isReady) await send("notifications/initialized", {}, true);
      isReady = true;
      const { text } = await send("tools/call", { name: "nothing", arguments: {} });
      if (!text.includes('"content":[]')) throw new Error(text);
    },
    async close() {
      await (await fetch(url, { method: "DELETE", headers })).body?.cancel();
    },
  };
}
