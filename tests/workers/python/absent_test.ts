/** What is not there behaves as on a machine without it, so that programs can go another way. */
import { assertEquals } from "@std/assert";
import { callTool, openTestHosts, server, sessionInput } from "../../helpers/interpreter.ts";

const SOURCE = server(`
import errno, importlib.util, subprocess
import resource, pwd, os
import yaml
from yaml import CSafeLoader, CDumper
from tabulate import tabulate

HAS = [importlib.util.find_spec(name) is not None for name in ("torch", "curses", "json", "tabulate")]
try:
    subprocess.run(["git", "--version"])
except FileNotFoundError as error:
    PROGRAM = [error.errno == errno.ENOENT, error.filename]
soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))

@tool
def run() -> str:
    user = pwd.getpwuid(os.getuid()).pw_uid == os.getuid()
    loaded = yaml.load(yaml.dump({"a": [1]}, Dumper=CDumper), Loader=CSafeLoader)
    usage = resource.getrusage(0).ru_maxrss
    return repr([HAS, PROGRAM, tabulate([[1]]).strip()[:1], usage, user, loaded])

@tool
def missing() -> str:
    try:
        import torch
    except ModuleNotFoundError as error:
        return str(error)
`);

const TAKEN = server(`
import importlib.metadata as metadata
import pydantic, tabulate

@tool
def told() -> str:
    points = [point.name for point in metadata.entry_points(group="console_scripts")]
    names = [each.name for each in metadata.distributions()]
    return repr(["tabulate" in points, names.count("tabulate"), names.count("pydantic"),
                 bool(metadata.requires("pydantic")), metadata.version("rich") > "1"])
`);

Deno.test("packages that were imported have their own metadata, once", async () => {
  await using hosts = await openTestHosts();
  const session = await hosts.open(sessionInput(TAKEN));
  assertEquals(await callTool(session, "told"), "[True, 1, 1, True, True]");
  await session.close();
});

Deno.test("absent modules and programs are absent, and folders without __init__.py hide no package", async () => {
  await using hosts = await openTestHosts();
  const text = (content: string) => new TextEncoder().encode(content);
  const session = await hosts.open(sessionInput(SOURCE, {
    files: new Map([["main.py", text(SOURCE)], ["tabulate/notes.txt", text("no package")]]),
  }));
  assertEquals(
    session.load.kind === "loaded" ? await callTool(session, "run") : JSON.stringify(session.load),
    "[[False, False, True, True], [True, 'git'], '-', 0, True, {'a': [1]}]",
  );
  // An import still says what to do.
  assertEquals((await callTool(session, "missing")).includes("main.py, line"), true);
  await session.close();
});

const SHELL = server(`
import os, subprocess

@tool
def run() -> str:
    ended = subprocess.run("lichen -x", shell=True, capture_output=True, text=True)
    pipe = os.popen("lichen")
    return repr([ended.returncode, ended.stdout, ended.stderr.split(" (")[0], os.system("lichen"),
                 pipe.read(), pipe.close()])
`);

for (const profile of ["full", "restricted"] as const) {
  Deno.test(`commands of a shell are not found in the ${profile} profile`, async () => {
    await using hosts = await openTestHosts();
    const session = await hosts.open(sessionInput(SHELL, { profile }));
    assertEquals(
      session.load.kind === "loaded"
        ? await callTool(session, "run")
        : JSON.stringify(session.load),
      "[127, '', 'sh: 1: lichen: not found', 32512, '', 32512]",
    );
    await session.close();
  });
}
