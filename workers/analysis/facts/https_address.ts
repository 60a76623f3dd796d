/**
 * Addresses of repositories, as people write them.
 *
 * @module
 */

/** `address` as https, or null for one that no code host has. */
export function httpsAddress(address: string): string | null {
  // A port is that of SSH, which has nothing to do with pages.
  const ssh = /^ssh:\/\/git@([^:/]+)(?::\d{1,5})?\/(.+)$/.exec(address) ??
    /^git@([^:/]+):(.+)$/.exec(address);
  const text = ssh === null ? address : `https://${ssh[1]}/${ssh[2]}`;
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) return null;
  const path = url.pathname.replace(/\/+$/, "").replace(/\.git$/, "");
  return `https://${url.host}${path}`;
}
