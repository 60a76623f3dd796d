import { assertEquals, assertMatch, assertRejects } from "@std/assert";
import { fakeHosts, LOADED } from "../fake_hosts.ts";
import { until } from "../../helpers/interpreter.ts";
import { testBuilder } from "./harness.ts";
import { AppError } from "../../../src/errors.ts";
import type { InterpreterInput, LoadOutcome } from "../../../src/execution/interpreters/types.ts";
import type { OpenOptions } from "../../../src/execution/hosts/types.ts";

const NAMES = (count: number) => Array.from({ length: count }, (_, at) => ({ name: `tool-${at}` }));

Deno.test("a build of a server that starts says so, names its tools, and closes it", async () => {
  const hosts = fakeHosts({
    answer: () => ({
      kind: "result",
      result: { tools: [{ name: "forecast", description: "Tells it." }, { name: "now" }] },
    }),
  });
  const { build, tools, again } = await testBuilder(hosts)("");
  const { duration_ms: _, ...said } = build;
  assertEquals(said, {
    runs: "yes",
    profile: "full",
    problem: null,
    reason: null,
    tools_listed: 2,
  });
  assertEquals(tools, [
    { name: "forecast", description: "Tells it." },
    { name: "now", description: null },
  ]);
  assertEquals([again, hosts.sessions.map(({ closed }) => closed)], [false, [true]]);
});

Deno.test("a build is opened in the background, for nobody, with neither variables nor network", async () => {
  const opened: [InterpreterInput, OpenOptions | undefined][] = [];
  const hosts = fakeHosts({ load: { kind: "raised", message: "x", traceback: "" } });
  const build = testBuilder({
    open(input, options) {
      opened.push([input, options]);
      return hosts.open(input, options);
    },
  });
  await Promise.all([build(""), build("")]);
  const clients = opened.map(([{ client }]) => client);
  assertEquals(new Set(clients).size, 2);
  for (const [input, options] of opened) {
    assertEquals([input.environment, options], [{}, { background: true }]);
    const request = {
      method: "GET",
      url: "https://example.com/",
      headers: [],
      body: null,
      connectTimeoutMs: null,
      readTimeoutMs: null,
      verify: true,
    };
    const outcome = await input.http(request, new AbortController().signal);
    assertEquals([outcome.kind, outcome.kind === "error" && outcome.error], ["error", "refused"]);
  }
});

Deno.test("a build has more time where the machine is crowded", async () => {
  const deadlines: unknown[] = [];
  for (const patience of [1, 2.5]) {
    const hosts = fakeHosts({
      answer(_method, _params, options) {
        deadlines.push(Math.ceil(options.deadlineMs));
        return { kind: "result", result: { tools: [] } };
      },
    });
    const build = testBuilder({
      open(input, options) {
        deadlines.push(input.loadDeadlineMs);
        return hosts.open(input, options);
      },
    }, { deadlineMs: 1000, patience: () => patience });
    await build("");
  }
  assertEquals(deadlines, [1000, 1000, 2500, 2500]);
});

Deno.test("a build starts a server in the other profile where that tells more", async () => {
  const refused = {
    kind: "refused" as const,
    problems: [{ construct: "class", file: "server.py", line: 1, hint: "Use functions" }],
  };
  const tried = async (
    profile: "restricted" | "full",
    fits: { restricted: boolean; full: boolean },
    fitsRestricted?: boolean,
  ) => {
    const profiles: string[] = [];
    const hosts = {
      restricted: fakeHosts({ load: fits.restricted ? LOADED : refused }),
      full: fakeHosts({
        load: fits.full ? LOADED : { kind: "raised", message: "x", traceback: "" },
      }),
    };
    const outcome = await testBuilder({
      open(input, options) {
        profiles.push(input.profile);
        return hosts[input.profile].open(input, options);
      },
    }, { profile })("", { fitsRestricted });
    return [profiles, outcome.build.runs, outcome.other?.runs ?? null];
  };
  const both = { restricted: true, full: true };
  assertEquals(await tried("restricted", both), [["restricted"], "yes", null]);
  assertEquals(await tried("restricted", { restricted: false, full: true }), [
    ["restricted", "full"],
    "no",
    "yes",
  ]);
  assertEquals(await tried("full", both, true), [["full", "restricted"], "yes", "yes"]);
  assertEquals(await tried("full", { restricted: false, full: true }, true), [
    ["full", "restricted"],
    "yes",
    "no",
  ]);
  assertEquals(await tried("full", both, false), [["full"], "yes", null]);
  assertEquals(await tried("full", { restricted: false, full: false }, true), [
    ["full"],
    "no",
    null,
  ]);
});

