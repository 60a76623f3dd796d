import { assert, assertEquals, assertMatch } from "@std/assert";
import { fileURLToPath } from "node:url";
import { clientOf } from "../../src/execution/admission/clients.ts";
import { createLogger } from "../../src/log.ts";
import { denoProgram } from "../../src/sandbox/launcher.ts";
import { NO_WALLS, type Walls } from "../../src/sandbox/walls.ts";
import { createAnalysis } from "../../src/scan/analysis/analysis.ts";
import { type HostProcess, startHost } from "../../src/scan/analysis/process.ts";
import { raiseAnalysisWalls } from "../../src/scan/analysis/walls.ts";
import { BRIEF, warmUp } from "../../src/scan/analysis/warming.ts";
import { runScan } from "../../src/scan/pipeline.ts";
import {
  callTool,
  openTestHosts,
  processorSeconds,
  server,
  sessionInput,
  testInterpreter,
  testWalls,
  until,
} from "../helpers/interpreter.ts";
import { PATIENCE_MS } from "../helpers/patience.ts";
import { insideOf } from "../helpers/processes.ts";
import { scanInput } from "../scan/input.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

const QUICK = server(`
@tool
def quick() -> str:
    return "quick"
`);

Deno.test("sessions of two users of one server are in two processes, those of one user share", async () => {
  await using hosts = await openTestHosts({ warmSessions: 1 });
  const open = (client: string, name = "shared") =>
    hosts.open(sessionInput(QUICK, { server: name, client }));
  const [ann, ben] = [await open("user ann"), await open("user ben")];
  const anonymous = await open(clientOf(null, "2001:db8::1").key);
  const neighbour = await open(clientOf(null, "2001:db8::ffff").key);
  const stranger = await open(clientOf(null, "2001:db8:0:1::1").key);
  // A user whose id reads like an address is still another than whoever calls from there.
  const named = await open(clientOf("address 2001:db8::", "192.0.2.1").key);
  const others = [ann, ben, anonymous, stranger, named];
  assertEquals(new Set(others.map(({ pid }) => pid)).size, others.length);
  assertEquals(neighbour.pid, anonymous.pid);
  assertEquals((await open("user ann")).pid, ann.pid);
  assert((await open("user ann", "another")).pid !== ann.pid);

  // The one's end is not the other's.
  Deno.kill(ann.pid, "SIGKILL");
  await until(() => !hosts.stats().pids.includes(ann.pid));
  assertEquals(await callTool(ben, "quick"), "quick");
  assert((await open("user ann")).pid !== ben.pid);
  await until(() => hosts.stats().warm === 1);
});

/** The walls around the two kinds of sandboxed processes, and what they may only read. */
async function kinds(): Promise<[name: string, walls: Walls, folder: string][]> {
  const { cache } = await testInterpreter();
  return [
    ["a session host", await testWalls(), cache],
    ["an analysis process", await raiseAnalysisWalls({ denoDir: cache, niceness: 0 }), cache],
  ];
}

/** Runs a program behind walls, where nothing but them holds it. */
async function behind(
  walls: Walls,
  command: string[],
): Promise<{ code: number; out: string; error: string }> {
  const { prefix, leave } = walls.enter(null);
  const [program, ...args] = [...prefix, ...command];
  const { code, stdout, stderr } = await new Deno.Command(program!, {
    args,
    clearEnv: true,
    env: { DENO_DIR: "/nonexistent", NO_COLOR: "1" },
    cwd: "/",
    stdin: "null",
  }).output();
  leave();
  const decoder = new TextDecoder();
  return { code, out: decoder.decode(stdout), error: decoder.decode(stderr) };
}

/** A process behind walls that waits, and the id of the one that is in there. */
async function sibling(walls: Walls): Promise<{ pid: number; end(): Promise<void> }> {
  const [program, ...args] = [...walls.enter(null).prefix, "/bin/sh", "-c", "echo up; read _"];
  const child = new Deno.Command(program!, { args, stdin: "piped", stdout: "piped" }).spawn();
  const reader = child.stdout.getReader();
  await reader.read();
  return {
    pid: await insideOf(child.pid),
    async end() {
      await child.stdin.close();
      await reader.cancel();
      await child.status;
    },
  };
}

/** What attempts come to without a wall: they are then no fault of this machine's Berth. */
function isExpected(walls: Walls, attempt: string): boolean {
  const missing = new Set(walls.missing.map(({ wall }) => wall));
  if (attempt === "see other processes") return !missing.has("no view of other processes");
  if (attempt.startsWith("write ")) return walls.uid !== null;
  if (attempt === "become root") return !missing.has("another user");
  if (attempt === "start a program") return !missing.has("fewer system calls");
  return !missing.has("no other processes") && !missing.has("no network");
}

const ESCAPED = fileURLToPath(new URL("../fixtures/escaped.ts", import.meta.url));

Deno.test({
  name: "a process that was taken over reaches no other process, network, file or privilege",
  ignore: Deno.build.os !== "linux",
  async fn(t) {
    await using berth = Deno.serve({ port: 0, onListen() {} }, () => new Response("Berth"));
    for (const [name, walls, folder] of await kinds()) {
      await t.step(name, async () => {
        const victim = await sibling(walls);
        const places = [folder, `${folder}/../lock`, ROOT, `${ROOT}deno.json`, `${ROOT}workers`];
        const { out, error } = await behind(walls, [
          ...[denoProgram(), "run", "-A", "--no-config", "--no-prompt", ESCAPED],
          ...[String(victim.pid), String(berth.addr.port), ...places],
        ]);
        assert(out !== "", error);
        const { outcomes } = JSON.parse(out) as { outcomes: Record<string, string> };
        assertEquals(Object.keys(outcomes).length, 9 + places.length);
        for (const [attempt, outcome] of Object.entries(outcomes)) {
          if (isExpected(walls, attempt)) {
            assert(!outcome.startsWith("did it"), `${attempt}: ${outcome}`);
          }
        }
        assert(await processorSeconds(victim.pid) !== null, "the sibling is gone");
        await victim.end();
      });
    }
  },
});

