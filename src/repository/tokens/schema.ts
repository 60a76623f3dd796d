/**
 * Tokens of users for code hosts, as the API takes and shows them. No answer has a token.
 *
 * @module
 */
import { z } from "zod";
import { CODE_HOST_KINDS } from "../../code_host_settings.ts";

/** The host of a token, as addresses of repositories name it. */
export const HostName = z.string().min(1).max(300).toLowerCase().meta({
  description: "Host of a code host",
  example: "gitlab.com",
});

/** What a token is for: everything at its host, or what is below a path there. */
export const TokenPath = z.string().max(1000).toLowerCase().regex(
  /^(?:[a-z0-9_.-]+(?:\/[a-z0-9_.-]+)*)?$/,
  "must be an owner, a group or a repository, such as acme/weather",
).default("").meta({
  description: "An owner, a group or a repository that it is for. Empty: everything there. The " +
    "token with the longest path that fits is used",
  example: "acme/weather",
});

/** Body of a request to keep a token. */
export const KeepHostToken = z.strictObject({
  token: z.string().trim().min(1).max(1000).refine(
    (text) => /^[\x21-\x7e]+$/.test(text),
    "must be visible ASCII characters",
  ).meta({
    description: "One that may read the contents of the repository, and no more. Stored " +
      "encrypted, and never shown again",
    format: "password",
    writeOnly: true,
  }),
  path: TokenPath,
}).meta({ id: "KeepHostToken" });
export type KeepHostToken = z.infer<typeof KeepHostToken>;

/** A token without what it is. */
export const HostToken = z.object({
  host: z.string().meta({ example: "gitlab.com" }),
  path: z.string().meta({ description: "Empty for everything there", example: "acme/weather" }),
  state: z.enum(["ready", "refused", "unreadable"]).meta({
    description: "refused: the host took it no more, give a new one. unreadable: the operator's " +
      "key is gone, enter it again",
  }),
  set_at: z.iso.datetime(),
  last_used_at: z.iso.datetime().nullable(),
}).meta({ id: "HostToken" });
export type HostToken = z.infer<typeof HostToken>;

/** A host that repositories may come from. */
export const ServedHost = z.object({
  host: z.string().meta({ example: "gitlab.com" }),
  kind: z.enum(CODE_HOST_KINDS).meta({ description: "gitea: Forgejo too" }),
  app: z.boolean().meta({
    description: "Whether the operator's GitHub App reads private repositories there in which it " +
      "is installed and which name your account",
  }),
}).meta({ id: "CodeHost" });
