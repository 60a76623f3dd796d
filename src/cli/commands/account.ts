/**
 * `berth account`: taking one's data along, and leaving.
 *
 * @module
 */
import { resolve } from "node:path";
import { z } from "zod";
import { writeWhole } from "../../files.ts";
import type { Cli } from "../cli.ts";
import { CliError, EXIT, usageError } from "../failure.ts";
import { oneLine } from "../output/terminal_text.ts";
import { changeCredential } from "../sign_in/credentials.ts";
import { ProfileAnswer } from "../sign_in/profile.ts";

const Exported = z.object({ account: z.unknown() });
const Deleted = z.object({
  message: z.string(),
  removed: z.array(z.string()),
  passed_on: z.array(z.string()),
});

/** Prints everything that the registry keeps of the user, or writes it into a file. */
export async function exportAccount(
  cli: Cli,
  { output }: { output?: string | undefined },
): Promise<void> {
  const api = await cli.api();
  const { data } = await api.read("/auth/me/export", Exported, { auth: "required" });
  const text = `${JSON.stringify(data.account, null, 2)}\n`;
  if (output === undefined) return cli.output.data(data.account, () => text);
  const path = resolve(cli.context.cwd(), output);
  // E-mail address and history are nobody else's business.
  await writeWhole(path, text, { mode: 0o600 });
  cli.output.done(`Wrote ${path}`);
}

/** Deletes the account of whoever types its name. */
export async function deleteAccount(
  cli: Cli,
  options: { confirm?: string | undefined },
): Promise<void> {
  const api = await cli.api();
  const { data: { user } } = await api.read("/auth/me", ProfileAnswer, { auth: "required" });
  const username = oneLine(user.username);
  if (options.confirm === undefined && !cli.asks) {
    throw usageError("Deleting an account needs --confirm USERNAME where nobody can be asked");
  }
  if (options.confirm === undefined) {
    const servers = user.servers.length === 0 ? "" : ` and removes ${user.servers.join(", ")}`;
    cli.context.err(
      `This deletes ${username} at ${api.registry} for good${servers}. Servers under author names ` +
        "with other owners go to those. berth account export takes your data along\n",
    );
  }
  const typed = options.confirm ??
    await cli.context.ask(`Type ${username} to delete the account: `) ?? "";
  if (typed.trim() !== user.username) {
    throw new CliError(EXIT.failure, "That is not the username. Nothing was changed");
  }
  const query = new URLSearchParams({ username: user.username });
  const { body, data } = await api.read(`/auth/me?${query}`, Deleted, {
    method: "DELETE",
    auth: "required",
  });
  await changeCredential(cli.context, await cli.registry(), () => Promise.resolve(null));
  if (cli.output.json) cli.output.data(body, () => "");
  cli.output.done(oneLine(data.message));
  if (data.removed.length > 0) cli.output.note(`Removed ${data.removed.join(", ")}`);
  if (data.passed_on.length > 0) {
    cli.output.note(`Other owners have ${data.passed_on.join(", ")} now`);
  }
}
