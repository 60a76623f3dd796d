/**
 * Shells and interpreters that a server gives its caller's word as text, without `shell=True`: each
 * form is a server whose audit has a finding that fails the scan.
 *
 * @module
 */
import { assert, assertEquals } from "@std/assert";
import { analyse } from "../../workers/analysis/audit/mod.ts";
import type { RawFinding } from "../../workers/analysis/finding.ts";
import { analyseHere } from "../helpers/analysis.ts";

/** What runs the text, and the tool's last statement; `X` is the caller's word. */
const FORMS: [string, string][] = [
  ["a list that grows", `c = ["bash"]\n    c.append("-c")\n    c.append(X)\n    subprocess.run(c)`],
  ["a list with an addition", `c = ["bash", "-c"]\n    c += [X]\n    subprocess.run(c)`],
  ["a list that is extended", `c = ["bash", "-c"]\n    c.extend([X])\n    subprocess.run(c)`],
  ["words of a text", `subprocess.run([*"bash -c".split(), X])`],
  [
    "a choice by system",
    `c = ["cmd", "/c", X] if os.name == "nt" else ["sh", "-c", X]\n    subprocess.run(c)`,
  ],
  ["a thread's target", `threading.Thread(target=subprocess.run, args=(["sh", "-c", X],)).start()`],
  ["a loop's callback", `asyncio.get_event_loop().call_soon(subprocess.run, ["sh", "-c", X])`],
  ["bash -c", `subprocess.run(["bash", "-c", f"nslookup {X}"])`],
  ["/bin/sh -c", `subprocess.Popen(["/bin/sh", "-c", X])`],
  ["a tuple", `subprocess.call(("zsh", "-c", X))`],
  ["combined options", `subprocess.check_output(["bash", "-lc", X])`],
  ["dash", `subprocess.run(["dash", "-ec", X])`],
  ["args=", `subprocess.run(args=["sh", "-c", X])`],
  ["a list put together", `subprocess.run(["sh", "-c"] + [X])`],
  ["a list of the module", `subprocess.run([*SHELL, X])`],
  ["a local list", `a = ["sh", "-c", X]\n    subprocess.run(a)`],
  ["a name of the shell", `subprocess.run([BASH, "-c", X])`],
  ["which", `subprocess.run([shutil.which("bash"), "-c", X])`],
  ["$SHELL", `subprocess.run([os.environ.get("SHELL", "/bin/sh"), "-c", X])`],
  ["a text put together", `c = "ls " + X\n    subprocess.run(["sh", "-c", c])`],
  ["env", `subprocess.run(["/usr/bin/env", "bash", "-c", X])`],
  ["sudo", `subprocess.run(["sudo", "-n", "sh", "-c", X])`],
  ["timeout", `subprocess.run(["timeout", "5", "bash", "-c", X])`],
  ["xargs", `subprocess.run(["xargs", "sh", "-c", X])`],
  ["su -c", `subprocess.run(["su", "nobody", "-c", X])`],
  ["a container", `subprocess.run(["docker", "exec", "box", "sh", "-c", X])`],
  ["busybox", `subprocess.run(["busybox", "sh", "-c", X])`],
  ["cmd /c", `subprocess.run(["cmd", "/c", X])`],
  ["cmd.exe /C", `subprocess.run(["cmd.exe", "/C", "dir", X])`],
  ["powershell", `subprocess.run(["powershell", "-Command", X])`],
  ["pwsh", `subprocess.run(["pwsh", "-NoProfile", "-c", X])`],
  ["standard input of a shell", `subprocess.run(["bash"], input=X, text=True)`],
  ["standard input of Python", `subprocess.run([sys.executable, "-"], input=X, text=True)`],
  ["create_subprocess_exec", `asyncio.run(asyncio.create_subprocess_exec("sh", "-c", X))`],
  ["star arguments", `asyncio.run(asyncio.create_subprocess_exec(*["sh", "-c", X]))`],
  ["execvp", `os.execvp("sh", ["sh", "-c", X])`],
  ["execl", `os.execl("/bin/sh", "sh", "-c", X)`],
  ["execve", `os.execve("/bin/sh", ["sh", "-c", X], {})`],
  ["spawnlp", `os.spawnlp(os.P_WAIT, "sh", "sh", "-c", X)`],
  ["spawnvp", `os.spawnvp(os.P_WAIT, "sh", ["sh", "-c", X])`],
  ["posix_spawn", `os.posix_spawn("/bin/sh", ["sh", "-c", X], {})`],
  ["pty.spawn", `pty.spawn(["sh", "-c", X])`],
  ["python -c", `subprocess.run([sys.executable, "-c", X])`],
  ["python3 -Ic", `subprocess.check_output(["python3", "-Ic", X])`],
  ["node -e", `subprocess.run(["node", "-e", X])`],
  ["node --eval", `subprocess.run(["node", "--eval", X])`],
  ["deno eval", `subprocess.run(["deno", "eval", X])`],
  ["perl -e", `subprocess.run(["perl", "-e", X])`],
  ["perl -ne", `subprocess.run(["perl", "-ne", X])`],
  ["ruby -e", `subprocess.run(["ruby", "-e", X])`],
  ["php -r", `subprocess.run(["php", "-r", X])`],
  ["osascript", `subprocess.run(["osascript", "-e", X])`],
  ["awk", `subprocess.run(["awk", X, "file"])`],
  ["ssh", `subprocess.run(["ssh", "host", X])`],
  ["ssh with options", `subprocess.run(["ssh", "-p", "22", "-o", "A=b", "host", "ls", X])`],
  ["options in a table", `subprocess.run(X, **OPTIONS)`],
  ["shell=1", `subprocess.run(X, shell=1)`],
  ["a constant for shell", `subprocess.run(X, shell=YES)`],
  ["partial", `RUN(X)`],
  ["a thread", `asyncio.run(asyncio.to_thread(subprocess.run, ["sh", "-c", X]))`],
];