Deno.test({
  name: "a process that was taken over ends nobody by a signal to all",
  ignore: Deno.build.os !== "linux",
  async fn() {
    for (const [name, walls] of await kinds()) {
      if (walls.missing.some(({ wall }) => wall === "no other processes")) continue;
      const victim = await sibling(walls);
      await behind(walls, ["/bin/sh", "-c", "kill -9 -1; echo done"]);
      assert(await processorSeconds(victim.pid) !== null, name);
      await victim.end();
    }
  },
});

/** Calls with arguments by which they would do something, for x86_64. */
const CALLS: [name: string, call: string][] = [
  ["ptrace", "101, 0, 0, 0, 0"],
  ["process_vm_readv", "310, 1, 0, 0, 0, 0, 0"],
  ["socket of the internet", "41, 2, 1, 0"],
  ["socket of the kernel", "41, 16, 3, 0"],
  ["socketpair of the internet", "53, 2, 1, 0, 0"],
  ["fork", "57"],
  ["vfork", "58"],
  ["clone of a process", "56, 17, 0, 0, 0, 0"],
  ["clone3", "435, 0, 0"],
  ["unshare", "272, 0x10000000"],
  ["setns", "308, 0, 0"],
  ["mount", "165, 0, 0, 0, 0, 0"],
  ["bpf", "321, 0, 0, 0"],
  ["userfaultfd", "323, 0"],
  ["io_uring_setup", "425, 1, 0"],
  ["perf_event_open", "298, 0, 0, 0, 0, 0"],
  ["keyctl", "250, 0, 0"],
  ["pidfd_open", "434, 1, 0"],
  ["open_by_handle_at", "304, 0, 0, 0"],
  ["a call that is not known yet", "5000"],
  ["a call of 32-bit programs", "0x40000000 + 39"],
];

Deno.test({
  name: "a process that was taken over is refused the calls that it has no use for",
  ignore: Deno.build.os !== "linux" || Deno.build.arch !== "x86_64",
  async fn() {
    for (const [name, walls] of await kinds()) {
      if (!walls.enter(null).prefix.includes("perl")) continue;
      for (const [call, args] of CALLS) {
        const script = `my $r = syscall(${args}); print $r == -1 ? int($!) : "did it"`;
        const { out } = await behind(walls, ["perl", "-e", script]);
        assertMatch(out, /^(1|38)$/, `${name}: ${call}`);
      }
      // Those of another processor's manner end the process at once, and ordinary ones work.
      const { out } = await behind(walls, ["perl", "-e", "print syscall(39) == $$"]);
      assertEquals(out, "1", name);
    }
  },
});

Deno.test({
  name: "an analysis process is started behind these walls, without any permission but to read",
  ignore: Deno.build.os !== "linux",
  async fn() {
    const { cache } = await testInterpreter();
    const walls = await raiseAnalysisWalls({ denoDir: cache, niceness: 0 });
    const host = startHost({ walls, denoDir: cache });
    try {
      const watch = { deadlineMs: PATIENCE_MS, fileMs: PATIENCE_MS, memoryBytes: Infinity };
      assert(await warmUp(host, "python", BRIEF, watch));
      assert((await host.memory())! > 50e6, "its memory is not seen");
      host.trim();
      assert(await warmUp(host, "python", BRIEF, watch));
      const pid = await insideOf(host.pid);
      const words = (await Deno.readTextFile(`/proc/${pid}/cmdline`)).split("\0");
      assertEquals(
        words.filter((word) => /^(-A|--allow)/.test(word)).map((word) => word.split("=")[0]),
        ["--allow-read"],
      );
      const status = await Deno.readTextFile(`/proc/${pid}/status`);
      const field = (name: string) => new RegExp(`^${name}:[ \\t]*(.*)$`, "m").exec(status)?.[1];
      const missing = new Set(walls.missing.map(({ wall }) => wall));
      if (!missing.has("no new privileges")) assertEquals(field("NoNewPrivs"), "1");
      if (!missing.has("fewer system calls")) assertEquals(field("Seccomp"), "2");
      if (walls.uid !== null) {
        assert(!field("Uid")!.split("\t").includes("0"));
        assertMatch(field("CapBnd")!, /^0+$/);
      }
    } finally {
      await host.kill();
    }
  },
});

Deno.test("a second scan never meets a process that has read another repository", async () => {
  const started: HostProcess[] = [];
  const log = createLogger({ level: "error", format: "text", write() {} });
  const analysis = createAnalysis({
    log,
    walls: NO_WALLS,
    processes: 1,
    fileMs: PATIENCE_MS,
    start() {
      const host = startHost({ walls: NO_WALLS });
      started.push(host);
      return host;
    },
  });
  try {
    const deps = {
      analysis,
      advisories: {
        engine: "none",
        query: () => Promise.resolve([]),
        byIds: () => Promise.resolve(new Map()),
      },
      now: () => new Date(),
      qualityUrl: () => "",
      log,
    };
    for (let scans = 1; scans <= 2; scans++) {
      await runScan(deps, await scanInput({ "server.py": "print(1)\n" }));
      assertEquals(started.map(({ alive }) => alive), new Array(scans).fill(false));
    }
  } finally {
    await analysis.close();
  }
});
