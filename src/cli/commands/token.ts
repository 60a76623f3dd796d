/**
 * `berth token create`, `list` and `revoke`.
 *
 * @module
 */
import { z } from "zod";
import type { Cli } from "../cli.ts";
import { oneLine } from "../output/terminal_text.ts";

const ApiToken = z.object({
  id: z.string(),
  name: z.string(),
  created_at: z.string(),
  expires_at: z.string(),
  last_used_at: z.string().nullable(),
  revoked_at: z.string().nullable(),
});
const Made = z.object({ token: ApiToken, access_token: z.string(), expires_in: z.number() });
const Listed = z.object({ tokens: z.array(ApiToken) });
const Revoked = z.object({ message: z.string() });

/** Makes an API token and prints it, alone, on standard output. */
export async function createToken(
  cli: Cli,
  name: string,
  options: { expiresIn?: number | undefined },
): Promise<void> {
  const api = await cli.api();
  const { body, data: made } = await api.read("/auth/tokens", Made, {
    method: "POST",
    auth: "required",
    body: {
      name,
      ...(options.expiresIn === undefined ? {} : { expires_in: options.expiresIn }),
    },
  });
  cli.output.data(body, () => `${made.access_token}\n`);
  cli.output.note(
    `The token "${oneLine(made.token.name)}" is valid for ${Math.round(made.expires_in / 60)} ` +
      "minutes and will not be shown again",
  );
}

function stateOf(token: z.infer<typeof ApiToken>, now: number): string {
  if (token.revoked_at !== null) return "revoked";
  return Date.parse(token.expires_at) <= now ? "expired" : "live";
}

/** Lists the user's API tokens, never their values. */
export async function listTokens(cli: Cli): Promise<void> {
  const api = await cli.api();
  const { body, data: listed } = await api.read("/auth/tokens", Listed, { auth: "required" });
  cli.output.table(body, () => ({
    head: ["ID", "STATE", "CREATED", "EXPIRES", "LAST USED", "NAME"],
    rows: listed.tokens.map((token) => [
      token.id,
      stateOf(token, cli.context.now()),
      token.created_at,
      token.expires_at,
      token.last_used_at ?? "–",
      oneLine(token.name),
    ]),
  }));
  if (listed.tokens.length === 0) {
    cli.output.note("You have no tokens. Create one with berth token create NAME");
  }
}

/** Revokes a token by its id, or the one of this sign-in (`current`). */
export async function revokeToken(cli: Cli, id: string): Promise<void> {
  const api = await cli.api();
  const { body, data } = await api.read(`/auth/tokens/${encodeURIComponent(id)}`, Revoked, {
    method: "DELETE",
    auth: "required",
  });
  if (cli.output.json) cli.output.data(body, () => "");
  cli.output.done(oneLine(data.message));
}
