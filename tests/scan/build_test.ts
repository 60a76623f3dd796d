import { assertEquals, assertStringIncludes } from "@std/assert";
import { withBuild } from "../../src/scan/build.ts";
import {
  type Build,
  buildSentence,
  listedBuild,
  otherSentence,
} from "../../src/scan/build_schema.ts";
import type { SecurityReport } from "../../src/scan/schema.ts";
import { reportOn, repositoryOf } from "../helpers/registry.ts";

const BUILD: Build = {
  runs: "yes",
  profile: "full",
  problem: null,
  reason: null,
  tools_listed: 2,
  duration_ms: 1,
};

async function report(): Promise<SecurityReport> {
  const repository = await repositoryOf("https://github.com/acme/weather");
  const plain = reportOn({ repository, serverName: "weather" }, { tools: ["convert", "show"] });
  const at = (line: number, within?: string) => ({
    file: "server.py",
    line,
    hint: "do without",
    ...(within === undefined ? {} : { within }),
  });
  const missing = { requirement: "any", by: "", reason: "none fits" };
  return {
    ...plain,
    compatibility: {
      restricted: true,
      refused: [],
      full: false,
      missing: [
        { construct: "process (subprocess.run)", ...at(12, "convert") },
        { construct: "process (os.system)", ...at(13, "convert") },
        { construct: "socket (socket.socket)", ...at(30, "helper") },
        { construct: "C extension (ctypes)", ...at(1) },
        { construct: "package (torch)", ...at(40, "helper") },
        { construct: "package (docx)", ...at(50, "helper") },
      ],
    },
    packages: {
      resolved: [],
      missing: [
        { ...missing, name: "torch", imported: true },
        { ...missing, name: "unused" },
        { ...missing, name: "inner", by: "torch", imported: true },
      ],
      undeclared: [],
      files: [],
      problem: null,
      duration_ms: 1,
    },
  };
}

const CLASS_PROBLEM = {
  kind: "profile_construct" as const,
  subject: "class",
  message: "The restricted profile does not have: class",
  file: "server.py",
  line: 1,
  hint: "Use functions",
  variables: [],
};

Deno.test("a build of a server that starts says what its tools need in vain, and which tools", async () => {
  const { compatibility } = withBuild(await report(), { build: BUILD, tools: [] });
  const build = compatibility!.build!;
  assertEquals(build.lacks?.map(({ kind, subject, line, tool }) => [kind, subject, line, tool]), [
    ["program", "subprocess.run", 12, "convert"],
    ["socket", "socket.socket", 30, null],
    ["package", "torch", 40, null],
    ["package", "docx", 50, null],
  ]);
  const needs = "tools need other programs (server.py:12), sockets (server.py:30), " +
    "the package torch and 1 more";
  assertEquals(buildSentence(build), `Starts here: 2 tools, but ${needs}`);
  assertEquals(listedBuild(build), { runs: "yes", reason: needs });
});

Deno.test("a build of a server that needs nothing more, or does not start, lists no lacks", async () => {
  const plain = await report();
  const whole = { ...plain, compatibility: { ...plain.compatibility!, missing: [] } };
  delete whole.packages;
  const yes = withBuild(whole, { build: BUILD, tools: [] }).compatibility!.build!;
  assertEquals([yes.lacks, buildSentence(yes)], [undefined, "Runs here: 2 tools"]);
  const not = { ...BUILD, runs: "not_tried" as const, reason: "builds are off" };
  assertEquals(withBuild(plain, { build: not, tools: [] }).compatibility!.build!.lacks, undefined);
});

