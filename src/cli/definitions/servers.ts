/**
 * Commands that look at servers.
 *
 * @module
 */
import { Option } from "@commander-js/extra-typings";
import { type Launch, type Program, SERVER, wholeNumber } from "./definition.ts";
import { CAPABILITIES, FAIL_ON, FORMATS, LANGUAGES, SORTS } from "./choices.ts";
import { load } from "./load.ts";

function filtered(berth: Program, name: string) {
  return berth.command(name)
    .option("--author <name>", "filter by author")
    .addOption(new Option("--lang <language>", "filter by language").choices(LANGUAGES))
    .option("--tool <name>", "filter by tool name")
    .option("--license <id>", "filter by license")
    .option("--category <category>", "filter by category, such as places")
    .option("--tag <tag>", "filter by tag")
    .addOption(
      new Option(
        "--capability <kind>",
        "filter by what tools run that their callers write, or do openly",
      )
        .choices(CAPABILITIES),
    )
    .option("--max-price <amount>", "maximum price")
    .option("--passed", "only servers whose scan passed")
    .addOption(
      new Option("--sort <order>", "order").choices(SORTS),
    )
    .option("--limit <count>", "maximum number of results", wholeNumber(1, 1000))
    .option("--all", "list all results");
}

/** Adds the commands for finding servers and reading their reports. */
export function addServers(berth: Program, launch: Launch): void {
  filtered(berth, "search")
    .description("search servers by name, description and tools")
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
    .description("show the scan report of a server")
    .argument("<name>", SERVER)
    .addOption(new Option("--format <form>", "form").choices(FORMATS).default("text" as const))
    .addOption(
      new Option("--fail-on <what>", "exit with code 6 if the scan is this bad or worse").choices(
        FAIL_ON,
      ),
    )
    .action((name, options) =>
      launch(async (cli) => await (await load("commands/show")).report(cli, name, options))
    );
  berth.command("scans")
    .description("list the scans of a server, or compare two of them")
    .argument("<name>", SERVER)
    .argument("[scan]", "scan id, compared with the previous scan")
    .option("--against <scan>", "compare with this scan instead")
    .option("--limit <count>", "maximum number of results", wholeNumber(1, 100))
    .action((name, scan, options) =>
      launch(async (cli) => await (await load("commands/scans")).scans(cli, name, scan, options))
    );
  berth.command("open")
    .description("open a server's page, or the registry, in a browser")
    .argument("[name]", SERVER)
    .option("--print", "print the address without opening a browser")
    .action((name, options) =>
      launch(async (cli) => await (await load("commands/open")).open(cli, name, options))
    );
}
