/**
 * A session with a server, by the official client.
 *
 * @module
 */
import type { Cli } from "../cli.ts";
import { checkRuns } from "../client/runs.ts";
import { checkName, getServer } from "../client/server.ts";
import { CliError, EXIT } from "../failure.ts";
import { plainNumbers } from "../../protocol/raw_json.ts";
import { oneLine, safe } from "../output/terminal_text.ts";
import { VERSION } from "../version.ts";
import { showConnections } from "./connections.ts";
import { answerElicitation } from "./elicit.ts";
import type { Environment } from "./environment.ts";
import { exactAnswer, markNumbers, readableMessage } from "./exact.ts";
import { createMcpFetch, type McpFetch, serverAddress } from "./fetch.ts";
import {
  AjvJsonSchemaValidator,
  Client,
  ElicitRequestSchema,
  type JSONRPCMessage,
  LoggingMessageNotificationSchema,
  StreamableHTTPClientTransport,
  type ValidatorOfSchemas,
} from "./sdk.ts";

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

function exactly(fetch: McpFetch): McpFetch {
  return async (url, init) => markNumbers(await fetch(url, init));
}

/** Checks structured content as the library does, with numbers that it knows. */
function plainValidator(): ValidatorOfSchemas {
  const own = new AjvJsonSchemaValidator();
  return {
    getValidator<T>(schema: Parameters<ValidatorOfSchemas["getValidator"]>[0]) {
      const validate = own.getValidator<T>(plainNumbers(schema) as typeof schema);
      return (input) => validate(plainNumbers(input));
    },
  };
}

/** Why the registry does not run `name`, where that is why no session began. */
async function refusalOf(cli: Cli, name: string): Promise<CliError | null> {
  try {
    const { server } = await getServer(await cli.api(), name);
    await checkRuns(cli, server);
  } catch (error) {
    // A registry that does not answer either is no reason.
    if (error instanceof CliError && error.exit !== EXIT.unreachable) return error;
  }
  return null;
}

/** Opens a session with `name`; logs go to standard error, questions to the terminal. */
export async function openSession(
  cli: Cli,
  name: string,
  environment: Environment = {},
): Promise<McpSession> {
  const url = await serverAddress(cli, checkName(name));
  const transport = new StreamableHTTPClientTransport(url, {
    fetch: exactly(createMcpFetch(cli, await cli.registry(), { environment })),
  });
  const client = new Client({ name: "berth", version: VERSION }, {
    capabilities: cli.asks ? { elicitation: { form: {} } } : {},
    jsonSchemaValidator: plainValidator(),
  });
  showLogs(cli, client);
  if (cli.asks) {
    client.setRequestHandler(
      ElicitRequestSchema,
      ({ params }) => answerElicitation(cli, params),
    );
  }
  try {
    // The SDK's own types do not fit each other under exactOptionalPropertyTypes.
    await client.connect(transport as unknown as Parameters<Client["connect"]>[0], {
      signal: cli.context.interrupted(),
    });
  } catch (error) {
    await showConnections(cli, error, cli.asks);
    throw await refusalOf(cli, name) ?? error;
  }
  const send = transport.send.bind(transport);
  transport.send = (message, options) => send(exactAnswer(message), options);
  const receive = transport.onmessage!;
  transport.onmessage = (message: JSONRPCMessage) => receive(readableMessage(message));
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
  environment: Environment = {},
): Promise<T> {
  const session = await openSession(cli, name, environment);
  try {
    return await work(session.client);
  } finally {
    await session.close();
  }
}
