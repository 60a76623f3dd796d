/**
 * Commands that look at servers.
 *
 * @module
 */
import { Option } from "@commander-js/extra-typings";
import { type Launch, type Program, SERVER, wholeNumber } from "./definition.ts";
import { FAIL_ON, FORMATS, LANGUAGES } from "./choices.ts";
import { load } from "./load.ts";

function filtered(berth: Program, name: string) {
  return berth.command(name)
    .option("--author <name>", "of this author")
    .addOption(new Option("--lang <language>", "in this language").choices(LANGUAGES))
    .option("--tool <name>", "with a tool of this name")
    .option("--license <id>", "under this license")
    .option("--max-price <amount>", "for at most this")
    .option("--passed", "whose scan passed")
    .addOption(
      new Option("--sort <order>", "order").choices(["name", "updated", "created", "relevance"]),
    )
    .option("--limit <count>", "at most so many", wholeNumber(1, 1000))
    .option("--all", "all, however many");
}

/** Adds them. */
export function addServers(berth: Program, launch: Launch): void {
  filtered(berth, "search")
    .description("find servers by words in name, description and tools")
    .argument("<words...>")
    .action((words, options) =>
      launch(async (cli) => await (await load("commands/list")).list(cli, words, options))
    );
  filtered(berth, "list").alias("ls")
    .description("list servers")
    .action((options) =>
      launch(async (cli) => await (await load("commands/list")).list(cli, [], options))
    );
  berth.command("show").alias("info")
    .description("show a server")
    .argument("<name>", SERVER)
    .action((name) => launch(async (cli) => await (await load("commands/show")).show(cli, name)));
  berth.command("report")
    .description("show the scan report on a server")
    .argument("<name>", SERVER)
    .addOption(new Option("--format <form>", "form").choices(FORMATS).default("text" as const))
    .addOption(
      new Option("--fail-on <what>", "exit with 6 when it is this bad").choices(FAIL_ON),
    )
    .action((name, options) =>
      launch(async (cli) => await (await load("commands/show")).report(cli, name, options))
    );
  berth.command("scans")
    .description("list the scans of a server, or show what one found that another had not")
    .argument("<name>", SERVER)
    .argument("[scan]", "id of a scan: how it differs from the one before")
    .option("--against <scan>", "differ from this one instead")
    .option("--limit <count>", "at most so many", wholeNumber(1, 100))
    .action((name, scan, options) =>
      launch(async (cli) => await (await load("commands/scans")).scans(cli, name, scan, options))
    );
  berth.command("open")
    .description("open the page of a server, or of the registry")
    .argument("[name]", SERVER)
    .option("--print", "print the address instead")
    .action((name, options) =>
      launch(async (cli) => await (await load("commands/open")).open(cli, name, options))
    );
}
