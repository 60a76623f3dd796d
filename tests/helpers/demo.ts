/**
 * `deno task demo`: Berth beside a code host, a token issuer, an advisory service and a weather
 * service on loopback, with two example repositories to register. Nothing leaves the machine.
 *
 * @module
 */
import { EXAMPLE_OWNER, startWorld } from "./world.ts";

const PORTS = { codeHost: 8010, issuer: 8011, advisories: 8012, weather: 8013, tokens: 8014 };

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
const world = await startWorld(PORTS);

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
  env: { ...world.environment, DATA_DIR: dataDir, ...Deno.env.toObject() },
}).spawn();

const encoder = new TextEncoder();

function print(text: string): void {
  Deno.stdout.writeSync(encoder.encode(`${text}\n`));
}

print(`
Berth's demo world, on loopback only:
  code host    ${world.codeHost.url}   with https://github.com/${EXAMPLE_OWNER}/text-tools and …/weather
  tokens       ${world.tokensUrl}/token?user=ada
  advisories   ${world.advisories.url}
  weather      ${world.weatherUrl}
Follow "Five minutes" in README.md in a second terminal. Ctrl-C ends everything.
`);

function stop(): void {
  try {
    berth.kill("SIGTERM");
  } catch {
    // It has ended already.
  }
}

Deno.addSignalListener("SIGINT", stop);
Deno.addSignalListener("SIGTERM", stop);

const { code } = await berth.status;
await world.close();
Deno.exit(code);
