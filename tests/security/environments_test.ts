/**
 * Variables and folders that decide what runs, as a caller sets them: each form is a server whose audit
 * has a finding that fails the scan.
 *
 * @module
 */
import { assert } from "@std/assert";
import { fails, scan } from "./scanned_servers.ts";
import { startingServer } from "./starting_servers.ts";

/** What decides, and the module's body; `X` is the caller's word. */
const FORMS: [string, string][] = [
  ["PATH", `def t(X: str):\n    os.environ["PATH"]=X\n    subprocess.run(["ls"])`],
  ["LD_PRELOAD", `def t(X: str):\n    os.environ["LD_PRELOAD"]=X\n    subprocess.run(["ls"])`],
  [
    "PYTHONPATH",
    `def t(X: str):\n    os.environ["PYTHONPATH"]=X\n    subprocess.run([sys.executable,"-m","tool"])`,
  ],
  [
    "putenv",
    `def t(X: str):\n    os.putenv("BASH_ENV",X)\n    subprocess.run(["bash","fixed.sh"])`,
  ],
  [
    "update",
    `def t(X: str):\n    os.environ.update({"GIT_SSH_COMMAND":X})\n    subprocess.run(["git","fetch"])`,
  ],
  [
    "setdefault",
    `def t(X: str):\n    os.environ.setdefault("EDITOR",X)\n    subprocess.run(["git","commit"])`,
  ],
  [
    "a spread environment",
    `def t(X: str):\n    subprocess.run(["git","log"],env={**os.environ,"GIT_PAGER":X})`,
  ],
  ["dict(…)", `def t(X: str):\n    subprocess.run(["git","log"],env=dict(os.environ,PAGER=X))`],
  [
    "a copy of the environment",
    `def t(X: str):\n    e=os.environ.copy()\n    e["LD_PRELOAD"]=X\n    subprocess.run(["git","log"],env=e)`,
  ],
  [
    "a merged environment",
    `def t(X: str):\n    subprocess.run(["git","log"],env=os.environ|{"PATH":X})`,
  ],
  ["a variable's name", `def t(X: str):\n    subprocess.run(["git","log"],env={X:"1"})`],
  ["a whole environment", `def t(X: dict):\n    subprocess.run(['git','log'],env=X)`],
  [
    "a whole table of variables",
    `def t(X: dict):\n    subprocess.run(['git','log'],env={**os.environ,**X})`,
  ],
  ["the folder of a relative program", `def t(X: str):\n    subprocess.run(["./tool"],cwd=X)`],
  ["chdir", `def t(X: str):\n    os.chdir(X)\n    subprocess.run(["./tool"])`],
  [
    "a longer PATH",
    `def t(X: str):\n    os.environ["PATH"]=f"{X}:{os.environ['PATH']}"\n    subprocess.run(["ls"])`,
  ],
  ["names and values", `def t(X: str, Y: str):\n    os.environ[X]=Y\n    subprocess.run(['ls'])`],
  ["a table of variables", `def t(X: dict):\n    os.environ.update(X)\n    subprocess.run(['ls'])`],
  [
    "NODE_OPTIONS",
    `def t(X: str):\n    subprocess.run(["node","x.js"],env={"NODE_OPTIONS":"--require "+X})`,
  ],
  [
    "asyncio's environment",
    `def t(X: str):\n    asyncio.run(asyncio.create_subprocess_exec("git","log",env={"GIT_EXTERNAL_DIFF":X}))`,
  ],
  [
    "execve's environment",
    `def t(X: str):\n    os.execve("/usr/bin/git",["git","log"],{"PAGER":X})`,
  ],
  [
    "an environment that is filled",
    `def t(X: str):\n    e={}\n    e.update(PYTHONSTARTUP=X)\n    subprocess.run(["python3","-i"],env=e)`,
  ],
  [
    "LD_LIBRARY_PATH",
    `def t(X: str):\n    env=os.environ.copy()\n    env.update({"LD_LIBRARY_PATH":X})\n    subprocess.Popen(["ls"],env=env)`,
  ],
  [
    "BROWSER",
    `import webbrowser\ndef t(X: str):\n    os.environ["BROWSER"]=X\n    webbrowser.open("http://x")`,
  ],
  ["COMSPEC", `def t(X: str):\n    os.environ["COMSPEC"]=X\n    os.system("dir")`],
  ["executable=", `def t(X: str):\n    subprocess.run(["ls"],executable=X)`],
  [
    "where a program is looked up",
    `def t(X: str):\n    p=shutil.which("tool",path=X)\n    subprocess.run([p])`,
  ],
  ["preexec_fn", `def t(X: str):\n    subprocess.run(["ls"],preexec_fn=lambda: os.system(X))`],
  [
    "a bound environment",
    `import functools\ndef t(X: str):\n    r=functools.partial(subprocess.run,["ls"],env={"LD_PRELOAD":X})\n    r()`,
  ],
  [
    "__setitem__",
    `def t(X: str):\n    os.environ.__setitem__("LD_PRELOAD",X)\n    subprocess.run(["ls"])`,
  ],
  [
    "another name of the environment",
    `E=os.environ\ndef t(X: str):\n    E["PATH"]=X\n    subprocess.run(["ls"])`,
  ],
  [
    "an imported environment",
    `from os import environ\ndef t(X: str):\n    environ["PATH"]=X\n    subprocess.run(["ls"])`,
  ],
  [
    "a loop over variables",
    `def t(X: str):\n    for k,v in json.loads(X).items():\n        os.environ[k]=v\n    subprocess.run(["ls"])`,
  ],
  [
    "a patched environment",
    `from unittest import mock\ndef t(X: str):\n    with mock.patch.dict(os.environ,{"PATH":X}):\n        subprocess.run(["ls"])`,
  ],
  ["the environment of sh", `import sh\ndef t(X: str):\n    sh.git("log",_env={"GIT_PAGER":X})`],
  [
    "the environment of plumbum",
    `from plumbum import local\ndef t(X: str):\n    with local.env(PATH=X):\n        local["ls"]()`,
  ],
  [
    "a variable of plumbum",
    `from plumbum import local\ndef t(X: str):\n    local.env["LD_PRELOAD"]=X`,
  ],
  [
    "load_dotenv",
    `from dotenv import load_dotenv
def t(X: str):
    load_dotenv(X)
    subprocess.run(["ls"])`,
  ],
  [
    "load_dotenv stream",
    `from dotenv import load_dotenv
import io
def t(X: str):
    load_dotenv(stream=io.StringIO(X), override=True)
    subprocess.run(["ls"])`,
  ],
  [
    "dotenv.set_key",
    `import dotenv
def t(X: str):
    dotenv.load_dotenv(dotenv_path=X)
    subprocess.run(["ls"])`,
  ],
  [
    "update pairs",
    `def t(k: str, X: str):
    os.environ.update([(k, X)])
    subprocess.run(["ls"])`,
  ],
  [
    "update pairs, stated name",
    `def t(X: str):
    os.environ.update([("LD_PRELOAD", X)])
    subprocess.run(["ls"])`,
  ],
  [
    "update zip",
    `def t(k: list, X: list):
    os.environ.update(zip(k, X))
    subprocess.run(["ls"])`,
  ],
  [
    "update dict comp",
    `def t(X: dict):
    os.environ.update({k: v for k, v in X.items()})
    subprocess.run(["ls"])`,
  ],
  [
    "environb",
    `def t(X: str):
    os.environb[b"LD_PRELOAD"]=X.encode()
    subprocess.run(["ls"])`,
  ],
  [
    "environb any",
    `def t(k: str, X: str):
    os.environb[k.encode()]=X.encode()
    subprocess.run(["ls"])`,
  ],
  [
    "loop",
    `def t(X: dict):
    for k, v in X.items():
        os.environ[k]=v
    subprocess.run(["ls"])`,
  ],
  [
    "env of pairs",
    `def t(k: str, X: str):
    subprocess.run(["ls"],env=dict([(k, X)]))`,
  ],
  [
    "dotenv_values",
    `from dotenv import dotenv_values
def t(X: str):
    subprocess.run(["ls"],env=dotenv_values(X))`,
  ],
];

for (const [what, body] of FORMS) {
  Deno.test(`what the caller decides to run by way of ${what} fails the scan`, async () => {
    const found = await scan({ "server.py": startingServer(body) });
    assert(fails(found), JSON.stringify(found));
  });
}
