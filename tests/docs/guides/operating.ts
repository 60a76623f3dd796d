/** @module What the guides to operating and the sandbox show. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { CallLine } from "../../../src/audit/calls/schema.ts";
import { parseConfig } from "../../../src/config.ts";
import { PROJECT } from "./desk.ts";
import type { Check } from "./guide.ts";

/** Stands for a program that changes the machine or needs a network, and says how it was called. */
const STAND_IN = `#!/bin/sh
echo "$(basename "$0") $*" >> "$CALLS"
`;

/** docs/operating.md. */
export const OPERATING: Check[] = [
  async ({ code }, { home, shell }) => {
    const root = `${home}/machine`;
    const bin = `${home}/stand-ins`;
    await Deno.mkdir(bin);
    for (const name of ["git", "npm", "deno", "systemctl", "journalctl"]) {
      await Deno.writeTextFile(`${bin}/${name}`, STAND_IN, { mode: 0o755 });
    }
    await Deno.mkdir(`${root}/etc/systemd/system`, { recursive: true });
    await Deno.mkdir(`${root}/opt`);
    await Deno.symlink(PROJECT, `${root}/opt/berth`);
    const real = code.replaceAll(/(?<![\w.])\/(opt|etc|var)\//g, `${root}/$1/`)
      .replace("| grep", "| cat && true || grep");
    await shell(`export PATH=${bin}:$PATH\n${real}`, {
      env: { CALLS: `${home}/calls`, REPOSITORY: "https://git.example/berth" },
    });
    const calls = (await Deno.readTextFile(`${home}/calls`)).split("\n");
    assertEquals(calls.filter((call) => call.startsWith("deno ")), ["deno ci", "deno task setup"]);
    assertEquals(
      await Deno.readTextFile(`${root}/etc/systemd/system/berth.service`),
      await Deno.readTextFile(`${PROJECT}/deploy/berth.service`),
    );
    assertEquals((await Deno.stat(`${root}/etc/berth/environment`)).mode! & 0o777, 0o600);
  },
  async ({ code }, { home, shell }) => {
    const bin = `${home}/containers`;
    await Deno.mkdir(bin);
    await Deno.writeTextFile(`${bin}/docker`, STAND_IN, { mode: 0o755 });
    await shell(`export PATH=${bin}:$PATH\n${code}`, {
      cwd: PROJECT,
      env: { CALLS: `${home}/docker-calls` },
    });
    const [build, run] = (await Deno.readTextFile(`${home}/docker-calls`)).split("\n");
    await Deno.stat(`${PROJECT}/${/-f (\S+)/.exec(build!)![1]}`);
    const known = await Deno.readTextFile(`${PROJECT}/.env.example`);
    for (const [, name] of run!.matchAll(/ -e (\w+)=/g)) assertStringIncludes(known, `${name}=`);
    const compose = await Deno.readTextFile(`${PROJECT}/deploy/compose.yaml`);
    const added = [...run!.matchAll(/--cap-add (\w+)/g)].map(([, name]) => name);
    assertStringIncludes(compose, `cap_add: [${added.join(", ")}]`);
  },
  async ({ code }, { home, shell }) => {
    const bin = `${home}/cluster`;
    await Deno.mkdir(bin);
    for (const name of ["kubectl", "helm"]) {
      await Deno.writeTextFile(`${bin}/${name}`, STAND_IN, { mode: 0o755 });
    }
    await shell(`export PATH=${bin}:$PATH\n${code}`, {
      cwd: PROJECT,
      env: {
        CALLS: `${home}/cluster-calls`,
        DATABASE_URL: "postgres://u@db/berth",
        REGISTRY: "registry.example",
      },
    });
    const [, secret, install] = (await Deno.readTextFile(`${home}/cluster-calls`)).split("\n");
    const literals = [...secret!.matchAll(/--from-literal=(\w+)=(\S+)/g)];
    parseConfig(Object.fromEntries(literals.map(([, name, value]) => [name!, value!])));
    const values = await Deno.readTextFile(`${PROJECT}/deploy/helm/berth/values.yaml`);
    for (const [, path] of install!.matchAll(/--set ([\w.]+)=/g)) {
      for (const name of path!.split(".")) assertStringIncludes(values, `${name}:`);
    }
    await Deno.stat(`${PROJECT}/${/install berth (\S+)/.exec(install!)![1]}/Chart.yaml`);
  },
];

/** docs/observing.md. */
export const OBSERVING: Check[] = [
  async ({ code }) => {
    const tried = await Deno.readTextFile(`${PROJECT}/tests/e2e/telemetry_test.ts`);
    for (const [, name] of code.matchAll(/^(\w+)=/gm)) assertStringIncludes(tried, `${name}:`);
  },
  async ({ code }, { shell }) => {
    const { out } = await shell(`LAST=0\n${code}`);
    for (const line of out.split("\n").filter((one) => one !== "")) {
      CallLine.parse(JSON.parse(line));
    }
  },
];

/** docs/sandbox.md. */
export const SANDBOX: Check[] = [
  async ({ code }) => {
    const unit = await Deno.readTextFile(`${PROJECT}/deploy/berth.service`);
    for (const line of code.trim().split("\n")) assertStringIncludes(unit, line);
  },
];
