/**
 * Requests to another provider: bounded in time and size, without redirects. Its addresses are the
 * operator's configuration, or come from there.
 *
 * @module
 */
import { type Fetch, readBoundedJson } from "../../identity/fetch_document.ts";
import { UpstreamRefused } from "./provider.ts";

const TIMEOUT_MS = 10_000;

/** Sends a request and reads the JSON of its answer. */
export async function requestJson(
  fetch: Fetch,
  url: string,
  init: RequestInit = {},
): Promise<{ status: number; body: unknown }> {
  const headers = new Headers(init.headers);
  headers.set("accept", headers.get("accept") ?? "application/json");
  headers.set("user-agent", "Berth");
  const response = await fetch(url, {
    ...init,
    headers,
    redirect: "manual",
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  try {
    return { status: response.status, body: await readBoundedJson(response) };
  } catch (cause) {
    throw new UpstreamRefused(
      `The response from ${url} (status ${response.status}) could not be read`,
      {
        cause,
      },
    );
  }
}
