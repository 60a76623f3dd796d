/**
 * Examples about kept values.
 *
 * @module
 */
import type { KeptKey } from "../../keys/schema.ts";

/** A kept value, as lists show it. */
export const KEY_EXAMPLE: KeptKey = {
  server: "weather",
  variable: "API_KEY",
  for: "me",
  state: "ready",
  delivery: "placeholder",
  hosts: ["api.example.com"],
  asked: null,
  set_at: "2026-05-01T12:00:00.000Z",
  last_used_at: null,
};

/** What stands for the terms of a server. */
export const TERMS_EXAMPLE = "R9rNbFNSHQ7aSbMnGzZLWQGHNc6VJ8Zs0y1mM5cH9Vw";
