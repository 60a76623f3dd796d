/**
 * Hosts that a secret is for: `api.example.com`, `*.example.com` (which does not include
 * `example.com`), and either with a port.
 *
 * @module
 */
import ipaddr from "ipaddr.js";
import { getPublicSuffix } from "tldts";

const LABEL = /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/;

interface HostPattern {
  host: string;
  port: number | null;
}

function parsed(text: string): HostPattern | null {
  const match = /^(\[[0-9a-f:.]+\]|[^:[\]]+)(?::(\d{1,5}))?$/.exec(text);
  if (match === null) return null;
  const port = match[2] === undefined ? null : Number(match[2]);
  if (port !== null && (port < 1 || port > 65_535)) return null;
  return { host: match[1]!.replace(/^\[|\]$/g, ""), port };
}

/** Whether `text` names hosts; a wildcard stands for whole labels below two others at least. */
export function isHostPattern(text: string): boolean {
  const pattern = parsed(text);
  if (pattern === null) return false;
  const { host } = pattern;
  // In its usual form, as requests name it.
  if (ipaddr.isValid(host)) return ipaddr.parse(host).toString() === host;
  const isWild = host.startsWith("*.");
  const labels = (isWild ? host.slice(2) : host).split(".");
  if (isWild && labels.length < 2) return false;
  return labels.every((label) => LABEL.test(label)) && !/^\d+$/.test(labels.at(-1)!);
}

/**
 * What the public suffix list has only below them, or not at all: buckets, applications, tunnels, names
 * for any address, and services that show what they receive.
 */
const SHARED = new Set([
  ...["amazonaws.com", "amazonaws.com.cn", "on.aws", "azure.com", "cloudapp.azure.com"],
  ...["azurecontainerapps.io", "core.windows.net", "windows.net", "devtunnels.ms"],
  ...["aliyuncs.com", "myqcloud.com", "oraclecloud.com", "appdomain.cloud", "scw.cloud"],
  ...["storage.googleapis.com", "googleusercontent.com", "r2.cloudflarestorage.com"],
  ...["backblazeb2.com", "wasabisys.com", "fastly.net", "railway.app", "modal.run", "glitch.me"],
  ...["loca.lt", "lhr.life", "localhost.run", "serveo.net", "pinggy.link", "cfargotunnel.com"],
  ...["nip.io", "sslip.io", "xip.io", "webhook.site", "pipedream.net", "m.pipedream.net"],
  ...["beeceptor.com", "free.beeceptor.com", "requestcatcher.com", "oastify.com", "interact.sh"],
]);
/** A name that nobody has registered, which stands for those that somebody could. */
const ANYBODY = "berth-anybody";

function isPublicSuffix(domain: string): boolean {
  return getPublicSuffix(domain, { allowPrivateDomains: true }) === domain;
}

/**
 * Whether a wildcard allows hosts of anybody who asks for one, as `*.github.io` does (public suffix
 * list, with its private part).
 */
export function isSharedPattern(text: string): boolean {
  const host = parsed(text)?.host ?? "";
  if (!host.startsWith("*.")) return false;
  const domain = host.slice(2);
  return SHARED.has(domain) || isPublicSuffix(domain) ||
    isPublicSuffix(`${ANYBODY}.${domain}`);
}

/**
 * Whether a request to `host` at `port` goes to a host of `patterns`. A shared wildcard, which older
 * declarations may have, allows none.
 */
export function isAmongHosts(
  patterns: readonly string[],
  { host, port, usualPort }: { host: string; port: number; usualPort: number },
): boolean {
  return patterns.some((text) => {
    const pattern = parsed(text);
    if (pattern === null || port !== (pattern.port ?? usualPort)) return false;
    return pattern.host.startsWith("*.")
      ? !ipaddr.isValid(host) && host.endsWith(pattern.host.slice(1)) &&
        host.length > pattern.host.length - 1 && !isSharedPattern(text)
      : host === pattern.host;
  });
}

/** Whether every host that `wider` allows is allowed by `patterns` too. */
export function coversHosts(patterns: readonly string[], wider: readonly string[]): boolean {
  return wider.every((text) => {
    if (patterns.includes(text)) return true;
    const one = parsed(text);
    if (one === null) return false;
    const host = one.host.startsWith("*.") ? one.host.slice(2) : one.host;
    const inside = patterns.some((other) => {
      const pattern = parsed(other);
      return pattern !== null && pattern.port === one.port && pattern.host.startsWith("*.") &&
        host.endsWith(pattern.host.slice(1));
    });
    return inside;
  });
}
