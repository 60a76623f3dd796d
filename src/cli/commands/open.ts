/**
 * `berth open`, and opening pages in the user's browser.
 *
 * @module
 */
import type { Cli } from "../cli.ts";

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
