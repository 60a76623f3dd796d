/**
 * Commands about `berth` itself.
 *
 * @module
 */
import { Argument, type CommandUnknownOpts } from "@commander-js/extra-typings";
import { SETTINGS, SHELLS } from "./choices.ts";
import type { Launch, Program } from "./definition.ts";
import { load } from "./load.ts";

const COMPLETION_HELP = `
  bash   echo 'source <(berth completion bash)' >> ~/.bashrc
  zsh    echo 'source <(berth completion zsh)' >> ~/.zshrc
  fish   berth completion fish > ~/.config/fish/completions/berth.fish`;

/** Adds the commands for the command line itself. */
export function addUpkeep(berth: Program, launch: Launch): void {
  const config = berth.command("config").description("manage settings");
  const setting = () => new Argument("<name>", "setting").choices(SETTINGS);
  const commands = () => load("commands/config");
  config.command("get").description("print the effective value").addArgument(setting())
    .action((name) => launch(async (cli) => await (await commands()).getSetting(cli, name)));
  config.command("set").description("set a value in the configuration file").addArgument(setting())
    .argument("<value>")
    .action((name, value) =>
      launch(async (cli) => await (await commands()).setSetting(cli, name, value))
    );
  config.command("unset").description("remove a value from the configuration file")
    .addArgument(setting())
    .action((name) => launch(async (cli) => await (await commands()).unsetSetting(cli, name)));
  config.command("list").alias("ls").description("list effective settings")
    .action(() => launch(async (cli) => await (await commands()).listSettings(cli)));
  config.command("path").description("print the path of the configuration file")
    .action(() => launch(async (cli) => (await commands()).settingsPath(cli)));
  berth.command("completion")
    .description("print a completion script for a shell")
    .addArgument(new Argument("<shell>", "shell").choices(SHELLS))
    .addHelpText("after", COMPLETION_HELP)
    .action((shell) =>
      launch(async (cli) => {
        const { completionScript } = await load("commands/completion");
        cli.context.out(completionScript(shell));
      })
    );
  berth.command("__complete", { hidden: true })
    .argument("[words...]")
    .action((words) =>
      launch(async (cli) => {
        const { completionLines } = await load("commands/completion");
        const program = berth as unknown as CommandUnknownOpts;
        cli.context.out(await completionLines(cli.context, program, words));
      })
    );
  berth.command("doctor")
    .description("check the setup and suggest fixes")
    .action(() => launch(async (cli) => await (await load("commands/doctor")).doctor(cli)));
  berth.command("self-install", { hidden: true })
    .description("install the berth command on PATH")
    .action(() =>
      launch(async (cli) => await (await load("commands/self_install")).selfInstall(cli))
    );
}
