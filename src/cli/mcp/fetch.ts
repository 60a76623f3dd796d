/**
 * Requests to the execution endpoint, as the official client makes them: with the user's token
 * where there is one, and failures as users should see them.
 *
 * @module
 */
import { z } from "zod";
import type { Cli } from "../cli.ts";
import { apiFailure } from "../client/api.ts";
import { beginsSession, type Environment, withEnvironment } from "./environment.ts";
import { readJson, send } from "../client/http.ts";
import { type Access, accessTo, replaceRefused } from "../sign_in/access.ts";

/** Calls hold the interpreter for a minute at most, and wait ten for a client's answers. */
const TIMEOUT_MS = 900_000;

const RpcFailure = z.object({ error: z.object({ message: z.string(), data: z.unknown() }) });

/** `fetch` with a body that is a text, as clients of the execution endpoint need it. */
export type McpFetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

/** The failure that the execution endpoint answered with: its envelope is in the error's data. */
async function executionFailure(response: Response) {
  const parsed = RpcFailure.safeParse(await readJson(response));
  const body = parsed.success
    ? parsed.data.error.data ?? { status: "error", detail: parsed.data.error.message }
    : null;
  const { status, headers } = response;
  return await apiFailure(Response.json(body, { status, headers: retryAfter(headers) }));
}

function retryAfter(headers: Headers): Record<string, string> {
  const value = headers.get("retry-after");
  return value === null ? {} : { "retry-after": value };
}

/**
 * A `fetch` for the execution endpoint that sends the user's token, and refreshes it when refused.
 *
 * @param options `raw`: failed responses are returned unchanged, for a client that reads them;
 * `environment`: what sessions get for their code, or what finds it whenever one begins.
 */
export function createMcpFetch(
  cli: Cli,
  registry: string,
  options: { raw?: boolean; environment?: Environment | (() => Promise<Environment>) } = {},
): McpFetch {
  const { context } = cli;
  const { environment: wanted = {} } = options;
  let environment = typeof wanted === "function" ? {} : wanted;

  async function access(): Promise<Access | null> {
    // A server that everyone may call is called without a token, when there is none any more.
    return await accessTo(context, registry).catch(() => null);
  }

  function attempt(url: string, init: RequestInit, token: Access | null): Promise<Response> {
    const headers = new Headers(init.headers);
    if (token !== null) headers.set("authorization", `Bearer ${token.token}`);
    return send(context, url, {
      ...init,
      headers,
      what: "The execution endpoint",
      timeoutMs: TIMEOUT_MS,
    });
  }

  return async function mcpFetch(address, plain = {}) {
    if (typeof wanted === "function" && beginsSession(plain)) environment = await wanted();
    const init = withEnvironment(plain, environment);
    const url = String(address);
    const first = await access();
    let response = await attempt(url, init, first);
    if (response.status === 401 && first !== null) {
      const second = await replaceRefused(context, registry, first);
      if (second !== null) {
        await response.body?.cancel();
        response = await attempt(url, init, second);
      }
    }
    if (!options.raw && !response.ok && init.method === "POST") {
      throw await executionFailure(response);
    }
    return response;
  };
}

/** The address at which clients call `name`. */
export async function serverAddress(cli: Cli, name: string): Promise<URL> {
  const { mcp_url } = await cli.service();
  const url = new URL(mcp_url);
  url.searchParams.set("name", name);
  return url;
}
