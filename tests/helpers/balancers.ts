/**
 * Load balancers with the configuration in `deploy/`, before nodes on loopback.
 *
 * @module
 */
import { freePort } from "./berth_process.ts";
import { until } from "./interpreter.ts";
import { isReady } from "./demo_ready.ts";

/** A balancer that runs. */
export interface Balancer extends AsyncDisposable {
  workerUrl: string;
  registryUrl: string;
}

/** Who can be started, with its program. */
export const BALANCERS = {
  nginx: "nginx",
  haproxy: "haproxy",
  envoy: Deno.env.get("TEST_ENVOY") ?? "envoy",
} as const;
export type BalancerName = keyof typeof BALANCERS;

/** Whether the program is on this machine. */
export async function isInstalled(name: BalancerName): Promise<boolean> {
  try {
    const command = new Deno.Command(BALANCERS[name], {
      args: [name === "envoy" ? "--version" : "-v"],
      stdout: "null",
      stderr: "null",
    });
    return (await command.output()).success;
  } catch {
    return false;
  }
}

const FILES = { nginx: "nginx.conf", haproxy: "haproxy.cfg", envoy: "envoy.yaml" } as const;

/** The file of `deploy/` with addresses of this machine in place of the examples. */
async function configuration(
  name: BalancerName,
  nodes: readonly { workerUrl: string; registryUrl: string }[],
  ports: { worker: number; registry: number },
): Promise<string> {
  let text = await Deno.readTextFile(new URL(`../../deploy/${FILES[name]}`, import.meta.url));
  const split = (url: string) => {
    const { hostname, port } = new URL(url);
    return `address: ${hostname}, port_value: ${port}`;
  };
  nodes.forEach((node, i) => {
    text = text
      .replaceAll(`address: 10.0.0.${5 + i}, port_value: 8001`, split(node.workerUrl))
      .replaceAll(`address: 10.0.0.${5 + i}, port_value: 8000`, split(node.registryUrl))
      .replaceAll(`10.0.0.${5 + i}:8001`, new URL(node.workerUrl).host)
      .replaceAll(`10.0.0.${5 + i}:8000`, new URL(node.registryUrl).host);
  });
  return text
    .replace(
      /address: 0\.0\.0\.0, port_value: 8081/,
      `address: 127.0.0.1, port_value: ${ports.worker}`,
    )
    .replace(
      /address: 0\.0\.0\.0, port_value: 8080/,
      `address: 127.0.0.1, port_value: ${ports.registry}`,
    )
    .replace(/(listen |bind :)8081/, `$1${ports.worker}`)
    .replace(/(listen |bind :)8080/, `$1${ports.registry}`)
    .replaceAll(/listen (\d+);/g, "listen 127.0.0.1:$1;")
    .replaceAll(/bind :(\d+)/g, "bind 127.0.0.1:$1");
}

function nginxOf(folder: string, text: string): string {
  const paths = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
    .map((kind) => `${kind}_temp_path ${folder}/${kind};`).join("\n");
  return `daemon off;
pid ${folder}/pid;
error_log stderr warn;
worker_processes 1;
user root;
events { worker_connections 1024; }
http {
access_log off;
${paths}
${text}
}
`;
}

/** What a balancer is told at its start. */
const ARGUMENTS: Record<BalancerName, (path: string, folder: string) => string[]> = {
  nginx: (path, folder) => ["-c", path, "-p", folder],
  haproxy: (path) => ["-f", path, "-db"],
  // Others may run beside it.
  envoy: (path) => ["-c", path, "--use-dynamic-base-id", "--log-level", "warn"],
};

/** Starts a balancer before two nodes. */
export async function startBalancer(
  name: BalancerName,
  nodes: readonly { workerUrl: string; registryUrl: string }[],
): Promise<Balancer> {
  const folder = await Deno.makeTempDir({ prefix: `berth-${name}-` });
  const ports = { worker: freePort(), registry: freePort() };
  const text = await configuration(name, nodes, ports);
  // Envoy tells by the name how a file is written.
  const path = `${folder}/${FILES[name]}`;
  await Deno.writeTextFile(path, name === "nginx" ? nginxOf(folder, text) : text);
  const args = ARGUMENTS[name](path, folder);
  const child = new Deno.Command(BALANCERS[name], { args, stdout: "null", stderr: "piped" })
    .spawn();
  const said = new Response(child.stderr).text();
  let ended = false;
  const status = child.status.then(() => ended = true);
  const workerUrl = `http://127.0.0.1:${ports.worker}`;
  async function stop() {
    if (!ended) child.kill("SIGTERM");
    await status;
    await said;
    await Deno.remove(folder, { recursive: true });
  }
  await until(async () => ended || await isReady(workerUrl));
  if (ended) throw new Error(`${name} has ended: ${await said}`);
  return {
    workerUrl,
    registryUrl: `http://127.0.0.1:${ports.registry}`,
    [Symbol.asyncDispose]: stop,
  };
}
