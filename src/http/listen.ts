/**
 * A listener that opens before the application behind it is ready, so that a taken port is
 * reported at once and health checks get an answer while Berth starts.
 *
 * It is Node's server: `Deno.serve` waits for headers and bodies as long as a client likes, and
 * does not tell of connections.
 *
 * @module
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { getRequestListener, RequestError } from "@hono/node-server";
import {
  answerTo,
  type BrokenBody,
  type Fault,
  faultOf,
  generalBrokenBody,
  rawAnswerTo,
} from "./broken_requests.ts";
import { type ConnectionLimits, countConnections } from "./connections.ts";
import type { HandlerInfo } from "./environment.ts";
import { ByteResponse } from "./kept/byte_response.ts";
import { watchBodies } from "./slow_bodies.ts";
import { watchReaders } from "./slow_readers.ts";
import { createTurns, type Turns } from "./turns.ts";

/** Answers one request; `info` has the client's address. */
export type Handler = (request: Request, info: HandlerInfo) => Response | Promise<Response>;

/** A TCP port that accepts connections. */
export interface Listener {
  /** The port, also where the system chose it. */
  readonly port: number;
  /** From now on `handler` answers. */
  serve(handler: Handler): void;
  /**
   * Takes no further connection. True when every request was answered; false when after `ms`, if
   * that is given, connections were left, which are cut then.
   */
  drain(ms?: number): Promise<boolean>;
}

/** How long a client may take, in milliseconds, and how many connections there may be. */
export interface ListenerLimits extends ConnectionLimits {
  /** From a request's first byte to the end of its headers. */
  headersMs: number;
  /** From a request's first byte to the end of its body. */
  requestMs: number;
  /** Until a connection without a request is closed. */
  idleMs: number;
  /** Over which time a body's rate is measured. */
  rateWindowMs: number;
  /** Bytes of a body that must come in each such time. */
  rateBytes: number;
  /** Until something of an answer that waits has been read. */
  unreadMs: number;
  /** Bytes a second by which a large piece of an answer may take longer. */
  unreadRate: number;
  /** How often deadlines are looked at. */
  checkMs: number;
}

/** The limits of Berth's listeners. */
const LISTENER_LIMITS: ListenerLimits = {
  headersMs: 15_000,
  // After the execution endpoint's own deadline for bodies, which says more.
  requestMs: 80_000,
  idleMs: 75_000,
  rateWindowMs: 10_000,
  rateBytes: 1024,
  unreadMs: 30_000,
  unreadRate: 16_384,
  checkMs: 1_000,
  total: 4_096,
  perAddress: 512,
};

/** How a listener is opened. */
export interface ListenOptions {
  hostname: string;
  port: number;
  /** What is answered when a handler throws. */
  onError: (error: unknown) => Response;
  /** The body of answers to what is no request. */
  brokenBody?: BrokenBody;
  /** Whether an address is a proxy's, with many clients behind it. */
  isProxy?: (address: string) => boolean;
  limits?: Partial<ListenerLimits>;
}

function starting(): Response {
  return Response.json(
    { status: "error", detail: "Berth is starting" },
    { status: 503, headers: { "Retry-After": "1" } },
  );
}

/** An answer that carries on connections which must end must say so, or clients reuse them. */
function lastOnConnection(response: Response): Response {
  if (response instanceof ByteResponse) {
    response.headers.set("Connection", "close");
    return response;
  }
  const headers = new Headers(response.headers);
  headers.set("Connection", "close");
  return new Response(response.body, { status: response.status, headers });
}

/** Tells who is connected, counts them, and answers what is no request. */
function guardConnections(
  server: Server,
  options: ListenOptions,
  limits: ListenerLimits,
  turns: Turns,
): void {
  const bodyOf = options.brokenBody ?? generalBrokenBody;
  const connections = countConnections<Socket>(limits, options.isProxy ?? (() => false));
  const responses = new WeakMap<Socket, ServerResponse>();
  const readers = watchReaders(limits);
  const bodies = watchBodies(limits);
  server.on("listening", () => [readers, bodies].forEach((watch) => watch.start()));
  server.on("close", () => [readers, bodies].forEach((watch) => watch.stop()));

  function refuse(socket: Socket, fault: Fault): void {
    // A client that sent nothing waits for nothing; one that has half an answer must not get two.
    const isAnswered = responses.get(socket)?.headersSent ?? false;
    if (!socket.writable || socket.bytesRead === 0 || isAnswered) socket.destroy();
    else socket.end(rawAnswerTo(fault, bodyOf), () => socket.destroy());
  }

  server.on("connection", (socket: Socket) => {
    // A connection that breaks is nothing to tell of.
    socket.on("error", () => socket.destroy());
    if (!connections.add(socket)) {
      socket.end(rawAnswerTo("too_many", bodyOf), () => socket.destroy());
      return;
    }
    socket.on("close", () => connections.remove(socket));
  });
  server.on("request", (request, response) => {
    const { socket } = request;
    connections.begin(socket);
    readers.add(socket);
    bodies.add(request);
    response.on("close", () => {
      bodies.remove(request);
      if (responses.get(socket) === response) responses.delete(socket);
      if (turns.has(socket) && !socket.destroyed) return;
      readers.remove(socket);
      connections.wait(socket);
    });
    responses.set(socket, response);
  });
  // Berth is no proxy.
  server.on("connect", (_request, socket) => refuse(socket as Socket, "unknown_method"));
  // What a client expects beyond 100-continue is not known here: its request is like any other.
  server.on("checkExpectation", (request, response) => server.emit("request", request, response));
  server.on("clientError", (error: Error, socket: Socket) => refuse(socket, faultOf(error)));
}

