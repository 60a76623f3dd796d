/**
 * `berth whoami`.
 *
 * @module
 */
import type { Cli } from "../cli.ts";
import { oneLine } from "../output/terminal_text.ts";
import { pairs } from "../output/table.ts";
import { ProfileAnswer } from "../sign_in/profile.ts";

/** Shows who the registry takes the user for; piped, only the username. */
export async function whoami(cli: Cli): Promise<void> {
  const api = await cli.api();
  const { body, data } = await api.read("/auth/me", ProfileAnswer, { auth: "required" });
  const { user } = data;
  cli.output.data(body, () => {
    if (!cli.context.terminals.out) return `${oneLine(user.username)}\n`;
    return pairs([
      ["username", cli.output.style.bold(oneLine(user.username))],
      ["registry", api.registry],
      ["e-mail", user.email],
      ["administrator", user.is_admin ? "yes" : null],
      ["servers", user.servers.join(", ")],
      ["token until", user.token_expires_at],
    ], cli.output.style);
  });
}
