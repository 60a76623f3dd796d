/**
 * `berth admin invite`.
 *
 * @module
 */
import { z } from "zod";
import type { Cli } from "../cli.ts";
import { oneLine } from "../output/terminal_text.ts";

const Invited = z.object({
  message: z.string(),
  invitation: z.object({ email: z.string(), url: z.string(), expires_at: z.string() }),
});

/** Prints a link that makes an account for `email`. */
export async function inviteUser(cli: Cli, email: string): Promise<void> {
  const api = await cli.api();
  const { body, data } = await api.read("/invitations", Invited, {
    method: "POST",
    auth: "required",
    body: { email },
  });
  const { url, expires_at } = data.invitation;
  cli.output.data(body, () => `${oneLine(url)}\n`);
  cli.output.note(`${oneLine(data.message)}. It works once, until ${oneLine(expires_at)}`);
}
