/**
 * `deno task demo`: Berth beside a code host, a token issuer, an advisory service and a weather
 * service on loopback, with two example repositories to register. Nothing leaves the machine.
 *
 * @module
 */
import { choosePorts, portOf } from "./demo_ports.ts";
import { DEMO_ADMINISTRATOR, DEMO_CLIENT } from "./demo_sign_in.ts";
import { whenReady } from "./demo_ready.ts";
import { EXAMPLE_OWNER, startWorld } from "./world.ts";

const encoder = new TextEncoder();

function print(text: string): void {
  Deno.stdout.writeSync(encoder.encode(`${text}\n`));
}

/** What README.md names; `DEMO_PORT`, `REGISTRY_PORT` and `WORKER_PORT` name others. */
function namedPorts() {
  const first = portOf("DEMO_PORT", 8010, 5);
  return {
    registry: portOf("REGISTRY_PORT", 8000),
    worker: portOf("WORKER_PORT", 8001),
    codeHost: first,
    issuer: first + 1,
    advisories: first + 2,
    weather: first + 3,
    tokens: first + 4,
  };
}

function namedPortsOrExit() {
  try {
    return namedPorts();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    print(error.message);
    Deno.exit(2);
  }
}

/** Data of its own, and the interpreter that `deno task setup` has prepared. */
async function demoDataDir(): Promise<string> {
  await Deno.mkdir(".data/demo", { recursive: true });
  try {
    await Deno.symlink("../interpreter", ".data/demo/interpreter");
  } catch (error) {
    if (!(error instanceof Deno.errors.AlreadyExists)) throw error;
  }
  return ".data/demo";
}

const dataDir = await demoDataDir();
const ports = choosePorts(namedPortsOrExit());
const world = await startWorld(ports);

const berth = new Deno.Command(Deno.execPath(), {
  args: [
    "run",
    "--allow-env",
    "--allow-read",
    "--allow-write",
    "--allow-net",
    "--allow-run",
    "--allow-sys",
    new URL("../../main.ts", import.meta.url).pathname,
  ],
  // What the operator set wins, so that the demo can be tried with other ports or policies.
  env: {
    ...world.environment,
    INTERPRETER_PROFILE: "full",
    // Sign-in in the browser, as one of a few people.
    OIDC_CLIENT_ID: DEMO_CLIENT,
    ADMIN_SUBJECTS: DEMO_ADMINISTRATOR,
    // For values that are kept on loopback only; the same in every run.
    SECRETS_KEY: btoa("berth-demo".padEnd(32, "-")),
    // As in an installation.
    PACKAGE_INDEX_URL: "",
    PYODIDE_PACKAGES_URL: "",
    DATA_DIR: dataDir,
    ...Deno.env.toObject(),
    REGISTRY_PORT: String(ports.registry),
    WORKER_PORT: String(ports.worker),
  },
}).spawn();
const registryUrl = `http://127.0.0.1:${ports.registry}`;
const workerUrl = `http://127.0.0.1:${ports.worker}`;

/** What to read where README.md names ports that were taken, or that the operator chose. */
function moved(): string {
  const named = { registry: 8000, worker: 8001, tokens: 8014 };
  const others = Object.entries(named)
    .map(([name, port]) => ({ port, is: ports[name as keyof typeof named] }))
    .filter(({ port, is }) => port !== is)
    .map(({ port, is }) => `127.0.0.1:${port} as 127.0.0.1:${is}`);
  return others.length === 0
    ? ""
    : `Other ports than README.md's are used: read ${others.join(", ")}.\n`;
}

const WORLD = `
Berth's demo world, on loopback only:
  registry     ${registryUrl}   sign in there as Ada, Grace or Root, who administers
  execution    ${workerUrl}/mcp
  code host    ${world.codeHost.url}   with https://github.com/${EXAMPLE_OWNER}/text-tools and …/weather
  tokens       ${world.tokensUrl}/token?user=ada
  advisories   ${world.advisories.url}
  weather      ${world.weatherUrl}
${moved()}Follow "Five minutes" in README.md in a second terminal. Ctrl-C ends everything.
`;

function stop(): void {
  try {
    berth.kill("SIGTERM");
  } catch {
    // It has ended already.
  }
}

Deno.addSignalListener("SIGINT", stop);
Deno.addSignalListener("SIGTERM", stop);

if (await whenReady([registryUrl, workerUrl], berth.status)) print(WORLD);

const { code } = await berth.status;
await world.close();
Deno.exit(code);
