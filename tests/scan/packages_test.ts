import { assertEquals } from "@std/assert";
import { orKept, withResolved, withUndeclared } from "../../src/scan/packages.ts";
import type { Packages, ResolvedPackage } from "../../src/scan/packages_schema.ts";

function resolvedAs(name: string, modules: string[]): ResolvedPackage {
  return {
    name,
    version: "1.0",
    source: "index",
    sha256: "a".repeat(64),
    requires: [],
    direct: true,
    instead: null,
    python_part: false,
    yanked: false,
    modules,
  };
}

const PACKAGES: Packages = {
  resolved: [resolvedAs("numpy", ["numpy"])],
  missing: [],
  undeclared: [],
  files: ["requirements.txt"],
  problem: null,
  duration_ms: 1,
};

Deno.test("withUndeclared() names what the code imports and nothing asks for", () => {
  const imports = ["json", "yaml", "httpx", "numpy", "humanize", "constructor", "mcp", "helper"];
  const paths = ["server.py", "src/helper/__init__.py"];
  const named = ["constructor", "humanize", "pyyaml"];
  assertEquals(withUndeclared(PACKAGES, imports, paths).undeclared, named);
  // Without any manifest too.
  assertEquals(withUndeclared({ ...PACKAGES, files: [] }, imports, paths).undeclared, named);
  const unresolved = { ...PACKAGES, resolved: [], problem: "it took too long" };
  assertEquals(withUndeclared(unresolved, imports, paths).undeclared, []);
});

Deno.test("withUndeclared() takes a module for one of a package that is asked for, resolved or not", () => {
  const resolved = [resolvedAs("scikit-image", ["skimage"]), resolvedAs("attrs", [])];
  const missing = [{ name: "google-genai", requirement: "google-genai", by: "", reason: "none" }];
  const imports = ["skimage", "attr", "google", "_private"];
  assertEquals(withUndeclared({ ...PACKAGES, resolved, missing }, imports, []).undeclared, []);
});

Deno.test("withUndeclared() says which missing packages the code imports, by their modules' names", () => {
  const missing = ["pillow", "opencv-python", "torch"].map((name) => ({
    name,
    requirement: name,
    by: "",
    reason: "it needs its compiled module",
  }));
  const found = withUndeclared({ ...PACKAGES, missing }, ["PIL", "cv2", "json"], []);
  assertEquals(found.missing.map(({ imported }) => imported ?? false), [true, true, false]);
});

const NOTHING_THERE = { paths: [], installed: new Set<string>() };

Deno.test("withResolved() names what functions import and no session of the server has", () => {
  const late = (module: string) => ({
    construct: `package (${module})`,
    ...{ file: "server.py", line: 1, hint: "declare it" },
  });
  const modules = ["yaml", "humanize", "numpy", "PIL", "helper", "sqlite3", "httpx", "google"];
  const given = {
    ...{ restricted: true, refused: [], full: false },
    missing: modules.map(late),
  };
  const packages = {
    ...PACKAGES,
    resolved: [...PACKAGES.resolved, resolvedAs("google-genai", [])],
    missing: [{ name: "pillow", requirement: "pillow", by: "", reason: "it is compiled" }],
  };
  const there = { paths: ["helper/main.py"], installed: new Set(["pyyaml"]) };
  const named = (...all: Parameters<typeof withResolved>) =>
    withResolved(...all)?.missing?.map(({ construct }) => construct);
  assertEquals(named(given, packages, there), ["package (humanize)", "package (PIL)"]);
  // A file of the repository may be that module, an installation may have it.
  assertEquals(
    named(given, packages, { paths: ["humanize.py"], installed: new Set(["pyyaml"]) }),
    ["package (PIL)", "package (helper)"],
  );
  assertEquals(named(given, packages, NOTHING_THERE)?.[0], "package (yaml)");
  // Nothing is known where nothing could be resolved, or sessions have no packages of their own.
  assertEquals(named(given, { ...packages, problem: "it took too long" }, there), []);
  const restricted = withResolved(given, undefined, there);
  assertEquals([restricted?.missing, restricted?.full], [[], true]);
});

Deno.test("withResolved() takes back that a compiled package is in no profile, where it was resolved", () => {
  const at = { file: "server.py", line: 1, hint: "use another" };
  const numpy = { construct: "binary wheel (numpy)", ...at };
  const torch = { construct: "binary wheel (torch)", ...at };
  const given = { restricted: false, refused: [], full: false, missing: [numpy, torch] };
  const one = withResolved(given, PACKAGES, NOTHING_THERE);
  assertEquals([one?.missing, one?.full], [[torch], false]);
  const none = withResolved({ ...given, missing: [numpy] }, PACKAGES, NOTHING_THERE);
  assertEquals([none?.missing, none?.full], [[], true]);
  assertEquals(withResolved(given, undefined, NOTHING_THERE), given);
  assertEquals(withResolved({ ...given, missing: [] }, PACKAGES, NOTHING_THERE)?.full, false);
});

Deno.test("orKept() keeps what was resolved before where a scan could not finish, and says so", () => {
  const none = { ...PACKAGES, resolved: [], duration_ms: 9 };
  const lost = { ...none, unreached: true };
  const kept = orKept(lost, PACKAGES);
  assertEquals(
    [kept.resolved, kept.kept, kept.problem, kept.unreached, kept.duration_ms],
    [PACKAGES.resolved, true, "a source of packages did not answer", true, 9],
  );
  assertEquals(orKept({ ...none, problem: "too slow" }, PACKAGES).problem, "too slow");
  // Once more, and for as long as it takes.
  assertEquals(orKept(lost, kept).resolved, PACKAGES.resolved);
  // What finished counts, also where it found less; and nothing can be kept where nothing was.
  for (const before of [PACKAGES, kept, undefined]) assertEquals(orKept(none, before), none);
  assertEquals(orKept(lost, undefined), lost);
  assertEquals(orKept({ ...PACKAGES, unreached: true }, lost).kept, undefined);
});