Deno.test("a build that lacks a package counts for the full profile, until a build has it", async () => {
  const plain = await report();
  const clean = {
    ...plain,
    compatibility: { ...plain.compatibility!, full: true, missing: [] },
    packages: { ...plain.packages!, missing: [], undeclared: ["humanize"] },
  };
  const no: Build = {
    ...BUILD,
    runs: "no",
    tools_listed: null,
    problem: {
      kind: "missing_package",
      subject: "humanize",
      message: "No module named 'humanize'",
      file: "server.py",
      line: 3,
      hint: "Add its Python files to the repository",
      variables: [],
    },
  };
  const failed = withBuild(clean, { build: no, tools: [] });
  const hint = "Declare it in requirements.txt or pyproject.toml";
  assertEquals([failed.compatibility?.full, failed.compatibility?.missing], [false, [
    { construct: "missing package (humanize)", file: "server.py", line: 3, hint },
  ]]);
  assertEquals(failed.compatibility?.build?.problem?.hint, hint);
  assertEquals(withBuild(failed, { build: no, tools: [] }).compatibility, failed.compatibility);
  const fixed = withBuild(failed, { build: BUILD, tools: [] });
  assertEquals([fixed.compatibility?.full, fixed.compatibility?.missing], [true, []]);
  // A package that is declared keeps the sandbox's own hint, and the restricted profile its say.
  const declared = { ...clean, packages: { ...clean.packages, undeclared: [] } };
  const own = withBuild(declared, { build: no, tools: [] });
  assertEquals(own.compatibility?.build?.problem?.hint, no.problem!.hint);
  const restricted = { ...no, profile: "restricted" as const };
  assertEquals(withBuild(declared, { build: restricted, tools: [] }).compatibility?.full, true);
});

Deno.test("withBuild() measures both profiles, and says when it takes the full one", async () => {
  const before = { restricted: true, refused: [], full: true, missing: [] };
  const base = { ...await report(), compatibility: before };
  const yes = { ...BUILD, profile: "full" as const };
  const no = { ...BUILD, runs: "no" as const, problem: CLASS_PROBLEM, tools_listed: null };
  const restricted = { ...no, profile: "restricted" as const };
  const full = {
    ...no,
    profile: "full" as const,
    problem: { ...CLASS_PROBLEM, kind: "raised" as const },
  };

  const needsFull = withBuild(base, { build: restricted, other: yes, tools: [] });
  const { compatibility } = needsFull;
  assertEquals([compatibility!.restricted, compatibility!.full], [false, true]);
  assertEquals(compatibility!.other_build?.runs, "yes");
  assertStringIncludes(compatibility!.build!.problem!.hint, "INTERPRETER_PROFILE=full");
  assertStringIncludes(needsFull.recommendations.join("\n"), "INTERPRETER_PROFILE=full");

  const neither = withBuild(base, { build: restricted, other: full, tools: [] }).compatibility!;
  assertEquals([neither.restricted, neither.full], [false, false]);
  assertEquals(neither.build!.problem!.hint, "Use functions");

  const measured = withBuild(base, { build: yes, other: restricted, tools: [] }).compatibility!;
  assertEquals([measured.restricted, measured.full], [false, true]);
  // A later build replaces what an earlier one said.
  const again = withBuild({ ...base, compatibility: neither }, { build: yes, tools: [] });
  assertEquals([again.compatibility!.full, again.compatibility!.other_build], [true, undefined]);
});

Deno.test("withBuild() keeps what the source says of a profile of which a node cannot tell", async () => {
  const restricted: Build = {
    ...BUILD,
    runs: "no",
    profile: "restricted",
    problem: CLASS_PROBLEM,
    tools_listed: null,
  };
  const reason = "It needs lichens (server.py:3), and this node has none of its own";
  const other: Build = { ...BUILD, runs: "not_tried", profile: "full", reason, tools_listed: null };
  const plain = await report();
  for (const full of [true, false]) {
    const missing = full ? [] : plain.compatibility!.missing!;
    const base = { ...plain, compatibility: { restricted: true, refused: [], full, missing } };
    const built = withBuild(base, { build: restricted, other, tools: [] });
    const { compatibility } = built;
    assertEquals([compatibility!.restricted, compatibility!.full], [false, full]);
    assertEquals(compatibility!.missing, missing);
    const { hint } = compatibility!.build!.problem!;
    assertStringIncludes(hint, "Use functions. It may run in the full profile");
    assertStringIncludes(hint, "INTERPRETER_PROFILE=full");
    assertStringIncludes(built.recommendations.join("\n"), "INTERPRETER_PROFILE=full");
  }
  const named = { ...CLASS_PROBLEM, hint: "Set INTERPRETER_PROFILE=full" };
  const once = withBuild(plain, { build: { ...restricted, problem: named }, other, tools: [] });
  assertEquals(once.compatibility!.build!.problem!.hint, named.hint);
  const sentence = `Whether it starts in the full profile is not known. ${reason}`;
  assertEquals(otherSentence(once.compatibility!.other_build), sentence);
});
