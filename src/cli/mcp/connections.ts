/**
 * Sign-ins at other services that a session waits for: their pages are shown, and opened for whoever
 * sits at a terminal.
 *
 * @module
 */
import { z } from "zod";
import type { Cli } from "../cli.ts";
import { openInBrowser } from "../commands/open.ts";
import { oneLine } from "../output/terminal_text.ts";

const Waiting = z.object({
  data: z.object({
    reason: z.literal("variables_missing"),
    connect: z.array(z.object({
      variable: z.string(),
      service: z.string(),
      url: z.url({ protocol: /^https?$/ }),
    })).max(100),
  }),
});

/** Pages that are opened at once: each is a tab. */
const OPENED_MAX = 3;

/**
 * Shows the pages that `error` names, if it is one that waits for sign-ins.
 *
 * @param opens Whether they are opened too.
 */
export async function showConnections(cli: Cli, error: unknown, opens: boolean): Promise<void> {
  const waiting = Waiting.safeParse(error);
  if (!waiting.success) return;
  // What an endpoint names is opened only where it is the registry's own.
  const { origin } = new URL(await cli.registry());
  const pages = waiting.data.data.connect.filter(({ url }) => new URL(url).origin === origin);
  for (const [index, { service, url }] of pages.entries()) {
    cli.output.warn(`Connect to ${oneLine(service, 60)}: ${oneLine(url, 500)}`);
    if (opens && index < OPENED_MAX) await openInBrowser(cli, url);
  }
}
