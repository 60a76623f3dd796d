import { loadPyodide, type PyodideAPI } from "pyodide";
import type { SessionPackages } from "../../../workers/session/bodies.ts";
import { wheelFiles } from "../../helpers/python_wheels.ts";

/** What Python's `load` says. */
export type Load =
  | {
    kind: "loaded";
    info: { name: string; version: string; instructions: string | null; capabilities: object };
  }
  | { kind: "refused"; problems: Problem[] }
  | { kind: "raised"; message: string; traceback: string };

/** A construct that the restricted profile refuses. */
export interface Problem {
  construct: string;
  file: string;
  line: number;
  hint: string;
}

/** What Python's `request` says. */
export type Outcome =
  // deno-lint-ignore no-explicit-any -- results have many shapes; tests look at single fields
  | { kind: "result"; result: any }
  // deno-lint-ignore no-explicit-any -- as above
  | { kind: "error"; code: number; message: string; data?: any };

/** An event that Python emitted. */
export interface Emitted {
  type: "log" | "notification" | "close_stream";
  level?: string;
  logger?: string;
  text?: string;
  method?: string;
  // deno-lint-ignore no-explicit-any -- parameters of notifications have many shapes
  params?: any;
  request_id?: string | number | null;
  retry_ms?: number | null;
}

/** A request of Python to the client. */
export interface Asked {
  method: string;
  // deno-lint-ignore no-explicit-any -- parameters of requests have many shapes
  params: any;
  request_id: string | number;
  timeout_ms: number | null;
}

type Http = (meta: string, body: Uint8Array | null) => Promise<[string, Uint8Array | undefined]>;

/** How to load a server. */
export interface LoadInput {
  entrypoint?: string;
  profile?: "restricted" | "full";
  environment?: Record<string, string>;
  packages?: SessionPackages;
}

const ROOT = "/app";
const SOURCE = new URL("../../../workers/python/", import.meta.url);
const RESET = `
import os, sys
from berth_runtime import output, state
output.install()
for name in [n for n in sys.modules if n not in berth_modules]:
    del sys.modules[name]
sys.path[:] = berth_path
sys.argv = [""]
os.environ.clear(); os.environ.update(berth_environ)
os.chdir("/")
http, emit, ask = state.session.http, state.session.emit, state.session.ask
state.session.__init__()
state.session.http, state.session.emit, state.session.ask = http, emit, ask
sys.modules["berth_sdk.fastmcp"].__dict__.pop("settings", None)
`;

function copyFolder(pyodide: PyodideAPI, from: URL, to: string): void {
  pyodide.FS.mkdirTree(to);
  for (const entry of Deno.readDirSync(from)) {
    if (entry.isDirectory) {
      copyFolder(pyodide, new URL(`${entry.name}/`, from), `${to}/${entry.name}`);
    } else if (/\.(py|json)$/.test(entry.name)) {
      pyodide.FS.writeFile(`${to}/${entry.name}`, Deno.readFileSync(new URL(entry.name, from)));
    }
  }
}

/** A booted interpreter with Berth's runtime; servers are loaded one after the other. */
export class Interpreter {
  /** What was emitted since the last load began. */
  readonly events: Emitted[] = [];
  /** Called with each event as it is emitted, in the middle of Python's work. */
  onEvent: (event: Emitted) => void = () => {};
  /** Called when a server's files are in place. */
  onFiles: () => void = () => {};
  /** Answers HTTP requests of Python. */
  http: Http = () => Promise.resolve([refusal("refused", "No HTTP in this test"), undefined]);

  /** Answers requests of Python to the client. */
  ask: (asked: Asked) => Promise<Outcome> = () =>
    Promise.resolve({ kind: "error", code: -32601, message: "No client in this test" });

  private constructor(readonly pyodide: PyodideAPI) {}

