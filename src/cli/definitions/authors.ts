/**
 * Commands of authors: from a folder to a registered server, and what follows.
 *
 * @module
 */
import { Option } from "@commander-js/extra-typings";
import { FAIL_ON, FORMATS, LANGUAGES } from "./choices.ts";
import { collect, type Launch, type Program, SERVER } from "./definition.ts";
import { load } from "./load.ts";

function failOn() {
  return new Option("--fail-on <what>", "exit with 6 when the scan is this bad")
    .choices(FAIL_ON).default("verdict" as const);
}

function addManifest(berth: Program, launch: Launch): void {
  berth.command("init")
    .description("write berth.json by looking at the folder")
    .argument("[folder]", "the server's folder", ".")
    .option("--name <name>", "name of the server")
    .option("--version <version>", "semantic version")
    .option("--description <text>", "what it does")
    .option("--author <name>", "in place of your username")
    .addOption(new Option("--lang <language>", "programming language").choices(LANGUAGES))
    .option("--license <id>", "SPDX identifier or expression")
    .option("--entrypoint <file>", "file that runs")
    .option("--repository <url>", "where the source is")
    .option("--force", "replace a berth.json that is there")
    .action((folder, options) =>
      launch(async (cli) => await (await load("commands/init")).init(cli, folder, options))
    );
  berth.command("validate")
    .description("check berth.json, by itself and against the folder")
    .argument("[folder]", "the server's folder", ".")
    .action((folder) =>
      launch(async (cli) => await (await load("commands/validate")).validate(cli, folder))
    );
  berth.command("publish")
    .description("register the server of berth.json, or update it, and wait for its scan")
    .argument("[folder]", "the server's folder", ".")
    .option("--dry-run", "only say what would be done")
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
    .option("--description <text>", "what it does")
    .option("--author <name>", "author name")
    .addOption(new Option("--lang <language>", "programming language").choices(LANGUAGES))
    .option("--license <id>", "SPDX identifier or expression")
    .option("--entrypoint <file>", "file that runs")
    .option("--repository <url>", "where the source is")
    .option("--tool <name>", "a tool that it reports; repeat for each", collect)
    .option("--price <price>", 'such as "4.50 EUR", or free')
    .addOption(failOn())
    .action((name, options) =>
      launch(async (cli) => await (await load("commands/change")).update(cli, name, options))
    );
  berth.command("delete").alias("rm")
    .description("remove a server from the registry")
    .argument("<name>", SERVER)
    .option("-y, --yes", "do not ask")
    .action((name, options) =>
      launch(async (cli) => await (await load("commands/change")).remove(cli, name, options))
    );
  berth.command("transfer")
    .description("offer a server to another user, or answer an offer; alone: list open offers")
    .argument("[name]", SERVER)
    .option("--to <username>", "offer it")
    .option("--accept", "accept it")
    .option("--decline", "decline it")
    .option("--cancel", "take the offer back")
    .option("-y, --yes", "do not ask")
    .action((name, options) =>
      launch(async (cli) => await (await load("commands/change")).transfer(cli, name, options))
    );
}

/** Adds them. */
export function addAuthors(berth: Program, launch: Launch): void {
  addManifest(berth, launch);
  addChanges(berth, launch);
  berth.command("scan")
    .description("scan a server again, or a folder here (./path) without a server")
    .argument("<target>", "name of a server, or a path")
    .addOption(failOn())
    .addOption(new Option("--format <form>", "print the report in this form").choices(FORMATS))
    .option("-o, --output <file>", "write the report there")
    .option("--entrypoint <file>", "file that runs, of a folder without berth.json")
    .addOption(
      new Option("--lang <language>", "language, of a folder without berth.json").choices(
        LANGUAGES,
      ),
    )
    .action((target, options) =>
      launch(async (cli) => await (await load("commands/scan")).scan(cli, target, options))
    );
}
