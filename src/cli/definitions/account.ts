/**
 * Commands about the user: signing in and tokens.
 *
 * @module
 */
import { type Launch, type Program, SERVER, wholeNumber } from "./definition.ts";
import { load } from "./load.ts";

/** Adds the commands for what the registry keeps for servers. */
function addKeys(berth: Program, launch: Launch): void {
  const keys = berth.command("keys").description("manage keys that the registry keeps for servers");
  keys.command("list").alias("ls")
    .description("list kept keys, without their values")
    .argument("[server]", SERVER)
    .action((server) =>
      launch(async (cli) => await (await load("commands/keys")).listKeys(cli, server))
    );
  keys.command("set")
    .description("keep a value, asked for without showing it or read from standard input")
    .argument("<server>", SERVER)
    .argument("[variable]", "by default those that the server needs")
    .option("--everyone", "for all signed-in users of a server of yours")
    .action((server, variable, options) =>
      launch(async (cli) =>
        await (await load("commands/keys")).setKey(cli, server, variable, options)
      )
    );
  keys.command("rm").alias("remove")
    .description("forget a value or end a connection, or all for a server")
    .argument("<server>", SERVER)
    .argument("[variable]")
    .option("--everyone", "one that is kept for all users of a server of yours")
    .option("-y, --yes", "skip the confirmation")
    .action((server, variable, options) =>
      launch(async (cli) =>
        await (await load("commands/keys")).removeKey(cli, server, variable, options)
      )
    );
  keys.command("connect")
    .description("sign in at another service, so that your sessions of a server get its token")
    .argument("<server>", SERVER)
    .argument("[variable]", "where there are several")
    .option("--no-wait", "print the address and end")
    .action((server, variable, options) =>
      launch(async (cli) =>
        await (await load("sign_in/connection")).connectKey(cli, server, variable, options)
      )
    );
  keys.command("agree")
    .description("agree to what a server that has changed does with your keys")
    .argument("<server>", SERVER)
    .option("-y, --yes", "skip the confirmation")
    .action((server, options) =>
      launch(async (cli) => await (await load("commands/keys")).agreeKeys(cli, server, options))
    );
}

/** Adds the commands for tokens with which private repositories are read. */
function addCodeHosts(berth: Program, launch: Launch): void {
  const hosts = berth.command("code-hosts").description("manage tokens for private repositories");
  const HOST = "such as gitlab.com";
  hosts.command("list").alias("ls")
    .description("list code hosts and your tokens for them, without the tokens themselves")
    .action(() =>
      launch(async (cli) => await (await load("sign_in/code_hosts")).listCodeHosts(cli))
    );
  hosts.command("set")
    .description("keep a token, asked for without showing it or read from standard input")
    .argument("<host>", HOST)
    .option("--for <path>", "the owner, group or repository that it is for")
    .action((host, options) =>
      launch(async (cli) =>
        await (await load("sign_in/code_hosts")).setHostToken(cli, host, options)
      )
    );
  hosts.command("rm").alias("remove")
    .description("forget a token")
    .argument("<host>", HOST)
    .option("--for <path>", "the owner, group or repository that it is for")
    .action((host, options) =>
      launch(async (cli) =>
        await (await load("sign_in/code_hosts")).removeHostToken(cli, host, options)
      )
    );
}

function addLeaving(berth: Program, launch: Launch): void {
  const account = berth.command("account").description("take your data along, or leave");
  account.command("export")
    .description("print everything that the registry keeps of you, without values of keys")
    .option("-o, --output <file>", "write it into a file")
    .action((options) =>
      launch(async (cli) => await (await load("commands/account")).exportAccount(cli, options))
    );
  account.command("delete")
    .description("delete your account, with the servers that nobody else owns")
    .option("--confirm <username>", "your username, where nobody can be asked")
    .action((options) =>
      launch(async (cli) => await (await load("commands/account")).deleteAccount(cli, options))
    );
}

/** Adds the commands for sign-in, tokens and who is signed in. */
export function addAccount(berth: Program, launch: Launch): void {
  berth.command("login")
    .description("sign in with a code that you confirm in a browser")
    .option("--token-stdin", "read a token from standard input instead")
    .option(
      "--issuer <url>",
      "identity provider that you expect, if it is not the registry's own",
    )
    .option("--client-id <id>", "client id at the identity provider")
    .option("--no-browser", "print the address without opening a browser")
    .action((options) =>
      launch(async (cli) => await (await load("commands/login")).login(cli, options))
    );
  berth.command("logout")
    .description("sign out of the registry")
    .option("--everywhere", "revoke every token issued to you so far")
    .action((options) =>
      launch(async (cli) => await (await load("commands/logout")).logout(cli, options))
    );
  berth.command("whoami")
    .description("show the signed-in user")
    .action(() => launch(async (cli) => await (await load("commands/whoami")).whoami(cli)));

  addLeaving(berth, launch);
  addKeys(berth, launch);
  addCodeHosts(berth, launch);

  const token = berth.command("token").description("manage API tokens for scripts");
  token.command("create")
    .description("create a token and print it once")
    .argument("[name]", "what the token is for", "berth token create")
    .option("--expires-in <seconds>", "lifetime, from 60 to 3600", wholeNumber(60, 3600))
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