  /** Boots Pyodide with requests and Berth's modules. */
  static async boot(): Promise<Interpreter> {
    const pyodide = await loadPyodide({ stdout: () => {}, stderr: () => {} });
    for (const bytes of await wheelFiles()) pyodide.unpackArchive(bytes, "wheel");
    copyFolder(pyodide, SOURCE, "/berth");
    const interpreter = new Interpreter(pyodide);
    pyodide.globals.set("berth_emit", (text: string) => {
      const event = JSON.parse(text) as Emitted;
      interpreter.events.push(event);
      interpreter.onEvent(event);
    });
    pyodide.globals.set(
      "berth_ask",
      async (text: string) => JSON.stringify(await interpreter.ask(JSON.parse(text))),
    );
    pyodide.globals.set(
      "berth_http",
      (meta: string, body: { toJs?: () => Uint8Array } | null | undefined) =>
        interpreter.http(meta, body === null || body === undefined ? null : bytesOf(body)),
    );
    await pyodide.runPythonAsync(`
import sys
sys.path.insert(0, "/berth")
import berth_runtime
berth_runtime.prepare()
berth_runtime.start(berth_emit, berth_http, b"0" * 32, berth_ask)
import os
berth_modules, berth_path, berth_environ = set(sys.modules), list(sys.path), dict(os.environ)
`);
    return interpreter;
  }

  /** Loads a server from its files, as in a fresh session. */
  async load(files: Record<string, string>, input: LoadInput = {}): Promise<Load> {
    const fs = this.pyodide.FS;
    this.pyodide.runPython(`import shutil; shutil.rmtree("${ROOT}", ignore_errors=True)`);
    this.pyodide.runPython(RESET);
    this.pyodide.runPython("import importlib; importlib.invalidate_caches()");
    this.events.length = 0;
    fs.mkdirTree(ROOT);
    for (const [path, text] of Object.entries(files)) {
      fs.mkdirTree(`${ROOT}/${path}`.replace(/\/[^/]*$/, ""));
      fs.writeFile(`${ROOT}/${path}`, text);
    }
    this.onFiles();
    const options = {
      root: ROOT,
      entrypoint: input.entrypoint ?? "server.py",
      profile: input.profile ?? "full",
      environment: input.environment ?? {},
      packages: input.packages ?? null,
    };
    return JSON.parse(await this.call("load", options));
  }

  /** Sends a request to the loaded server. */
  async request(
    method: string,
    params: unknown = {},
    id: string | number = 1,
  ): Promise<Outcome> {
    return JSON.parse(await this.call("request", { method, params, request_id: id }));
  }

  /** Tells Python who the client is and what it can do, as the session's start does. */
  async client(capabilities: Record<string, unknown>): Promise<void> {
    await this.request("berth/client", {
      protocol_version: "2025-11-25",
      capabilities,
      client_info: { name: "recorder", version: "1.0.0" },
    });
  }

  /** Calls a tool and gives its result. */
  // deno-lint-ignore no-explicit-any -- results have many shapes
  async tool(name: string, args: Record<string, unknown> = {}): Promise<any> {
    const outcome = await this.request("tools/call", { name, arguments: args });
    if (outcome.kind === "error") throw new Error(`${outcome.code} ${outcome.message}`);
    return outcome.result;
  }

  /** The text of a tool's first content block. */
  async text(name: string, args: Record<string, unknown> = {}): Promise<string> {
    return (await this.tool(name, args)).content[0]?.text;
  }

  /** Runs Python code and gives the JSON value of its last expression. */
  // deno-lint-ignore no-explicit-any -- whatever the code gives
  async run(code: string): Promise<any> {
    this.pyodide.globals.set("berth_code", code);
    const text = await this.pyodide.runPythonAsync(`
from pyodide.code import eval_code_async
import json
json.dumps(await eval_code_async(berth_code, {"__name__": "checked"}), default=str)
`);
    return JSON.parse(text);
  }

  private call(name: "load" | "request", message: unknown): Promise<string> {
    const runtime = this.pyodide.pyimport("berth_runtime");
    return (runtime[name] as (text: string) => Promise<string>)(JSON.stringify(message));
  }
}

/** The meta of a failed request. */
export function refusal(error: string, message: string): string {
  return JSON.stringify({ kind: "error", error, message });
}

function bytesOf(body: { toJs?: () => Uint8Array }): Uint8Array {
  return body instanceof Uint8Array ? body : body.toJs!().slice();
}
