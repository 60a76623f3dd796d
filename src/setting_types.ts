/**
 * How variables of the configuration are written that several have in common.
 *
 * @module
 */
import { z } from "zod";

/** Whether `host` names this machine. */
export function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || host === "[::1]" || /^127(\.\d+){3}$/.test(host);
}

/** A comma-separated list, blanks trimmed, empty items dropped. */
export const list = () =>
  z.string().transform((text) => text.split(",").map((x) => x.trim()).filter((x) => x));

/** An address without a slash at its end. */
export function httpUrl() {
  return z.url({ protocol: /^https?$/ }).transform((text) => text.replace(/\/+$/, ""));
}

/** An address that secrets are sent to: encrypted, unless it is on this machine. */
export const secretUrl = z.url({ protocol: /^https?$/ }).refine(
  // Asked for what is no address too.
  (text) => URL.canParse(text) && (text.startsWith("https:") || isLoopback(new URL(text).hostname)),
  "must use https, or point to a loopback address",
);

/** JSON of the shape of `schema`. */
export function json<T extends z.ZodType>(schema: T) {
  return z.string().transform((text, context) => {
    try {
      return JSON.parse(text) as unknown;
    } catch {
      context.addIssue({ code: "custom", message: "must be JSON" });
      return z.NEVER;
    }
  }).pipe(schema);
}
