/**
 * Libraries that start programs, beside the standard library's own functions: what each function is
 * given, and where. Objects are named by how they are made: `fabric.Connection().run`.
 *
 * @module
 */

export type StarterKind = "shell" | "process" | "code" | "import";

/**
 * How a command is written. `text`: a whole command line at one place. `list`: as `subprocess.run`
 * takes it. `line`: the same, but a text is a shell's. `words`: each argument is a word. `named`: the function's name is the program, its
 * arguments are words. `program`: the program, then a list of its arguments.
 */
export type Layout = "text" | "list" | "line" | "words" | "named" | "program";

/** Functions of a kind. */
export interface Starter {
  names: RegExp;
  kind: StarterKind;
  layout: Layout;
  /** Positions of what is run. */
  at: readonly number[];
  /** Keywords of what is run. */
  keys: readonly string[];
}

function starter(
  names: RegExp,
  kind: StarterKind,
  layout: Layout = "text",
  at: readonly number[] = [0],
  keys: readonly string[] = ["command", "cmd", "args", "line"],
): Starter {
  return { names, kind, layout, at, keys };
}

const STARTERS: readonly Starter[] = [
  // The command's name is the function's: `sh.bash("-c", x)`, `plumbum.cmd.bash["-c", x]`.
  starter(/^sh\.(Command|which)$/, "process", "words", [0], ["path"]),
  starter(
    /^sh\.(?!contrib\.|bake$|ErrorReturnCode|CommandNotFound|Timeout)\w+$/,
    "process",
    "named",
  ),
  starter(/^sh\.contrib\.\w+$/, "process", "named"),
  starter(
    /^plumbum\.(local\.)?cmd\.\w+(\.(run|popen|run_fg|run_bg|run_tee|run_nohup|run_retcode|nohup))?$/,
    "process",
    "named",
  ),
  starter(
    /^plumbum\.(machines\.\w+\.)?(local|SshMachine\(\)|ParamikoMachine\(\))(\.(get|__getitem__|run|popen|run_fg|run_bg|run_tee|run_nohup|run_retcode|nohup))?$/,
    "process",
    "words",
  ),
  starter(
    /^plumbum\.(local|SshMachine\(\)|ParamikoMachine\(\))\.session\(\)\.(run|popen)$/,
    "shell",
  ),
  // Shells here and on other machines.
  starter(
    /^fabric2?(\.\w+)*\.(Connection|SerialGroup|ThreadingGroup|Group)(\.from_v1)?\(\)\.(run|sudo|local)$/,
    "shell",
  ),
  starter(/^fabric2?\.(api|operations)\.(run|local|sudo)$/, "shell"),
  starter(/^invoke(\.\w+)*\.(run|sudo)$/, "shell"),
  starter(/^invoke(\.\w+)*\.(Context|Local|Runner)\(\)\.(run|sudo)$/, "shell"),
  starter(
    /^(delegator\.(run|chain)|envoy\.(run|connect|chain_command)|subprocess_tee\.run)$/,
    "shell",
  ),
  starter(
    /^sarge\.(run|capture_(stdout|stderr|both)|get_(stdout|stderr|both)|shell_format|Command|Pipeline)$/,
    "shell",
  ),
  starter(/^(command_runner\.command_runner|easyprocess\.EasyProcess)$/, "shell"),
  starter(/^(platform\.popen|os\.popen4|popen2\.\w+|commands\.get(status)?output)$/, "shell"),
  starter(/^(pydoc\.(pipepager|tempfilepager))$/, "shell", "text", [1], ["cmd"]),
  starter(/^(imaplib\.IMAP4_stream|paramiko(\.proxy)?\.ProxyCommand)$/, "shell"),
  starter(/^pipes\.Template\(\)\.(append|prepend)$/, "shell"),
  starter(/\.exec_command$/, "shell"),
  starter(/\.invoke_shell\(\)\.(send|sendall)$/, "shell"),
  starter(/\.pxssh\(\)\.(sendline|send)$|\breplwrap\.\w+\(\)\.run_command$/, "shell"),
  starter(
    /^popen_spawn\.PopenSpawn$|\.popen_spawn\.PopenSpawn$|^[pw]expect\.(runu|spawnu)$/,
    "process",
    "list",
  ),
  starter(/^wexpect\.(run|spawn)$/, "process", "program"),
  starter(
    /^asyncssh\.\w+\(\)\.(run|create_process|create_session|create_subprocess|open_session)$/,
    "shell",
  ),
  starter(
    /^(netmiko|scrapli|napalm)\b.*\(\)\.(send_(command|commands|config|configs|config_set)\w*|cli)$/,
    "shell",
    "text",
    [0],
    ["command", "command_string", "commands", "config_commands"],
  ),
  starter(/^(pssh|parallel_ssh)\b.*\(\)\.run_command$|^ssh2\b.*\(\)\.execute$/, "shell"),
  starter(/^winrm\.(Session|Protocol)\(\)\.run_(cmd|ps|command)$/, "shell", "text", [0], [
    "command",
    "script",
  ]),
  starter(/^spur\.\w+\(\)\.(run|spawn)$/, "process", "list"),
  starter(/^salt\.client\.\w+\(\)\.cmd\w*$/, "shell", "text", [1, 2], ["fun", "arg"]),
  starter(
    /^ansible_runner(\.interface)?\.(run|run_async|run_command|run_command_async)$/,
    "shell",
    "text",
    [],
    [
      "module",
      "module_args",
      "executable_cmd",
      "cmdline",
      "cmdline_args",
      "playbook",
      "role",
      "process_isolation_executable",
    ],
  ),
  starter(/^xonsh\b.*\.(subproc_\w+|captured_\w+)$/, "process", "list"),
  starter(/^xonsh\b.*\(\)\.(exec|eval|compile)$/, "code"),
  // Containers.
  starter(/\.exec_run$/, "process", "list", [0], ["cmd"]),
  starter(/\.exec_create$/, "process", "list", [1], ["cmd"]),
  starter(
    /(^|\.)(docker|podman|client)\b.*\.containers\.(run|create)$/,
    "process",
    "list",
    [1],
    ["command", "entrypoint"],
  ),
  starter(
    /\.connect_(get|post)_namespaced_pod_exec$|^kubernetes(_asyncio)?\.stream\.stream$|^stream\.stream$/,
    "process",
    "list",
    [],
    ["command"],
  ),
  // Event loops and terminals.
  starter(/^trio\.lowlevel\.open_process$|^trio\.open_process$/, "process", "list"),
  starter(/^(anyio|trio)\.(run_process|open_process)$/, "process", "line"),
  starter(
    /^(ptyprocess|winpty)(\.\w+)*\.(PtyProcess(Unicode)?\.spawn|PTY\(\)\.spawn)$/,
    "process",
    "list",
  ),
  starter(/^twisted\.internet\.utils\.getProcess\w+$/, "process", "program", [0], ["executable"]),
  starter(/(^|\.)reactor\.spawnProcess$/, "process", "program", [1], ["executable"]),
  starter(
    /^(setuptools|distutils)\b.*\.spawn\.spawn$|\.distutils\.spawn\.spawn$/,
    "process",
    "list",
  ),
  starter(/^nox\.command\.run$/, "process", "list"),
  starter(/(^|\.)set_executable$/, "process", "list", [0], ["exe"]),
  starter(/^(click|typer)\.launch$|^os\.startfile$/, "process", "list", [0], [
    "url",
    "path",
    "filepath",
  ]),
  starter(/^click\.edit$/, "process", "list", [], ["editor"]),
  starter(/^webbrowser\.(get|GenericBrowser|BackgroundBrowser|register)$/, "process", "list", [0], [
    "using",
    "name",
  ]),
  // Clients of other servers over standard streams.
  starter(
    /(^|\.)(StdioServerParameters|StdioTransport)$/,
    "process",
    "program",
    [0],
    ["command"],
  ),
  starter(
    /(^|\.)(Python|Node|Fastmcp|FastMCP|Uv|Uvx|Npx)StdioTransport$/,
    "process",
    "list",
    [0],
    ["script_path", "command", "tool_name", "package"],
  ),
  // Version control with options that run something.
  starter(/(^|[._()])(git|Git\(\)|cmd\.Git\(\))\.execute$/, "process", "list"),
  // Windows.
  starter(/^win32api\.WinExec$|\.Dispatch(Ex)?\(\)\.(Run|Exec|ShellExecute)$/, "shell"),
  starter(/^win32api\.ShellExecute$/, "process", "text", [2, 3]),
  starter(/^(win32process|_winapi)\.CreateProcess\w*$/, "shell", "text", [0, 1]),
  starter(/\.Win32_Process\.Create$/, "shell", "text", [0], ["CommandLine"]),
  // Libraries of C.
  starter(
    /(^ctypes\.\w*dll\.|(\.(dlopen|LoadLibrary|[CP]y?DLL|WinDLL|OleDLL))\(\)\.)(\w+\.)*(system|_?w?system|popen|_?w?popen|exec[lv]p?e?|posix_spawnp?|WinExec|ShellExecute\w*|CreateProcess\w*)$/,
    "shell",
    "text",
    [0, 1, 2, 3],
  ),
  starter(
    /^ctypes\.(CDLL|WinDLL|OleDLL|PyDLL|\w*dll\.LoadLibrary|LibraryLoader\(\)\.LoadLibrary)$|^cffi\.FFI\(\)\.(dlopen|verify|set_source)$|^_ctypes\.dlopen$/,
    "import",
    "text",
    [0],
    ["name", "source"],
  ),
  starter(/^torch\.hub\.load$/, "import", "text", [0], ["repo_or_dir", "source"]),
  // Tools of agents.
  starter(
    /\b(ShellTool|BashProcess|TerminalTool|LocalShellTool)\(\)\.(run|invoke|arun|ainvoke)$/,
    "shell",
  ),
  starter(
    /\b(PythonREPL|PythonREPLTool|PythonAstREPLTool|PythonInterpreter)\(\)\.(run|invoke|arun|ainvoke)$/,
    "code",
  ),
  starter(
    /^jupyter_client\b.*\(\)\.(execute|execute_interactive|execute_interactive_async)$/,
    "code",
  ),
];

const MAX_KNOWN = 20_000;
/** All of them at once: next to no name is one, and compiling each pattern takes a tenth of a scan. */
const ANY = new RegExp(STARTERS.map(({ names }) => names.source).join("|"));
const known = new Map<string, Starter | null>();

/** How a library's function starts programs; null for any other function. */
export function starterOf(name: string): Starter | null {
  let found = known.get(name);
  if (found === undefined) {
    found = name.length > 300 || !ANY.test(name)
      ? null
      : STARTERS.find(({ names }) => names.test(name)) ?? null;
    if (known.size >= MAX_KNOWN) known.clear();
    known.set(name, found);
  }
  return found;
}

/** What objects of these libraries are that the source does not make: `@task def build(c): c.run(x)`. */
export const MADE_BY_DECORATOR: readonly (readonly [decorator: RegExp, made: string])[] = [
  [/^(invoke|fabric2?)(\.\w+)*\.task$/, "invoke.Context()"],
];
