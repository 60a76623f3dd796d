/**
 * The registry API, as commands call it.
 *
 * @module
 */
import { z } from "zod";
import type { CliContext } from "../context.ts";
import { CliError, EXIT, type ExitCode, signedOut } from "../failure.ts";
import { plural } from "../../text/plural.ts";
import { oneLine } from "../output/terminal_text.ts";
import { type Access, accessTo, replaceRefused } from "../sign_in/access.ts";
import { readJson, send } from "./http.ts";

export interface ApiRequest {
  method?: string;
  body?: unknown;
  headers?: Record<string, string>;
  /** Whether a token must be there, or is sent if there is one. By default optional. */
  auth?: "required" | "optional";
  signal?: AbortSignal;
  timeoutMs?: number;
}

/** A registry's API. */
export interface Api {
  /** Address of the registry, without the version path. */
  registry: string;
  /** Sends a request to a path below `/api/v1`; a failure throws as the user should see it. */
  send(path: string, request?: ApiRequest): Promise<Response>;
  /** As {@link send}; the body as it came, and what of it `schema` knows. */
  read<T extends z.ZodType>(
    path: string,
    schema: T,
    request?: ApiRequest,
  ): Promise<{ body: unknown; data: z.output<T> }>;
}

const General = z.object({
  status: z.literal("error"),
  detail: z.string(),
  errors: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
});
const Authentication = z.object({
  success: z.literal(false),
  error: z.object({
    code: z.string(),
    message: z.string(),
    details: z.record(z.string(), z.string()).optional(),
  }),
});

/** An error response of the registry. */
export class ApiFailure extends CliError {
  /** @param status HTTP status of the answer. */
  constructor(
    readonly status: number,
    exit: ExitCode,
    message: string,
    options: { hint?: string; body: unknown; lines?: string[] },
  ) {
    super(exit, message, options);
  }
}

function waitHint(response: Response): string {
  const seconds = Number(response.headers.get("retry-after"));
  return Number.isFinite(seconds) && seconds > 0
    ? `Try again in ${
      seconds < 90 ? plural(seconds, "second") : plural(Math.ceil(seconds / 60), "minute")
    }`
    : "Try again in a moment";
}

function hintOf(status: number, response: Response): string | undefined {
  if (status === 401) return "berth login";
  if (status === 429 || status === 503) return waitHint(response);
  if (status === 402) return "Ask the server's owner how to pay for it";
  return undefined;
}

/** The failure that `response` tells of, as the user should see it. */
export async function apiFailure(response: Response): Promise<ApiFailure> {
  const body = await readJson(response);
  const { status } = response;
  const exit = status === 401
    ? EXIT.signedOut
    : status === 502 || status === 503 || status === 504
    ? EXIT.unreachable
    : EXIT.failure;
  const hint = hintOf(status, response);
  const options = { body, ...(hint === undefined ? {} : { hint }) };
  const general = General.safeParse(body);
  if (general.success) {
    const { detail, errors = [] } = general.data;
    const lines = errors.length < 2
      ? []
      : errors.map(({ path, message }) => oneLine(`${path}: ${message}`, 300));
    return new ApiFailure(status, exit, oneLine(detail, 1000), { ...options, lines });
  }
  const authentication = Authentication.safeParse(body);
  if (authentication.success) {
    const { message, details = {} } = authentication.data.error;
    const needs = details["required"] === undefined ? "" : ` (requires: ${details["required"]})`;
    return new ApiFailure(status, exit, oneLine(message + needs, 1000), options);
  }
  return new ApiFailure(status, exit, `The registry returned status ${status}`, options);
}

/** The API of the registry at `registry`, with the user's token where there is one. */
export function createApi(context: CliContext, registry: string): Api {
  async function access(auth: ApiRequest["auth"]): Promise<Access | null> {
    try {
      const found = await accessTo(context, registry);
      if (found === null && auth === "required") throw signedOut(`Not signed in at ${registry}`);
      return found;
    } catch (error) {
      if (auth === "required") throw error;
      // What everyone may read is read without a token.
      return null;
    }
  }

  function attempt(path: string, request: ApiRequest, token: string | null): Promise<Response> {
    const { method = "GET", body, signal, timeoutMs } = request;
    return send(context, `${registry}/api/v1${path}`, {
      what: "The registry",
      method,
      headers: {
        accept: "application/json",
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...request.headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal === undefined ? {} : { signal }),
      ...(timeoutMs === undefined ? {} : { timeoutMs }),
    });
  }

  async function call(path: string, request: ApiRequest = {}): Promise<Response> {
    const first = await access(request.auth);
    let response = await attempt(path, request, first?.token ?? null);
    if (response.status === 401 && first !== null) {
      const second = await replaceRefused(context, registry, first);
      if (second !== null) {
        await response.body?.cancel();
        response = await attempt(path, request, second.token);
      }
    }
    if (!response.ok) throw await apiFailure(response);
    return response;
  }

  return {
    registry,
    send: call,
    async read(path, schema, request) {
      const body = await readJson(await call(path, request));
      const parsed = schema.safeParse(body);
      if (parsed.success) return { body, data: parsed.data };
      throw new CliError(
        EXIT.failure,
        `The registry at ${registry} returned an unexpected response`,
        {
          hint: "It may be newer than this command line. Update berth",
        },
      );
    },
  };
}
