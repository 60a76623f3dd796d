/**
 * Commands about `berth` itself.
 *
 * @module
 */
import { Argument } from "@commander-js/extra-typings";
import { SETTINGS } from "./choices.ts";
import type { Launch, Program } from "./definition.ts";

/** Adds them. */
export function addUpkeep(berth: Program, launch: Launch): void {
  const config = berth.command("config").description("settings of berth");
  const setting = () => new Argument("<name>", "setting").choices(SETTINGS);
  const commands = () => import("../commands/config.ts");
  config.command("get").description("print what counts").addArgument(setting())
    .action((name) => launch(async (cli) => await (await commands()).getSetting(cli, name)));
  config.command("set").description("set it in the configuration file").addArgument(setting())
    .argument("<value>")
    .action((name, value) =>
      launch(async (cli) => await (await commands()).setSetting(cli, name, value))
    );
  config.command("unset").description("take it out of the configuration file")
    .addArgument(setting())
    .action((name) => launch(async (cli) => await (await commands()).unsetSetting(cli, name)));
  config.command("list").alias("ls").description("list what counts")
    .action(() => launch(async (cli) => await (await commands()).listSettings(cli)));
  config.command("path").description("print where the configuration file is")
    .action(() => launch(async (cli) => (await commands()).settingsPath(cli)));
}
