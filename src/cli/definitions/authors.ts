/**
 * Commands of authors: from a folder to a registered server, and what follows.
 *
 * @module
 */
import { Option } from "@commander-js/extra-typings";
import { FAIL_ON, FORMATS, LANGUAGES, VISIBILITIES } from "./choices.ts";
import { collect, type Launch, type Program, SERVER } from "./definition.ts";
import { load } from "./load.ts";

function failOn() {
  return new Option("--fail-on <what>", "exit with code 6 if the scan is this bad or worse")
    .choices(FAIL_ON).default("verdict" as const);
}

function visibility(description: string) {
  return new Option("--visibility <who>", description).choices(VISIBILITIES);
}

function addManifest(berth: Program, launch: Launch): void {
  berth.command("init")
    .description("create berth.json from the contents of the folder")
    .argument("[folder]", "server folder", ".")
    .option("--name <name>", "server name")
    .option("--version <version>", "semantic version")
    .option("--description <text>", "short description")
    .option("--author <name>", "author name (default: your username)")
    .addOption(new Option("--lang <language>", "programming language").choices(LANGUAGES))
    .option("--license <id>", "SPDX identifier or expression")
    .option("--entrypoint <file>", "file that starts the server")
    .option("--repository <url>", "URL of the source repository")
    .option("--force", "replace an existing berth.json")
    .action((folder, options) =>
      launch(async (cli) => await (await load("commands/init")).init(cli, folder, options))
    );
  berth.command("validate")
    .description("validate berth.json and compare it with the folder")
    .argument("[folder]", "server folder", ".")
    .action((folder) =>
      launch(async (cli) => await (await load("commands/validate")).validate(cli, folder))
    );
  berth.command("publish")
    .description("register or update the server in berth.json and wait for its scan")
    .argument("[folder]", "server folder", ".")
    .option("--dry-run", "show what would be done without doing it")
    .addOption(visibility("who may read it, in place of what berth.json says"))
    .option("--must-run", "exit with code 6 if the server does not run on the registry's nodes")
    .addOption(failOn())
    .action((folder, options) =>
      launch(async (cli) => await (await load("commands/publish")).publish(cli, folder, options))
    );
}

function addChanges(berth: Program, launch: Launch): void {
  berth.command("update")
    .description("change fields of a server")
    .argument("<name>", SERVER)
    .option("--version <version>", "semantic version")
    .option("--description <text>", "short description")
    .option("--author <name>", "author name")
    .addOption(new Option("--lang <language>", "programming language").choices(LANGUAGES))
    .option("--license <id>", "SPDX identifier or expression")
    .option("--entrypoint <file>", "file that starts the server")
    .option("--repository <url>", "URL of the source repository")
    .option("--tool <name>", "name of a reported tool (repeatable)", collect)
    .option("--price <price>", 'price, such as "4.50 EUR", or free')
    .addOption(failOn())
    .action((name, options) =>
      launch(async (cli) => await (await load("commands/change")).update(cli, name, options))
    );
  berth.command("delete").alias("rm")
    .description("remove a server from the registry")
    .argument("<name>", SERVER)
    .option("-y, --yes", "skip the confirmation")
    .action((name, options) =>
      launch(async (cli) => await (await load("commands/change")).remove(cli, name, options))
    );
  berth.command("access")
    .description("show or change who may read a server")
    .argument("<name>", SERVER)
    .addOption(visibility("who may read it"))
    .option("--add-user <username>", "let this user read it while it is private", collect)
    .option("--remove-user <username>", "stop naming this user", collect)
    .option("--add-group <group>", "let this group read it while it is private", collect)
    .option("--remove-group <group>", "stop naming this group", collect)
    .action((name, options) =>
      launch(async (cli) => await (await load("commands/change")).access(cli, name, options))
    );
  berth.command("transfer")
    .description("offer a server to another user, answer an offer, or list open offers")
    .argument("[name]", SERVER)
    .option("--to <username>", "offer the server to this user")
    .option("--accept", "accept the offer")
    .option("--decline", "decline the offer")
    .option("--cancel", "withdraw your offer")
    .option("-y, --yes", "skip the confirmation")
    .action((name, options) =>
      launch(async (cli) => await (await load("commands/change")).transfer(cli, name, options))
    );
}

/** Adds the commands for publishing and scanning. */
export function addAuthors(berth: Program, launch: Launch): void {
  addManifest(berth, launch);
  addChanges(berth, launch);
  berth.command("scan")
    .description("rescan a server, or scan a local folder (./path)")
    .argument("<target>", "server name or path")
    .addOption(failOn())
    .addOption(new Option("--format <form>", "report format").choices(FORMATS))
    .option("-o, --output <file>", "write the report to this file")
    .option("--entrypoint <file>", "file that starts the server, if the folder has no berth.json")
    .addOption(
      new Option("--lang <language>", "language, if the folder has no berth.json").choices(
        LANGUAGES,
      ),
    )
    .action((target, options) =>
      launch(async (cli) => await (await load("commands/scan")).scan(cli, target, options))
    );
}
