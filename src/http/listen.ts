/**
 * A listener that opens before the application behind it is ready, so that a taken port is
 * reported at once and health checks get an answer while Berth starts.
 *
 * @module
 */

/** Answers one request; `info` has the client's address. */
export type Handler = (
  request: Request,
  info: Deno.ServeHandlerInfo<Deno.NetAddr>,
) => Response | Promise<Response>;

/** An open listener. */
export interface Listener {
  /** The port, also where the system chose it. */
  readonly port: number;
  /** From now on `handler` answers. */
  serve(handler: Handler): void;
  /**
   * Takes no further connection; resolves when every request was answered. There is no way to end
   * the rest but the process's own end: aborting a draining server raises in Deno 2.9.
   */
  drain(): Promise<void>;
}

function starting(): Response {
  return Response.json(
    { status: "error", detail: "Berth is starting" },
    { status: 503, headers: { "Retry-After": "1" } },
  );
}

/** An answer that carries on connections which must end must say so, or clients reuse them. */
function lastOnConnection(response: Response): Response {
  const headers = new Headers(response.headers);
  headers.set("Connection", "close");
  return new Response(response.body, { status: response.status, headers });
}

/**
 * Opens a listener.
 *
 * @throws {Deno.errors.AddrInUse} When another process has the port.
 */
export function listen(
  options: { hostname: string; port: number; onError: (error: unknown) => Response },
): Listener {
  let handler: Handler = starting;
  let draining = false;
  const server = Deno.serve({
    hostname: options.hostname,
    port: options.port,
    onListen: () => {},
    onError: options.onError,
  }, async (request, info) => {
    const response = await handler(request, info);
    return draining ? lastOnConnection(response) : response;
  });
  return {
    port: server.addr.port,
    serve(next) {
      handler = next;
    },
    async drain() {
      draining = true;
      await server.shutdown();
    },
  };
}
