/**
 * A rehearsal in a host that waits for its first session: a server of Berth's own starts and answers
 * in an interpreter of its own, which then ends. What it leaves is machine code: V8 compiles each
 * function of the interpreter's module when that is first called, and the threads of a process share
 * the result. The first session then starts as fast as the host's later ones.
 *
 * It is another interpreter than the session's, so that nothing of it can be in that: no file, no
 * module, no state.
 *
 * @module
 */
import type { CallMessage, LoadOptions } from "./bodies.ts";
import { type Interpreter, startInterpreter } from "./interpreter.ts";
import { memoryOf } from "./interpreter_files.ts";
import type { BootParts, ImageParts } from "./boot_parts.ts";

const SOURCE = `from mcp.server.fastmcp import FastMCP

mcp = FastMCP("rehearsal")


@mcp.tool()
def forecast(city: str, days: int = 2) -> dict:
    """The forecast of a city."""
    return {"city": city, "days": [{"day": day, "text": f"{day}: sun"} for day in range(days)]}


@mcp.tool()
def listing(names: list[str]) -> list[str]:
    """Names, sorted."""
    return sorted(name.strip().lower() for name in names)


if __name__ == "__main__":
    mcp.run()
`;
/** Run first where an image has pydantic. */
const MODEL = `from pydantic import BaseModel


class Forecast(BaseModel):
    city: str
    days: int = 2


Forecast(city="Rome").model_dump_json()
Forecast.model_json_schema()
`;
const OPTIONS: LoadOptions = {
  root: "/app",
  entrypoint: "server.py",
  profile: "full",
  environment: {},
  scanned: { files: ["server.py"], texts: [], computed: false },
  packages: null,
  memory_mb: 256,
};
const CALLS: Omit<CallMessage, "request_id">[] = [
  { method: "tools/list", params: {} },
  { method: "tools/call", params: { name: "forecast", arguments: { city: "Rome" } } },
  { method: "tools/call", params: { name: "listing", arguments: { names: ["b", "a"] } } },
];

const encoder = new TextEncoder();

/** Calls of a built-in server that warm a host up while no session needs it. */
export interface Rehearsal {
  /** Resolves when it is over, for whatever reason; true when every call was answered. */
  readonly over: Promise<boolean>;
  /** Ends it: a session needs the processor. */
  stop(): void;
}

/**
 * Begins one with the files of `folder`; `read` gives what its interpreter boots from, `lend` the
 * image that it goes on with.
 */
export function rehearse(
  folder: string,
  read: (interpreter: Interpreter) => Promise<BootParts>,
  lend: () => Promise<ImageParts | null>,
): Rehearsal {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  let calls = 0;

  function end(isWhole: boolean): void {
    interpreter.terminate();
    resolve(isWhole);
  }

  function callNext(): void {
    const message = CALLS[calls++];
    if (message === undefined) return end(true);
    const body = encoder.encode(JSON.stringify({ ...message, request_id: calls }));
    interpreter.post({ type: "call", call: calls }, body);
  }

  async function open(): Promise<void> {
    const image = await lend();
    const body = encoder.encode(image === null ? SOURCE : MODEL + SOURCE);
    const files = [{ path: OPTIONS.entrypoint, bytes: body.length }];
    const options = JSON.stringify(OPTIONS);
    interpreter.post({ type: "open", options, files, image }, body);
  }

  const interpreter = startInterpreter("run", folder, {
    onMessage({ type }) {
      if (type === "booted") open().catch(() => end(false));
      else if (type === "opened" || type === "result") callNext();
      else if (type !== "event") end(false);
    },
    onBroken: () => end(false),
  });
  read(interpreter).then((parts) => {
    interpreter.post({ type: "boot", parts }, undefined, memoryOf(parts));
  }).catch(() => end(false));
  return { over: promise, stop: () => end(false) };
}
