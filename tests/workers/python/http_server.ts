/** A loopback server with the cases that a client of HTTP has to get right. */
export interface HttpCases {
  /** Root address without a slash at the end. */
  url: string;
  close(): Promise<void>;
}

const VARYING = new Set(["host", "user-agent", "accept-encoding", "connection"]);
const encoder = new TextEncoder();

async function gzip(text: string): Promise<Uint8Array<ArrayBuffer>> {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

async function echo(request: Request): Promise<Response> {
  const body = await request.text();
  const headers = Object.fromEntries(
    // What depends on the port, the interpreter's version or the connection is left out.
    [...request.headers].filter(([name]) => !VARYING.has(name)),
  );
  const url = new URL(request.url);
  return Response.json({
    method: request.method,
    path: url.pathname + url.search,
    headers,
    body: body.replaceAll(/--[0-9a-f]{32}/g, "--BOUNDARY"),
  });
}

async function answer(request: Request): Promise<Response> {
  const url = new URL(request.url);
  const [, name, detail] = url.pathname.split("/");
  switch (name) {
    case "status":
      return new Response(request.method === "HEAD" ? null : "why", {
        status: Number(detail),
        statusText: "Some Reason",
      });
    case "redirect": {
      const left = Number(detail);
      const location = left > 1 ? `/redirect/${left - 1}` : "/echo";
      const status = Number(url.searchParams.get("status") ?? 302);
      return new Response(null, {
        status,
        headers: { location: `${location}${left > 1 ? url.search : ""}` },
      });
    }
    case "cookies": {
      const headers = new Headers();
      headers.append("set-cookie", "a=1; Path=/");
      headers.append("set-cookie", "b=two words; Path=/");
      headers.append("set-cookie", "c=3; Path=/elsewhere");
      return new Response("set", { headers });
    }
    case "gzip":
      return new Response(await gzip("zipped é ".repeat(1000)), {
        headers: { "content-encoding": "gzip", "content-type": "text/plain; charset=utf-8" },
      });
    case "lines":
      return new Response(encoder.encode("one\ntwo\r\nthree\n\nfive"), {
        headers: { "content-type": "text/plain" },
      });
    case "latin":
      return new Response(new Uint8Array([0xe9, 0x74, 0xe9]), {
        headers: { "content-type": "text/plain; charset=iso-8859-1" },
      });
    case "auth":
      return request.headers.get("authorization") === `Basic ${btoa("me:secret")}`
        ? new Response("in")
        : new Response("out", { status: 401, headers: { "www-authenticate": "Basic" } });
    case "empty":
      return new Response(null, { status: 204 });
    default:
      return await echo(request);
  }
}

/** Starts the server on a free port. */
export function startHttpCases(): HttpCases {
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, answer);
  return { url: `http://127.0.0.1:${server.addr.port}`, close: () => server.shutdown() };
}
