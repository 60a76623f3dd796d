/**
 * Programs that are started with a table of arguments: what the table holds is what the call is given.
 *
 * @module
 */
import { assertEquals } from "@std/assert";
import { scan } from "./scanned_servers.ts";
import { startingServer } from "./starting_servers.ts";

/** What a tool does with its parameter `X`, and the rule that speaks of it. */
const HOSTILE: [what: string, body: string, rule: string][] = [
  [
    "a shell's text",
    `kw = {"args": ["sh", "-c", X]}\n    subprocess.Popen(**kw)`,
    "py/tool-to-shell",
  ],
  [
    "a shell's line",
    `kw = {"args": X, "shell": True}\n    subprocess.run(**kw)`,
    "py/tool-to-shell",
  ],
  [
    "a shell that is asked for later",
    `kw = {"args": "ls " + X}\n    kw["shell"] = True\n    subprocess.run(**kw)`,
    "py/tool-to-shell",
  ],
  [
    "a shell on some paths",
    `kw = {"args": "ls " + X}\n    if X: kw["shell"] = True\n    subprocess.run(**kw)`,
    "py/tool-to-shell",
  ],
  ["the program", `kw = {"args": [X, "-l"]}\n    subprocess.run(**kw)`, "py/tool-to-process"],
  [
    "the program in a table without a name",
    `subprocess.run(**{"args": [X, "-l"]})`,
    "py/tool-to-process",
  ],
  [
    "the program by an entry of its own",
    `kw = {"args": ["ls"]}\n    kw["executable"] = X\n    subprocess.run(**kw)`,
    "py/tool-to-process",
  ],
  [
    "a program that takes another's place",
    `kw = {"args": ["ls"]}\n    kw["args"] = [X]\n    subprocess.run(**kw)`,
    "py/tool-to-process",
  ],
  [
    "a program by a method",
    `kw = {"args": ["ls", X]}\n    kw.update(executable=X)\n    subprocess.run(**kw)`,
    "py/tool-to-process",
  ],
  [
    "a program in front of the list",
    `kw = {"args": ["ls", X]}\n    kw["args"].insert(0, X)\n    subprocess.run(**kw)`,
    "py/tool-to-process",
  ],
  ...[
    'other = kw = {"args": ["ls", X]}\n    other["executable"] = X',
    'kw = other = {"args": ["ls", X]}\n    other["executable"] = X',
    'other = (kw := {"args": ["ls", X]})\n    other["executable"] = X',
    'change(kw := {"args": ["ls", X]})',
    'kw = {"args": ["ls", X]}\n    locals()["kw"]["executable"] = X',
    'kw = {"args": ["ls", X]}\n    sys._getframe().f_locals["kw"]["executable"] = X',
  ].map((lines): [string, string, string] => [
    `a program by another way to the table: ${lines.split("\n").at(-1)!.trim()}, ${
      lines.split(" {")[0]
    }`,
    `${lines.replace('"ls", X', '"ls", "--name", X')}\n    subprocess.run(**kw)`,
    "py/tool-to-process",
  ]),
  [
    "a program that a function puts in",
    `kw = {"args": ["ls", X]}\n    change(kw, X)\n    subprocess.run(**kw)`,
    "py/tool-to-process",
  ],
  [
    "a program by a key that is put together",
    `kw = {"args": ["ls", X]}\n    kw["exec" + "utable"] = X\n    subprocess.run(**kw)`,
    "py/tool-to-process",
  ],
  [
    "a variable that decides what runs",
    `kw = {"args": ["ls"], "env": {"LD_PRELOAD": X}}\n    subprocess.run(**kw)`,
    "py/tool-to-shell",
  ],
];

for (const [what, body, rule] of HOSTILE) {
  Deno.test(`a table of arguments with a caller's text as ${what} fails the scan`, async () => {
    const { grave } = await scan({ "server.py": startingServer(`def t(X: str):\n    ${body}`) });
    assertEquals(grave.some((each) => each.rule === rule), true, JSON.stringify(grave));
  });
}

const HONEST: [what: string, body: string][] = [
  [
    "as an argument behind an option",
    `kw = {"args": ["ls", "--name", X], "cwd": "/tmp"}\n    subprocess.Popen(**kw)`,
  ],
  ["in a table without a name", `subprocess.run(**{"args": ["ls", "--name", X], "check": True})`],
  [
    "beside what systems need",
    `kw = {"args": ["ls", "--name", X]}\n    if os.name == "nt": kw["creationflags"] = 8\n    else: kw["start_new_session"] = True\n    subprocess.Popen(**kw)`,
  ],
];

for (const [what, body] of HONEST) {
  Deno.test(`a table of arguments with a caller's text ${what} has no grave fault`, async () => {
    const { grave } = await scan({ "server.py": startingServer(`def t(X: str):\n    ${body}`) });
    assertEquals(grave, []);
  });
}
