/**
 * `berth open`, and opening pages in the user's browser.
 *
 * @module
 */
import type { Cli } from "../cli.ts";
import { loader } from "../lazy.ts";

const load = loader<{
  "client/server": typeof import("../client/server.ts");
}>();

/** Opens `url` in the user's browser; false where that cannot be. */
export async function openInBrowser(cli: Cli, url: string): Promise<boolean> {
  const { context } = cli;
  const chosen = context.env("BROWSER");
  if (chosen !== undefined) return await context.launch(chosen, [url]);
  if (context.os === "darwin") return await context.launch("open", [url]);
  if (context.os === "windows") {
    return await context.launch("rundll32", ["url.dll,FileProtocolHandler", url]);
  }
  // Without a display there is no browser that the user would see.
  const display = context.env("DISPLAY") ?? context.env("WAYLAND_DISPLAY");
  return display !== undefined && await context.launch("xdg-open", [url]);
}

/** Opens the page of `name`, or of the registry; prints its address where there is no browser. */
export async function open(
  cli: Cli,
  name: string | undefined,
  options: { print?: true | undefined },
): Promise<void> {
  const { checkName } = await load("client/server");
  const path = name === undefined ? "/" : `/servers/${checkName(name)}`;
  const url = `${await cli.registry()}${path}`;
  if (cli.output.json) return cli.output.data({ url }, () => "");
  if (options.print || !await openInBrowser(cli, url)) cli.context.out(`${url}\n`);
}
