/** @module What docs/ci.md shows, run in a copy of an example. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { load } from "js-yaml";
import { type Desk, PROJECT } from "./desk.ts";
import type { Check } from "./guide.ts";

/** A folder with a `berth.json`, as a checkout of an author's repository. */
export async function checkout({ home, shell }: Desk, name: string): Promise<string> {
  const folder = `${home}/${name}-checkout`;
  await shell(`
    cp -r ${PROJECT}/tests/fixtures/servers/weather ${folder}
    cd ${folder}
    git init -q
    git remote add origin https://github.com/examples/weather
    printf '[project]\\nname = "weather"\\nversion = "1.2.0"\\n' > pyproject.toml
    printf 'description = "The weather in a city"\\nlicense = "MIT"\\n' >> pyproject.toml`);
  return folder;
}

/** A checkout whose author has run `berth init`. */
async function described(desk: Desk, name: string): Promise<string> {
  const cwd = await checkout(desk, name);
  await desk.shell("berth init --author acme", { cwd });
  return cwd;
}

/** Runs the steps of a recipe that call `berth`; `report` is what they must have written. */
async function runSteps(desk: Desk, steps: string[], cwd: string, report: string) {
  const calls = steps.filter((step) => step.startsWith("berth "));
  assertEquals(calls.length, 2, steps.join("\n"));
  for (const call of calls) await desk.shell(call, { cwd });
  JSON.parse(await Deno.readTextFile(`${cwd}/${report}`));
}

/** The steps of a recipe that put `berth` there, with everything they name in this project. */
async function assertInstalls(steps: string[]): Promise<void> {
  const text = steps.join("\n");
  const readme = await Deno.readTextFile(`${PROJECT}/README.md`);
  const version = /deno@\d+\.\d+\.\d+/.exec(readme)![0];
  assertStringIncludes(text, `npx -y ${version} ci`);
  assertStringIncludes(text, `npx -y ${version} task install`);
}

/** One for each block, in order. */
export const CI: Check[] = [
  async ({ code }, desk) => {
    const { jobs } = load(code) as { jobs: { scan: { steps: { run?: string }[] } } };
    const steps = jobs.scan.steps.flatMap(({ run }) => run === undefined ? [] : [run.trim()]);
    await assertInstalls(steps);
    await runSteps(desk, steps, await described(desk, "github"), "berth.sarif");
  },
  async ({ code }, desk) => {
    const recipe = load(code) as { berth: { before_script: string[]; script: string[] } };
    await assertInstalls(recipe.berth.before_script);
    const cwd = await described(desk, "gitlab");
    await runSteps(desk, recipe.berth.script, cwd, "berth.json.report");
  },
  async ({ code }, desk) => {
    const cwd = await described(desk, "sarif");
    await desk.shell(code, { cwd });
    const sarif = JSON.parse(await Deno.readTextFile(`${cwd}/berth.sarif`));
    assertEquals(sarif.version, "2.1.0");
  },
  async ({ code }, desk) => {
    const cwd = await described(desk, "publish");
    const { err } = await desk.shell(code.replace("https://berth.example", "$BERTH"), {
      cwd,
      env: { JOB_IDENTITY_TOKEN: desk.tokens.ada },
    });
    assert(err.includes("Scan passed"), err);
  },
];
