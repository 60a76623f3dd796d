/**
 * The scanners' process: takes requests on file descriptor 3 and hands them to a worker thread.
 * The thread may be busy for ever in hostile input; this one stays free, so that the process ends
 * as soon as the service does. It has no permission but to read the packages and the analysers.
 *
 * @module
 */
import { Socket } from "node:net";
import { createFrameReader, encodeFrame } from "../wire/frames.ts";
import type { HostReply, RunRequest } from "./messages.ts";
import { moduleOnDemand } from "./on_demand.ts";

const loadAhead = moduleOnDemand<typeof import("./ruff/ahead.ts")>(
  import.meta.url,
  "./ruff/ahead.ts",
);

// Whoever sends frames here is trusted.
const ANY_SIZE = { head: 2 ** 31, body: 2 ** 31 };

const channel = new Socket({ fd: 3, readable: true, writable: true });
const worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });

// Deno gives memory back at this signal; should it not know that, the signal must not end the process.
if (Deno.build.os === "linux") Deno.addSignalListener("SIGUSR2", () => {});

function reply(message: HostReply): void {
  for (const part of encodeFrame(message)) channel.write(part);
}

worker.onmessage = (event: MessageEvent<HostReply>) => reply(event.data);
// An error outside a request leaves nobody waiting for it: end, the service starts another host.
worker.onerror = () => Deno.exit(1);

let begun = false;

/** Helps with the first request of a scan: most servers are in Python, whose linter is the largest engine. */
async function help({ lang, ahead = false }: RunRequest): Promise<void> {
  if (begun || !ahead || lang !== "python") return;
  begun = true;
  // Whatever is wrong with the engine, the analyser says.
  await loadAhead().then(({ compileRuff }) => compileRuff()).catch(() => {});
}

const read = createFrameReader(ANY_SIZE, ({ head, body }) => {
  worker.postMessage({ request: head, body }, [body.buffer as ArrayBuffer]);
  void help(head as RunRequest);
});
channel.on("data", (chunk: Uint8Array) => read(chunk));
channel.on("end", () => Deno.exit(0));
channel.on("close", () => Deno.exit(0));
channel.on("error", () => Deno.exit(1));
