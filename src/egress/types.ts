/**
 * What sandboxed code asks of the network and what it gets back. One hop only: redirects are
 * followed inside the sandbox, each hop as a new request.
 *
 * @module
 */

/** One HTTP request of sandboxed code. Everything in it is hostile until the broker checked it. */
export interface EgressRequest {
  method: string;
  url: string;
  /** In the order given, duplicates kept. */
  headers: [string, string][];
  body: Uint8Array | null;
  /** Time to a connection in milliseconds; null means the broker's own limit. */
  connectTimeoutMs: number | null;
  /** Time between two pieces of the answer in milliseconds; null means the broker's own limit. */
  readTimeoutMs: number | null;
  /** False skips the certificate check, as `requests` offers with `verify=False`. */
  verify: boolean;
}

/**
 * Why a request failed. `limit` is a limit of the session, `too_large` one of the answer;
 * `truncated` is an answer that began and did not come to its end.
 */
export type EgressErrorKind =
  | "refused"
  | "dns"
  | "connect"
  | "connect_timeout"
  | "read_timeout"
  | "tls"
  | "too_large"
  | "truncated"
  | "invalid_url"
  | "limit"
  | "protocol";

/** An answer as the server sent it: `body` is still compressed, duplicate headers are kept. */
export interface EgressResponse {
  kind: "response";
  status: number;
  reason: string;
  headers: [string, string][];
  body: Uint8Array;
  /** Gives back the room that the body takes: called once the body is with whoever asked. */
  release?: () => void;
}

/** A request that failed. `message` is shown to the code in the sandbox and names no internals. */
export interface EgressFailure {
  kind: "error";
  error: EgressErrorKind;
  message: string;
}

/** What became of an {@link EgressRequest}. */
export type EgressOutcome = EgressResponse | EgressFailure;

/**
 * How a session's code, or a service, dealt with a secret that the code does not have. `elsewhere`: it
 * was to go to a host that it is not for; `unprotected`: to its host, without TLS or with the
 * certificate unchecked; `host_name`: into a name that is looked up; `reflected`: an answer showed it;
 * `probing`: many requests differ only in what stands beside it.
 */
export type SecretWay = "elsewhere" | "unprotected" | "host_name" | "reflected" | "probing";

/** What the operator and the server's owner are told of a secret. */
export interface SecretAttempt {
  /** The variable. */
  name: string;
  way: SecretWay;
}

/** A secret of a session that its code does not get. */
export interface SealedSecret {
  /** The variable. */
  name: string;
  /** What the code has. */
  placeholder: string;
  value: string;
  /** Patterns of hosts that it may be sent to. */
  hosts: readonly string[];
  /** Whether the value changes while the session lives: then it is asked for at each request. */
  changes?: boolean | undefined;
  /** Whoever kept it has removed it while the session runs: it is sent no more. */
  isWithdrawn?: boolean | undefined;
}

/** A secret's value now, or why there is none: shown to the code, so it names no value. */
export type CurrentValue = { kind: "value"; value: string } | { kind: "none"; why: string };
