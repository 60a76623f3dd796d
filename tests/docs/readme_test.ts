/** Every code block of README.md, in the demo that its first block starts. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { freePort } from "../helpers/berth_process.ts";
import { preparedDataDir } from "../helpers/data_dir.ts";
import { PATIENCE_MS } from "../helpers/patience.ts";
import { hasPrograms, PROGRAMS, PROJECT, shellIn } from "./guides/desk.ts";
import { blocksOf } from "./guides/guide.ts";

/** Addresses in README.md; the demo says which it really has. */
const NAMED = { registry: "http://127.0.0.1:8000", execution: "http://127.0.0.1:8001" };
const TOKENS = "http://127.0.0.1:8014";
/** Its blocks. `tests/e2e/cli_test.ts` runs the command line's, `guides_test.ts` the last. */
const BLOCKS = ["demo", "register", "read", "call", "SDK", "command line", "sign in"];

/** Starts the demo as README.md does; resolves when it has said where everything is. */
async function startDemo(code: string, dataDir: string) {
  const child = new Deno.Command("bash", {
    args: ["-c", `exec ${code.replace(/^deno/, Deno.execPath())}`],
    cwd: PROJECT,
    env: {
      DATA_DIR: dataDir,
      REGISTRY_PORT: String(freePort()),
      WORKER_PORT: String(freePort()),
      DEMO_PORT: String(freePort()),
      NO_COLOR: "1",
    },
    stdin: "null",
    stdout: "piped",
    stderr: "null",
  }).spawn();
  const late = setTimeout(() => child.kill("SIGKILL"), PATIENCE_MS);
  let shown = "";
  const ready = Promise.withResolvers<void>();
  const reading = (async () => {
    for await (const chunk of child.stdout.pipeThrough(new TextDecoderStream())) {
      shown += chunk;
      if (shown.includes("Ctrl-C ends everything")) ready.resolve();
    }
    ready.resolve();
  })();
  await ready.promise;
  clearTimeout(late);
  async function stop() {
    child.kill("SIGINT");
    await child.status;
    await reading;
  }
  return { shown, stop };
}

/** The address that the demo has printed behind `label`. */
function addressIn(shown: string, label: string): string {
  const found = new RegExp(`^ +${label} +(http://[\\d.:]+)`, "m").exec(shown);
  assert(found !== null, shown);
  return found[1]!;
}

Deno.test("README.md has the blocks that are tried, in this order", async () => {
  assertEquals((await blocksOf("README.md")).length, BLOCKS.length);
});

Deno.test({
  name: `the blocks of README.md do what they say (with ${PROGRAMS.join(", ")})`,
  ignore: !hasPrograms(),
  async fn(t) {
    const [demo, register, read, call, sdk] = await blocksOf("README.md");
    const [dataDir, home] = await Promise.all([
      preparedDataDir(),
      Deno.makeTempDir({ prefix: "berth-test-" }),
    ]);
    const { shown, stop } = await startDemo(demo!.code, dataDir);
    try {
      const shell = shellIn(home, {
        [NAMED.registry]: addressIn(shown, "registry"),
        [NAMED.execution]: addressIn(shown, "execution"),
        [TOKENS]: addressIn(shown, "tokens"),
      }, {});
      await t.step("registering answers the record with its report", async () => {
        const { server } = JSON.parse((await shell(register!.code)).out);
        assertEquals([server.name, server.security_report.status], ["text-tools", "passed"]);
      });
      await t.step("reading answers the list and the record", async () => {
        const { out } = await shell(read!.code.replace("\n", "; echo\n"));
        const [list, one] = out.trim().split("\n").map((line) => JSON.parse(line));
        assertEquals([list.total, one.server.name], [1, "text-tools"]);
      });
      await t.step("calling answers what the tool returned", async () => {
        const { out } = await shell(call!.code);
        for (const text of ['"name":"slugify"', '"words":2']) assertStringIncludes(out, text);
      });
      await t.step("the SDK's script prints tools and a result", async () => {
        // The script's own package, without asking a registry for its newest version.
        const code = sdk!.code.replaceAll("npm:@modelcontextprotocol", "@modelcontextprotocol")
          .replace(NAMED.execution, addressIn(shown, "execution"));
        await Deno.writeTextFile(`${home}/first.ts`, code);
        const { out } = await shell(
          `${Deno.execPath()} run -A --no-check --config ${PROJECT}/deno.json first.ts`,
        );
        assertStringIncludes(out, '[ "word_count", "slugify", "repeat" ]');
        assertStringIncludes(out, "hello-world");
      });
    } finally {
      await stop();
      await Deno.remove(dataDir, { recursive: true });
      await Deno.remove(home, { recursive: true });
    }
  },
});