const IDLE_LOOK_MS = 200;
const HOST = "host";
/** Methods that no address takes and that no `Request` may have. */
const UNKNOWN = new Set(["TRACE", "TRACK"]);

/** @throws {RequestError} Unless it is HTTP/1.x and names one host (RFC 9112, 3.2); 1.0 need not. */
function checkRequest({ rawHeaders, httpVersion }: IncomingMessage): void {
  if (httpVersion !== "1.1" && httpVersion !== "1.0") throw new RequestError("Not HTTP/1.x");
  let hosts = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    if (rawHeaders[i]!.length === HOST.length && rawHeaders[i]!.toLowerCase() === HOST) hosts++;
  }
  if (hosts > 1 || (hosts === 0 && httpVersion === "1.1")) throw new RequestError("Not one Host");
}

const WHOLE = /^application\/(?:[\w.+-]+\+)?json\b/;
const WITHOUT_BODY = new Set([204, 304]);

/**
 * Whether an answer is not made piece by piece. To be told so by its stream takes a turn of the event
 * loop, and nearly all answers are JSON.
 */
function isWhole({ method }: Request, { headers, status }: Response): boolean {
  return method !== "HEAD" && !WITHOUT_BODY.has(status) &&
    WHOLE.test(headers.get("content-type") ?? "");
}

async function sendWhole(response: Response, outgoing: ServerResponse): Promise<void> {
  const bytes = await response.bytes();
  const headers: string[] = [];
  // Not by its iterator, which puts the list together anew for each header.
  response.headers.forEach((value, name) => headers.push(name, value));
  if (!response.headers.has("content-length")) headers.push("content-length", `${bytes.length}`);
  outgoing.writeHead(response.status, headers);
  outgoing.end(bytes);
}

function sendBytes(response: ByteResponse, outgoing: ServerResponse): void {
  outgoing.writeHead(response.status, response.rawHeaders());
  outgoing.end(response.content);
}

/** Nothing is left to be sent, nor to be looked at. */
function sent(): Promise<never> {
  return new Promise(() => {});
}

function infoOf({ socket }: IncomingMessage): HandlerInfo {
  const { remoteAddress = "", remotePort = 0 } = socket;
  const remoteAddr = { transport: "tcp", hostname: remoteAddress, port: remotePort } as const;
  return { remoteAddr, takesBytes: true };
}

/** Resolves when `server` listens. */
async function opened(server: Server, { hostname, port }: ListenOptions): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once("error", reject);
  server.listen(port, hostname, resolve);
  try {
    await promise;
  } catch (error) {
    const isTaken = error instanceof Error && "code" in error && error.code === "EADDRINUSE";
    throw isTaken ? new Deno.errors.AddrInUse(error.message, { cause: error }) : error;
  }
  return (server.address() as AddressInfo).port;
}

/**
 * Opens a listener.
 *
 * @throws {Deno.errors.AddrInUse} When another process has the port.
 */
export async function listen(options: ListenOptions): Promise<Listener> {
  const limits = { ...LISTENER_LIMITS, ...options.limits };
  let handler: Handler = starting;
  let draining = false;
  const bodyOf = options.brokenBody ?? generalBrokenBody;
  function refusal(fault: Fault): Response {
    const { status, headers, body } = answerTo(fault, bodyOf);
    return new Response(body, { status, headers });
  }
  const answer = getRequestListener(async (request, bindings) => {
    const incoming = bindings.incoming as IncomingMessage;
    checkRequest(incoming);
    if (UNKNOWN.has(incoming.method ?? "")) return refusal("unknown_method");
    const given = await handler(request, infoOf(incoming));
    const response = draining ? lastOnConnection(given) : given;
    if (response instanceof ByteResponse) {
      sendBytes(response, bindings.outgoing as ServerResponse);
      return await sent();
    }
    if (!isWhole(request, response)) return response;
    await sendWhole(response, bindings.outgoing as ServerResponse);
    return await sent();
  }, {
    overrideGlobalObjects: false,
    hostname: "localhost",
    errorHandler(error) {
      if (!(error instanceof RequestError)) return options.onError(error);
      return refusal("malformed");
    },
  });
  const turns = createTurns();
  const server = createServer({
    headersTimeout: limits.headersMs,
    requestTimeout: limits.requestMs,
    keepAliveTimeout: limits.idleMs,
    connectionsCheckingInterval: limits.checkMs,
    requireHostHeader: false,
  }, (request, response) => turns.take(request, response, () => answer(request, response)));
  guardConnections(server, options, limits, turns);
  const port = await opened(server, options);
  return {
    port,
    serve(next) {
      handler = next;
    },
    async drain(ms) {
      draining = true;
      const { promise, resolve } = Promise.withResolvers<boolean>();
      server.close(() => resolve(true));
      server.closeIdleConnections();
      // Some have just been answered: other nodes and proxies keep theirs open for the next request.
      const again = setInterval(() => server.closeIdleConnections(), IDLE_LOOK_MS);
      const cut = ms === undefined ? undefined : setTimeout(() => {
        resolve(false);
        server.closeAllConnections();
      }, ms);
      const isWhole = await promise;
      clearInterval(again);
      clearTimeout(cut);
      return isWhole;
    },
  };
}
