/**
 * Commands of administrators.
 *
 * @module
 */
import { Option } from "@commander-js/extra-typings";
import { DECISIONS } from "./choices.ts";
import { type Launch, type Program, SERVER, wholeNumber } from "./definition.ts";
import { load } from "./load.ts";

/** Adds the commands that only administrators may use. */
export function addAdministration(berth: Program, launch: Launch): void {
  const admin = berth.command("admin").description(
    "decide on servers and invite users, as an administrator",
  );
  const commands = () => load("administration/capabilities");
  admin.command("capabilities")
    .description("list servers that run SQL, commands or code of their callers, with the evidence")
    .addOption(
      new Option("--state <state>", "where they stand").choices(DECISIONS)
        .default("waiting" as const),
    )
    .option("--limit <count>", "maximum number of results", wholeNumber(1, 100))
    .action((options) =>
      launch(async (cli) => await (await commands()).listCapabilities(cli, options))
    );
  for (const answer of ["allow", "refuse"] as const) {
    admin.command(answer)
      .description(
        answer === "allow"
          ? "allow a server to run what its callers write"
          : "refuse to run a server, and end its sessions",
      )
      .argument("<name>", SERVER)
      .requiredOption("--reason <text>", "why; everyone can read it")
      .action((name, { reason }) =>
        launch(async (cli) =>
          await (await commands()).answerCapabilities(cli, answer, name, reason)
        )
      );
  }
  admin.command("invite")
    .description("print a link with which someone creates an account")
    .argument("<email>", "address that the account signs in with")
    .action((email) =>
      launch(async (cli) => await (await load("administration/invite")).inviteUser(cli, email))
    );
}
