/**
 * A process that answers lists: `list_server.ts embedded|postgres COUNT` is Berth's registry listener
 * over so many servers, `list_server.ts bare FILE` a Hono handler that returns the file's bytes, behind
 * the same listener. It prints `{"port", "sample"}` when it listens, and ends on SIGTERM.
 *
 * @module
 */
import { Hono } from "hono";
import { createApp } from "../../../src/http/app.ts";
import { type Handler, listen } from "../../../src/http/listen.ts";
import { createLineWriter, createLogger } from "../../../src/log.ts";
import type { Database } from "../../../src/database/open.ts";
import { describeDatabases } from "../../helpers/database.ts";
import { openRealApp } from "../../http/real_services.ts";
import { seed } from "../seed.ts";

/** What answers, the name of a server, and what ends it. */
interface Answering {
  handler: Handler;
  sample: string;
  close(): Promise<void>;
}

async function bare(file: string): Promise<Answering> {
  const bytes = await Deno.readFile(file);
  const app = new Hono().get(
    "*",
    (c) => c.body(bytes, 200, { "Content-Type": "application/json" }),
  );
  return { handler: (request) => app.fetch(request), sample: "", close: async () => {} };
}

async function berth(kind: string, count: number): Promise<Answering> {
  let open: (() => Promise<Database>) | undefined;
  describeDatabases((name, opened) => {
    if (name.toLowerCase().startsWith(kind)) open = opened;
  });
  const real = await openRealApp({}, undefined, open);
  await seed(real.registry.sql, count);
  // The log is written as an operator has it.
  const lines = createLineWriter((text) => void Deno.stderr.writeSync(encoder.encode(text)));
  const log = createLogger({ level: "info", format: "json", write: lines.write });
  const app = createApp({ ...real.services, log });
  const [row] = await real.registry.sql<[{ name: string }]>`
    select name from servers order by name offset 500 limit 1`;
  return {
    handler: (request, info) => app.fetch(request, info),
    sample: row.name,
    close: () => real.close(),
  };
}

const encoder = new TextEncoder();
const [kind = "", argument = ""] = Deno.args;
const answering = kind === "bare" ? await bare(argument) : await berth(kind, Number(argument));
const listener = await listen({
  hostname: "127.0.0.1",
  port: 0,
  onError: (error) => new Response(String(error), { status: 500 }),
});
listener.serve(answering.handler);
Deno.addSignalListener("SIGTERM", async () => {
  await answering.close();
  Deno.exit(0);
});
const ready = { port: listener.port, sample: answering.sample };
Deno.stdout.writeSync(encoder.encode(`${JSON.stringify(ready)}\n`));
