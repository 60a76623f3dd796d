/**
 * Addresses in responses: paths, so that they hold behind any proxy that keeps the public address's
 * path.
 *
 * @module
 */

/** Version part of every address of the registry API. */
export const API = "/api/v1";

/** Address that the payment provider sends its notifications to. */
export const WEBHOOK_PATH = `${API}/webhooks/payments`;

/** Makes the addresses of resources. */
export interface Links {
  /** Address of a path of this listener. */
  path(path: string): string;
  server(name: string): string;
  scan(id: string): string;
  token(id: string): string;
}

/** Links under `publicUrl`, whose path, if it has one, is kept. */
export function createLinks(publicUrl: string): Links {
  const base = new URL(publicUrl).pathname.replace(/\/+$/, "");
  return {
    path: (path) => base + path,
    server: (name) => `${base}${API}/servers/${encodeURIComponent(name)}`,
    token: (id) => `${base}${API}/auth/tokens/${encodeURIComponent(id)}`,
    scan: (id) => `${base}${API}/scans/${encodeURIComponent(id)}`,
  };
}
