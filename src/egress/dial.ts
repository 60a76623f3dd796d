/**
 * A connection to a checked address: the name is resolved once, every address it has is checked,
 * and the socket goes to one of those, so that a second resolution cannot lead elsewhere.
 *
 * @module
 */
import net from "node:net";
import tls from "node:tls";
import { type Address, parseAddress } from "./addresses.ts";
import { type Resolve, TooManyLookups } from "./names.ts";
import { checkOwn, isOfMachine, type OwnAddresses } from "./own.ts";
import { checkAddress, type EgressPolicy } from "./policy.ts";
import type { PreparedRequest } from "./request_check.ts";
import type { EgressErrorKind, EgressFailure } from "./types.ts";

export interface DialDeps {
  policy: EgressPolicy;
  own: OwnAddresses;
  /** Addresses of a name; rejects or is empty when it has none. */
  resolve: Resolve;
  /** Certificates trusted beside the system's own, in PEM. */
  ca?: string[];
}

export interface DialOptions {
  timeoutMs: number;
  verify: boolean;
  signal: AbortSignal;
}

export type Dialled = { kind: "connected"; socket: net.Socket } | EgressFailure;

// A name with several addresses often has one that this machine cannot reach (IPv6).
const PATIENCE_MS = 2000;
const TARGETS_MAX = 4;

const TLS_FAULT =
  /CERT|ERR_TLS|ERR_SSL|EPROTO|certificate|self.signed|UnknownIssuer|NotValidForName|handshake|InvalidContentType|SELF_SIGNED|alert/i;

function fail(error: EgressErrorKind, message: string): EgressFailure {
  return { kind: "error", error, message };
}

/** Connects to where `request` goes, TLS handshake included. */
export async function dial(
  deps: DialDeps,
  request: PreparedRequest,
  options: DialOptions,
): Promise<Dialled> {
  const timeout = AbortSignal.timeout(options.timeoutMs);
  const signal = AbortSignal.any([timeout, options.signal]);
  const interrupted = Promise.withResolvers<EgressFailure>();
  function interrupt() {
    interrupted.resolve(
      options.signal.aborted
        ? fail("protocol", "The request was cancelled")
        : fail("connect_timeout", `No connection within ${options.timeoutMs / 1000} s`),
    );
  }
  if (signal.aborted) interrupt();
  else signal.addEventListener("abort", interrupt, { once: true });
  try {
    const targets = await Promise.race([interrupted.promise, findTargets(deps, request)]);
    if (!Array.isArray(targets)) return targets;
    return await tryEach(deps, request, targets.slice(0, TARGETS_MAX), options, interrupted);
  } finally {
    signal.removeEventListener("abort", interrupt);
  }
}

/** The first of `targets` that answers. One that does not is left behind for the next. */
async function tryEach(
  deps: DialDeps,
  request: PreparedRequest,
  targets: Address[],
  options: DialOptions,
  interrupted: PromiseWithResolvers<EgressFailure>,
): Promise<Dialled> {
  let last: EgressFailure = fail("connect", `Cannot connect to "${request.host}"`);
  for (const [index, address] of targets.entries()) {
    const patience = Promise.withResolvers<EgressFailure>();
    const timer = index === targets.length - 1
      ? undefined
      : setTimeout(() => patience.resolve(last), PATIENCE_MS);
    const stop = Promise.race([interrupted.promise, patience.promise]);
    const dialled = await connect(deps, request, address, options.verify, stop);
    clearTimeout(timer);
    if (dialled.kind === "connected") return dialled;
    if (dialled.error === "connect_timeout" || options.signal.aborted) return dialled;
    last = dialled;
  }
  return last;
}

async function findTargets(
  deps: DialDeps,
  { host, port }: PreparedRequest,
): Promise<Address[] | EgressFailure> {
  const literal = parseAddress(host);
  const texts = literal === null ? await lookUp(deps, host) : [host];
  if (!Array.isArray(texts)) return texts;
  const addresses: Address[] = [];
  for (const text of texts) {
    const address = parseAddress(text);
    const refusal = address === null
      ? `The host "${host}" has an invalid address`
      : await checkOwn(deps.own, host, address, port) ??
        checkAddress(deps.policy, host, address, port, isOfMachine(address, deps.own));
    // One bad address refuses the name: which of them is used is not left to chance.
    if (refusal !== null) return fail("refused", refusal);
    addresses.push(address!);
  }
  return addresses;
}

async function lookUp(deps: DialDeps, host: string): Promise<string[] | EgressFailure> {
  const unknown = fail("dns", `The host name "${host}" could not be resolved`);
  try {
    const texts = await deps.resolve(host);
    return texts.length === 0 ? unknown : texts;
  } catch (error) {
    return error instanceof TooManyLookups ? fail("limit", error.message) : unknown;
  }
}

function connect(
  deps: DialDeps,
  request: PreparedRequest,
  address: Address,
  verify: boolean,
  interrupted: Promise<EgressFailure>,
): Promise<Dialled> {
  const { promise, resolve } = Promise.withResolvers<Dialled>();
  const host = address.toString();
  const socket = request.secure
    ? tls.connect({
      host,
      port: request.port,
      servername: parseAddress(request.host) === null ? request.host : "",
      ALPNProtocols: ["http/1.1"],
      rejectUnauthorized: verify,
      ...(deps.ca === undefined ? {} : { ca: [...tls.rootCertificates, ...deps.ca] }),
    })
    : net.connect({ host, port: request.port });
  function end(failure: EgressFailure) {
    resolve(failure);
    socket.destroy();
  }
  socket.on("error", (error: NodeJS.ErrnoException) => end(explain(request, error)));
  socket.once("close", () => end(fail("connect", `"${request.host}" closed the connection`)));
  socket.once(request.secure ? "secureConnect" : "connect", () => {
    const remote = socket.remoteAddress;
    // Not known on TLS sockets; there the certificate vouches for the name.
    if (remote !== undefined && parseAddress(remote)?.toString() !== host) {
      end(
        fail("refused", "The connection went to a different address than the one that was checked"),
      );
    } else {
      socket.setNoDelay(true);
      resolve({ kind: "connected", socket });
    }
  });
  interrupted.then((failure) => {
    resolve(failure);
    // A socket that was handed over is the client's to end.
    promise.then((dialled) => dialled.kind === "error" && socket.destroy());
  });
  return promise;
}

function explain(request: PreparedRequest, error: NodeJS.ErrnoException): EgressFailure {
  if (request.secure && TLS_FAULT.test(`${error.code ?? ""} ${error.message}`)) {
    return fail(
      "tls",
      `The TLS connection to "${request.host}" failed: ${reason(error)}`,
    );
  }
  if (error.code === "ETIMEDOUT") {
    return fail("connect_timeout", `The connection to "${request.host}" timed out`);
  }
  return fail("connect", `Cannot connect to "${request.host}" on port ${request.port}`);
}

function reason(error: NodeJS.ErrnoException): string {
  return error.message.slice(0, 200);
}