Deno.test("a node without packages of servers' own does not say what the full profile would do for want of one", async () => {
  const refused = {
    kind: "refused" as const,
    problems: [{ construct: "class", file: "server.py", line: 1, hint: "Use functions" }],
  };
  const raised = (kind: "missing_package" | "missing_module" | "raised") => ({
    kind: "raised" as const,
    message: "No module named 'lichens'",
    traceback: "",
    cause: { kind, subject: "lichens", file: "server.py", line: 3, hint: "declare the package" },
  });
  const other = async (load: LoadOutcome) => {
    const hosts = { restricted: fakeHosts({ load: refused }), full: fakeHosts({ load }) };
    const open: typeof hosts.full.open = (input, options) =>
      hosts[input.profile].open(input, options);
    return (await testBuilder({ open }, { profile: "restricted" })("")).other;
  };
  const unknown = await other(raised("missing_package"));
  assertEquals([unknown?.runs, unknown?.profile, unknown?.problem], ["not_tried", "full", null]);
  assertMatch(
    unknown!.reason!,
    /^It needs lichens \(server\.py:3\), and .* \(INTERPRETER_PROFILE=/,
  );
  // What is no package's is so on every node.
  for (const kind of ["missing_module", "raised"] as const) {
    assertEquals((await other(raised(kind)))?.runs, "no");
  }
  // A node of the full profile resolves packages: there it is the server's.
  const full = fakeHosts({ load: raised("missing_package") });
  const { build } = await testBuilder(full)("");
  assertEquals([build.runs, build.problem?.hint], ["no", "Declare the package"]);
});

Deno.test("both starts of a build are one client's, and the one that tells nothing is ended", async () => {
  const clients = new Map<string, string[]>();
  const hosts = {
    full: fakeHosts({ load: { kind: "raised", message: "x", traceback: "" } }),
    restricted: fakeHosts({ load: () => new Promise(() => {}) }),
  };
  const build = testBuilder({
    open(input, options) {
      clients.set(input.client, [...clients.get(input.client) ?? [], input.profile]);
      input.onPlace?.("warm");
      return hosts[input.profile].open(input, options);
    },
  });
  const outcomes = [];
  for (let n = 0; n < 2; n++) outcomes.push(await build("", { fitsRestricted: true }));
  assertEquals(outcomes.map(({ build, other }) => [build.runs, other]), [
    ["no", undefined],
    ["no", undefined],
  ]);
  assertEquals([...clients.values()], [["full", "restricted"], ["full", "restricted"]]);
});

Deno.test("a build reads pages of tools, names each once, and stops at what a list may have", async () => {
  let calls = 0;
  const list = (pages: (page: number) => unknown) => {
    calls = 0;
    return testBuilder(
      fakeHosts({ answer: () => ({ kind: "result", result: pages(calls++) }) }),
    )("");
  };
  const two = await list((page) => ({
    tools: page === 0 ? NAMES(3) : [...NAMES(4)],
    ...(page === 0 ? { nextCursor: "next" } : {}),
  }));
  assertEquals([two.build.tools_listed, two.tools.length], [4, 4]);

  const endless = await list((page) => ({ tools: NAMES(1), nextCursor: `${page}` }));
  assertEquals([endless.build.tools_listed, endless.tools, calls], [null, [], 20]);

  const many = await list((page) => ({
    tools: NAMES(10_000).slice(page * 1000, page * 1000 + 1000),
    nextCursor: "more",
  }));
  assertEquals([many.build.runs, many.build.tools_listed, many.tools], ["yes", null, []]);

  const long = await list(() => ({
    tools: NAMES(900).map((tool) => ({ ...tool, description: "x".repeat(60_000) })),
  }));
  assertEquals([long.build.tools_listed, long.tools], [null, []]);

  const strange = await list(() => ({ tools: [{}, { name: 1 }, { name: "" }, 3, { name: "a" }] }));
  assertEquals(strange.tools, [{ name: "a", description: null }]);

  const failing = await testBuilder(
    fakeHosts({ answer: () => ({ kind: "error", code: -32603, message: "no" }) }),
  )("");
  assertEquals([failing.build.runs, failing.build.tools_listed], ["yes", null]);
});

Deno.test("a build keeps schemas and annotations of tools within bounds, and nothing that is none", async () => {
  const list = async (tools: unknown[]) => {
    const answer = () => ({ kind: "result" as const, result: { tools } });
    const outcome = await testBuilder(fakeHosts({ answer }))("");
    return outcome.tools.map(({ listed }) => listed);
  };
  const inputSchema = { type: "object", properties: { city: { type: "string" } } };
  const annotations = { readOnlyHint: true, destructiveHint: "no", title: "x", other: false };
  const [whole] = await list([{ name: "a", title: "A", inputSchema, annotations }]);
  assertEquals(whole, {
    name: "a",
    description: null,
    title: "A",
    input_schema: inputSchema,
    output_schema: null,
    annotations: { readOnlyHint: true },
  });

  const large = { type: "object", description: "x".repeat(20_000) };
  const wide = { type: "object", enum: Array.from({ length: 2000 }, () => 1) };
  const refused = [large, wide, [], "object", null, undefined];
  const none = await list(
    refused.map((schema, at) => ({ name: `${at}`, inputSchema: schema, outputSchema: schema })),
  );
  assertEquals(none, refused.map(() => undefined));

  const big = { type: "object", description: "x".repeat(10_000) };
  const many = await list(NAMES(50).map((tool) => ({ ...tool, inputSchema: big })));
  assertEquals(many.length, 50);
  const kept = many.filter((one) => one !== undefined).length;
  assertEquals(kept > 5 && kept < 20, true, `${kept}`);
});

Deno.test("a build opens nothing for what the verdict or the language keeps from running", async () => {
  const hosts = fakeHosts();
  const build = testBuilder(hosts);
  const failed = await build("", { scanStatus: "failed" });
  const rust = await build("", { lang: "rust" });
  const strict = await testBuilder(hosts, { policy: "passed" })("", { scanStatus: "error" });
  for (const { build: { runs, reason }, again } of [failed, rust, strict]) {
    assertEquals([runs, again], ["not_tried", false]);
    assertMatch(reason!, /scan failed|rust|until its security scan has passed/);
  }
  assertEquals(hosts.sessions, []);
  const any = await testBuilder(hosts, { policy: "any" })("", { scanStatus: "failed" });
  assertEquals(any.build.runs, "yes");
});

Deno.test("a build that a full node refuses is to be tried again", async () => {
  const full = new AppError("unavailable", "This node runs as many sessions as it may");
  const { build, again } = await testBuilder({ open: () => Promise.reject(full) })("");
  assertEquals([build.runs, build.reason, again], ["not_tried", full.message, true]);
  const broken = testBuilder({ open: () => Promise.reject(new Error("/secret/path")) });
  assertEquals((await broken("")).build.reason, "No interpreter could be started");
});

Deno.test("a build that a shutdown ended says nothing of the server", async () => {
  const { build, again } = await testBuilder(fakeHosts({
    load: { kind: "raised", message: "x", traceback: "", ended: "shutdown" },
  }))("");
  assertEquals([build.runs, build.problem, again], ["not_tried", null, true]);
});

Deno.test("a build that is given up rejects at once, and what was opened is closed", async () => {
  const { promise, resolve } = Promise.withResolvers<typeof LOADED>();
  const hosts = fakeHosts({ load: () => promise });
  const giveUp = new AbortController();
  const building = testBuilder(hosts)("", { signal: giveUp.signal });
  giveUp.abort(new Error("The scan was ended"));
  await assertRejects(() => building, Error, "The scan was ended");
  resolve(LOADED);
  await until(() => hosts.sessions.every(({ closed }) => closed));
});

Deno.test("two builds run at once, the others wait for their turn", async () => {
  let open = 0;
  let most = 0;
  const hosts = fakeHosts({
    async load() {
      most = Math.max(most, ++open);
      await new Promise((done) => setTimeout(done, 5));
      open--;
      return LOADED;
    },
    answer: () => ({ kind: "result", result: { tools: [] } }),
  });
  const build = testBuilder(hosts);
  const built = await Promise.all(Array.from({ length: 6 }, () => build("")));
  assertEquals([most, built.map(({ build }) => build.runs)], [2, Array(6).fill("yes")]);
});
