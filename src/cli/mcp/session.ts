/**
 * A session with a server, by the official client.
 *
 * @module
 */
import type { Cli } from "../cli.ts";
import { checkName } from "../client/server.ts";
import { oneLine, safe } from "../output/text.ts";
import { VERSION } from "../version.ts";
import { answerElicitation } from "./elicit.ts";
import { createMcpFetch, serverAddress } from "./fetch.ts";
import {
  Client,
  ElicitRequestSchema,
  LoggingMessageNotificationSchema,
  StreamableHTTPClientTransport,
} from "./sdk.ts";

/** An open session. */
export interface McpSession {
  client: Client;
  /** Ends it on the server too. */
  close(): Promise<void>;
}

const ERROR_LEVELS = new Set(["error", "critical", "alert", "emergency"]);

function showLogs(cli: Cli, client: Client): void {
  const { errStyle } = cli.output;
  client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => {
    if (cli.output.quiet) return;
    const { level, logger, data } = params;
    const text = typeof data === "string" ? data : JSON.stringify(data) ?? "";
    const paint = ERROR_LEVELS.has(level) ? errStyle.red : errStyle.dim;
    const from = logger === undefined ? "" : ` ${oneLine(logger, 60)}`;
    cli.context.err(`${paint(`[${oneLine(level, 12)}${from}]`)} ${safe(text).trimEnd()}\n`);
  });
}

/** Opens a session with `name`; logs go to standard error, questions to the terminal. */
export async function openSession(cli: Cli, name: string): Promise<McpSession> {
  const url = await serverAddress(cli, checkName(name));
  const transport = new StreamableHTTPClientTransport(url, {
    fetch: createMcpFetch(cli, await cli.registry()),
  });
  const client = new Client({ name: "berth", version: VERSION }, {
    capabilities: cli.asks ? { elicitation: { form: {} } } : {},
  });
  showLogs(cli, client);
  if (cli.asks) {
    client.setRequestHandler(
      ElicitRequestSchema,
      ({ params }) => answerElicitation(cli, params),
    );
  }
  // The SDK's own types do not fit each other under exactOptionalPropertyTypes.
  await client.connect(transport as unknown as Parameters<Client["connect"]>[0], {
    signal: cli.context.interrupted(),
  });
  return {
    client,
    async close() {
      // It may have ended already; then there is nothing to end.
      await transport.terminateSession().catch(() => {});
      await client.close();
    },
  };
}

/** Runs `work` in a session with `name`, which ends whatever happens. */
export async function withSession<T>(
  cli: Cli,
  name: string,
  work: (client: Client) => Promise<T>,
): Promise<T> {
  const session = await openSession(cli, name);
  try {
    return await work(session.client);
  } finally {
    await session.close();
  }
}