/** What honest servers start: none of it fails a scan. */
const HONEST: [string, string][] = [
  ["git with the caller's argument", `subprocess.run(["git", "log", "--", X])`],
  ["a fixed text", `subprocess.run(["bash", "-c", "echo hello"])`],
  ["a fixed text of the module", `subprocess.run(["bash", "-c", TEXT])`],
  ["a module of Python", `subprocess.run([sys.executable, "-m", "pip", "--version"])`],
  ["a fixed program for Python", `subprocess.run([sys.executable, "-c", "print(1)"])`],
  ["a program that is named by itself", `c = c or d\n    d = d or c\n    subprocess.run([c, X])`],
  ["a quoted word", `subprocess.run(["bash", "-c", TEXT], input="x")`],
  ["an argument behind a fixed text", `subprocess.run(["sh", "-c", 'ls -- "$1"', "sh", X])`],
];

function server(statement: string): string {
  return `import asyncio, functools, os, pty, shutil, subprocess, sys, threading
from mcp.server.fastmcp import FastMCP
mcp = FastMCP("s")
SHELL = ["sh", "-c"]
BASH = "/bin/bash"
TEXT = "ls -l"
YES = True
OPTIONS = {"shell": True}
RUN = functools.partial(subprocess.run, shell=True)
@mcp.tool()
def t(X: str):
    ${statement}
mcp.run()
`;
}

async function graveOf(statement: string): Promise<string[]> {
  const { result } = await analyseHere<{ code: RawFinding[] }>(analyse, {
    "server.py": server(statement),
  });
  return result.code.filter(({ severity }) => /^(critical|high)$/.test(severity))
    .map(({ rule, title }) => `${rule}: ${title}`);
}

for (const [what, statement] of FORMS) {
  Deno.test(`the caller's word as a text that ${what} runs fails the scan`, async () => {
    assert((await graveOf(statement)).length > 0);
  });
}

for (const [what, statement] of HONEST) {
  Deno.test(`${what} fails no scan`, async () => {
    assertEquals(await graveOf(statement), []);
  });
}
