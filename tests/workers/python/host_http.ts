import { request as send } from "node:http";
import { refusal } from "./pyodide.ts";

interface Meta {
  method: string;
  url: string;
  headers: [string, string][];
}

/** Performs one hop as the egress broker does: no redirects, bytes and headers as they come. */
export function performHop(
  meta: string,
  body: Uint8Array | null,
): Promise<[string, Uint8Array | undefined]> {
  const { method, url, headers } = JSON.parse(meta) as Meta;
  const named: Record<string, string[]> = {};
  for (const [name, value] of headers) (named[name] ??= []).push(value);
  return new Promise((resolve) => {
    const outgoing = send(url, { method, headers: named, agent: false }, (response) => {
      const chunks: Uint8Array[] = [];
      response.on("data", (chunk: Uint8Array) => chunks.push(chunk));
      response.on("end", () => {
        const raw = response.rawHeaders;
        const pairs = raw.flatMap((name, index) => index % 2 ? [] : [[name, raw[index + 1]]]);
        const outcome = {
          kind: "response",
          status: response.statusCode,
          reason: response.statusMessage,
          headers: pairs,
        };
        resolve([JSON.stringify(outcome), Uint8Array.from(chunks.flatMap((c) => [...c]))]);
      });
    });
    outgoing.on("error", (error) => resolve([refusal("connect", error.message), undefined]));
    outgoing.end(body ?? undefined);
  });
}
