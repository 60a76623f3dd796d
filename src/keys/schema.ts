/**
 * Kept values as the API takes and shows them. No answer has a value.
 *
 * @module
 */
import { z } from "zod";
import { DELIVERIES, VALUE_MAX, VariableName } from "./variables.ts";

/** Whose sessions get a value. */
export const AUDIENCES = ["me", "everyone"] as const;

export const Audience = z.enum(AUDIENCES).default("me").meta({
  description: "everyone: all signed-in users of the server. Its owner and administrators only",
});

/** What the caller has seen of a server's terms. */
export const ShownTerms = z.string().min(1).max(100).optional().meta({
  description: "`terms` of the list of the server's values, as you saw it: 409 when the server " +
    "has changed since. Without it you agree to whatever the server does now",
});

/** Body of a request to keep a value. */
export const KeepValue = z.strictObject({
  value: z.string().min(1).max(VALUE_MAX).meta({
    description: "Stored encrypted, and never shown again",
    format: "password",
    writeOnly: true,
  }),
  for: Audience,
}).meta({ id: "KeepValue" });
export type KeepValue = z.infer<typeof KeepValue>;

/** A kept value, without the value. */
export const KeptKey = z.object({
  server: z.string().meta({ example: "weather" }),
  variable: VariableName,
  for: z.enum(AUDIENCES),
  yours: z.boolean().meta({
    description: "You entered it. Nobody else can agree to what becomes of it; of those for " +
      "everyone, the server's owner can replace or remove it",
  }),
  state: z.enum(["ready", "changed", "unreadable", "reconnect"]).meta({
    description: "changed: the server asks for more than you agreed to (another owner, more " +
      "hosts, the value itself), and gets nothing until you agree. unreadable: the operator's key " +
      "is gone, enter it again. reconnect: the sign-in at the other service has ended, or the " +
      "server asks for another service or more scopes: sign in there again",
  }),
  delivery: z.enum(DELIVERIES).meta({ description: "How the code gets it, as you agreed" }),
  hosts: z.array(z.string()).meta({ description: "Where it may be sent, as you agreed" }),
  asked: z.object({ delivery: z.enum(DELIVERIES), hosts: z.array(z.string()) }).nullable().meta({
    description: "What the server asks for now, where that is more; else null",
  }),
  connection: z.object({
    service: z.string().meta({ example: "GitHub" }),
    scopes: z.array(z.string()),
    expires_at: z.iso.datetime().nullable().meta({
      description: "When the token runs out; null: the service does not say",
    }),
    renews: z.boolean().meta({ description: "Berth gets a new token before that" }),
  }).nullable().meta({
    description: "A sign-in at another service, whose token the server gets; null: a value",
  }),
  set_at: z.iso.datetime(),
  last_used_at: z.iso.datetime().nullable().meta({ description: "Accurate to a minute" }),
}).meta({ id: "KeptKey" });
export type KeptKey = z.infer<typeof KeptKey>;
