/**
 * Commands about the user: signing in and tokens.
 *
 * @module
 */
import { type Launch, type Program, wholeNumber } from "./definition.ts";
import { load } from "./load.ts";

/** Adds them. */
export function addAccount(berth: Program, launch: Launch): void {
  berth.command("login")
    .description("sign in at the registry, by a code that you confirm in a browser")
    .option("--token-stdin", "take a token from standard input instead")
    .option(
      "--issuer <url>",
      "the identity provider that you expect, where it is not the registry's",
    )
    .option("--client-id <id>", "the client at the identity provider")
    .option("--no-browser", "only show the address, open nothing")
    .action((options) =>
      launch(async (cli) => await (await load("commands/login")).login(cli, options))
    );
  berth.command("logout")
    .description("end the sign-in at the registry")
    .option("--everywhere", "refuse every token of yours that was issued until now")
    .action((options) =>
      launch(async (cli) => await (await load("commands/logout")).logout(cli, options))
    );
  berth.command("whoami")
    .description("show who you are at the registry")
    .action(() => launch(async (cli) => await (await load("commands/whoami")).whoami(cli)));

  const token = berth.command("token").description("API tokens, for scripts");
  token.command("create")
    .description("make a token and print it, this once")
    .argument("[name]", "what it is for", "berth token create")
    .option("--expires-in <seconds>", "60 to 3600", wholeNumber(60, 3600))
    .action((name, options) =>
      launch(async (cli) => await (await load("commands/token")).createToken(cli, name, options))
    );
  token.command("list").alias("ls")
    .description("list your tokens")
    .action(() => launch(async (cli) => await (await load("commands/token")).listTokens(cli)));
  token.command("revoke")
    .description('revoke a token by its id, or "current"')
    .argument("<id>")
    .action((id) =>
      launch(async (cli) => await (await load("commands/token")).revokeToken(cli, id))
    );
}
