/**
 * Ways around what was scanned: the page's own interpreter behind `js` and `pyodide`, raw memory,
 * interpreters inside the interpreter, walks from any object to the built-ins.
 *
 * @module
 */
import type { RawFinding, Severity } from "../../finding.ts";
import { calleeOf } from "../../python/calls/callee.ts";
import { foldText, foldTexts } from "../../python/values/folding.ts";
import type { ModuleCall, ModuleNodes } from "../../python/reach/module_nodes.ts";
import { importNode, type PythonNames, resolve } from "../../python/names.ts";
import { textOf } from "../../syntax/source_tree.ts";
import { nodeTypes } from "../../syntax/node_types.ts";
import { ancestor, child, type SyntaxNode, walk } from "../../syntax/tree.ts";
import { runTexts } from "../programs/programs.ts";
import { report, type Rule, rule } from "../rule.ts";

const RULES = {
  host: rule(
    "py/host-interpreter",
    "high",
    693,
    "Use Python's own modules: no server needs access to the JavaScript environment of its interpreter",
  ),
  memory: rule(
    "py/raw-memory",
    "high",
    693,
    "Do not access the interpreter's memory; use its public functions",
  ),
  runner: rule(
    "py/code-runner",
    "high",
    94,
    "Call the code directly, or parse the expected values instead of running text",
  ),
  walk: rule(
    "py/object-walk",
    "high",
    506,
    "Import what you need: only code with something to hide gets the built-ins from another object",
  ),
  program: rule(
    "py/shell-program",
    "high",
    78,
    "Start the program directly with a list of arguments, without a shell",
  ),
} as const satisfies Record<string, Rule>;

/** Modules of the interpreter that servers run in; `pyodide.http` fetches pages and is fine. */
const HOST = /^(js|_?pyodide_js|_pyodide\w*|pyodide|pyodide_js|_pyodide_core)(\.|$)/;
const HOST_FINE = /^pyodide\.http(\.|$)/;
const HOST_NAME = /^(js|_?pyodide\w*)\./;

function imports(names: PythonNames): RawFinding[] {
  return names.imports.filter(({ module, level, name }) => {
    if (level > 0 || !HOST.test(module)) return false;
    const whole = name === null || name === "*" ? module : `${module}.${name}`;
    return !HOST_FINE.test(whole);
  }).map((each) => {
    const title = `${each.module} accesses the interpreter that the server runs in`;
    return report(RULES.host, names.tree, importNode(names, each), title);
  });
}

const INTERPRETERS =
  /^(code\.(interact|InteractiveInterpreter|InteractiveConsole)|codeop\.(Compile|CommandCompiler|compile_command)|_?interpreters\.\w+|_xxsubinterpreters\.\w+|concurrent\.interpreters\.create|types\.CodeType|pdb\.(run|runeval)|cProfile\.run(ctx)?|profile\.run(ctx)?|pyodide\.\w+\.(run_js|eval_code\w*))$/;
const TIMERS = /^timeit\.(timeit|repeat|Timer)$/;
const MEMORY =
  /^ctypes\.(memmove|memset|string_at|wstring_at|c_\w+\.from_address)$|\.from_address$|^_ctypes\.\w+$/;

/** Functions of libraries that run programs or code, or change what memory may do. */
const RUNS_CODE =
  /[.\["'](system|popen|exec[lv]p?e?|posix_spawnp?|dlopen|dlsym|mprotect|mmap|ptrace|emscripten_\w+|Py[A-Z]\w+|_Py\w+)["'\]]?\s*[(\].]/;

function importedName(names: PythonNames, { callee, given }: ModuleCall): string | null {
  if (!/^(__import__|importlib\.(import_module|__import__))$/.test(callee?.name ?? "")) return null;
  const [first] = given.positional;
  return first === undefined
    ? null
    : foldTexts(names, first)?.find((each) => HOST.test(each) && !HOST_FINE.test(each)) ?? null;
}

function isTrue(names: PythonNames, node: SyntaxNode | undefined): boolean {
  return node !== undefined && textOf(names.tree, node) === "True";
}

function isText(names: PythonNames, node: SyntaxNode | undefined): boolean {
  if (node === undefined) return false;
  return !/^(lambda|attribute|integer)$/.test(node.type) && foldText(names, node) === null &&
    !(node.type === "identifier" && names.functions.has(textOf(names.tree, node)));
}

function ofCall(names: PythonNames, call: ModuleCall): RawFinding | null {
  const { node, callee, given } = call;
  const name = callee?.name ?? "";
  const imported = importedName(names, call);
  if (imported !== null) {
    const title = `${imported} accesses the interpreter that the server runs in`;
    return report(RULES.host, names.tree, node, title);
  }
  if (HOST_NAME.test(name) && !HOST_FINE.test(name) && callee?.detour !== null) {
    return report(RULES.host, names.tree, node, `${name} runs outside of Python`);
  }
  if (INTERPRETERS.test(name)) {
    return report(RULES.runner, names.tree, node, `${name} runs unscanned code`);
  }
  if (
    /\.register_instance$/.test(name) && isTrue(names, given.keywords.get("allow_dotted_names"))
  ) {
    const title = "Callers can access every attribute of the registered object";
    return report(RULES.runner, names.tree, node, title);
  }
  if (TIMERS.test(name) && isText(names, given.positional[0] ?? given.keywords.get("stmt"))) {
    const title = `${name} runs text as code`;
    return report(RULES.runner, names.tree, node, title, "medium");
  }
  if (
    (/^ctypes\.(CDLL|cdll\.LoadLibrary)$/.test(name) || opensByCffi(names, name)) &&
    opensItself(names, call)
  ) {
    // Most ask the C library for one call that Python lacks.
    const severity = RUNS_CODE.test(names.tree.text) ? "high" : "medium";
    const title = "The interpreter's own library is opened";
    return report(RULES.memory, names.tree, node, title, severity);
  }
  if (MEMORY.test(name)) {
    // Programs with windows copy pictures this way; an object's address is the interpreter's own.
    const own = /\bid\(|py_object/.test(textOf(names.tree, node));
    const title = `${name} accesses raw memory`;
    return report(RULES.memory, names.tree, node, title, own ? "high" : "medium");
  }
  if (name === "gc.get_objects" || name === "gc.get_referrers") {
    const around = node.parent?.type === "argument_list" ? node.parent.parent : null;
    const taker = around === null ? null : child(around, "function");
    const counted = taker !== null && textOf(names.tree, taker) === "len";
    const title = `${name} returns every object in the interpreter`;
    return counted ? null : report(RULES.walk, names.tree, node, title);
  }
  return shell(names, call);
}

/** The library of C has `system` too. */
const C_LIBRARY =
  /^(["'](libc\b|libSystem|msvcrt|ucrtbase)|(ctypes\.util\.)?find_library\(["'](c|msvcrt)["'])/;

/** `ffi.dlopen`, whatever the interface of cffi is called. */
function opensByCffi(names: PythonNames, name: string): boolean {
  return /\.dlopen$/.test(name) && names.imports.some(({ module }) => /^cffi(\.|$)/.test(module));
}

function opensItself(names: PythonNames, { given }: ModuleCall): boolean {
  const [first] = given.positional;
  const written = first === undefined ? "None" : textOf(names.tree, first);
  return written === "None" || C_LIBRARY.test(written);
}

const STARTS =
  /^(subprocess\.(run|call|check_call|check_output|Popen)|asyncio(\.subprocess)?\.create_subprocess_exec|os\.(exec|spawn|posix_spawn)\w*|pty\.spawn|pexpect\.(run|spawn)|anyio\.(run_process|open_process)|trio\.run_process|_posixsubprocess\.fork_exec|distutils\.spawn\.spawn)$|\.subprocess_exec$/;

/** A shell that runs computed text is as severe without `shell=True`. */
function shell(names: PythonNames, { node, callee, given }: ModuleCall): RawFinding | null {
  if (callee === null || !STARTS.test(callee.name)) return null;
  const computed = runTexts(names, callee.name, given)
    .filter(({ node: text }) => foldTexts(names, text) === null);
  const [worst] = computed.filter(({ by }) => by === "shell").concat(computed);
  if (worst === undefined) return null;
  const { by, program } = worst;
  // With these each argument stands alone, or the text runs in a process of its own.
  const severity: Severity = by === "shell" && !/^(cmd|powershell|pwsh)$/.test(program)
    ? "high"
    : "medium";
  return report(RULES.program, names.tree, node, `${program} runs computed text`, severity);
}

const FRAMES =
  /^(f_globals|f_builtins|f_locals|__globals__|__builtins__|gi_frame|cr_frame|ag_frame|tb_frame|__subclasses__|__code__|__self__)$/;
const OBJECT_ROOT =
  /(^|\.)(object|__base__|__bases__|__mro__|mro\(\))(\[[^\]]{0,20}\])?$|__class__(\.__base__)*$/;
const WALKED =
  /__globals__|\.\s*__builtins__|f_globals|f_builtins|__subclasses__|__code__|f_locals|__self__|["']f_builtins["']/;

/** `().__class__.__base__.__subclasses__()`, `f.__globals__["os"]`, `frame.f_builtins`. */
function walked(names: PythonNames, node: SyntaxNode): RawFinding | null {
  const attribute = child(node, "attribute");
  const object = child(node, "object");
  const name = attribute === null ? "" : textOf(names.tree, attribute);
  if (object === null || !FRAMES.test(name)) return null;
  if (name === "__self__") {
    const read = node.parent?.type === "attribute" ? child(node.parent, "attribute") : null;
    return read !== null && /^(eval|exec|compile|__import__)$/.test(textOf(names.tree, read))
      ? report(RULES.walk, names.tree, node, "The built-ins are taken from a built-in function")
      : null;
  }
  const say = (title: string, severity?: Severity) =>
    report(RULES.walk, names.tree, node, title, severity);
  if (name === "__subclasses__") {
    const holder = textOf(names.tree, object).replace(/\s/g, "");
    return OBJECT_ROOT.test(holder) || holder === "type"
      ? say("All classes of the interpreter are listed")
      : null;
  }
  if (name === "__code__") {
    const target = node.field === "left" && /assignment$/.test(node.parent?.type ?? "");
    const replaced = node.parent?.type === "attribute" &&
      /\.replace$/.test(textOf(names.tree, node.parent));
    return target || replaced ? say("A function's code is replaced") : null;
  }
  if (name === "f_builtins" || name === "__builtins__") {
    return say(`${name} contains every built-in`);
  }
  if (!/^(f_globals|f_locals|__globals__)$/.test(name)) return null;
  const key = keyOf(names, node);
  if (key === undefined) return null;
  const text = key === null ? null : foldText(names, key);
  if (
    text !== null && !/^(__builtins__|builtins|os|sys|subprocess|importlib|eval|exec)$/.test(text)
  ) {
    return null;
  }
  return text === null
    ? say(`A computed name is looked up in ${name}`, "medium")
    : say(`${JSON.stringify(text)} is taken from ${name}`);
}

const SUBSCRIPTS = nodeTypes("subscript");

/** `dict(inspect.getmembers(frame))["f_builtins"]`. */
function namedTable(names: PythonNames, node: SyntaxNode): RawFinding | null {
  const key = child(node, "subscript");
  const text = key === null ? null : foldText(names, key);
  return text === "f_builtins"
    ? report(RULES.walk, names.tree, node, "f_builtins contains every built-in")
    : null;
}

/** The key with which a table of names is looked up; undefined where it is not. */
function keyOf(names: PythonNames, node: SyntaxNode): SyntaxNode | null | undefined {
  const { parent } = node;
  if (parent?.type === "subscript") return child(parent, "subscript");
  const method = parent?.type === "attribute" ? child(parent, "attribute") : null;
  if (method === null || !/^(get|pop|__getitem__)$/.test(textOf(names.tree, method))) {
    return undefined;
  }
  const call = parent!.parent?.type === "call" ? parent!.parent : null;
  const list = call === null ? null : child(call, "arguments");
  return list?.children.find((each) => each.named) ?? undefined;
}

/** `from code import InteractiveConsole`. */
function runners(names: PythonNames): RawFinding[] {
  return names.imports.filter(({ module, level, name }) =>
    level === 0 && module === "code" && name !== null && /^Interactive/.test(name)
  ).map((each) => {
    const title = `code.${each.name} runs unscanned code`;
    return report(RULES.runner, names.tree, importNode(names, each), title);
  });
}

/** `class Console(code.InteractiveConsole)`. */
function inherits(names: PythonNames, node: SyntaxNode): RawFinding | null {
  const meant = resolve(names, node) ?? "";
  if (!/^code\.Interactive(Interpreter|Console)$/.test(meant)) return null;
  const definition = ancestor(node, "class_definition", "call", "assignment");
  return definition?.type === "class_definition"
    ? report(RULES.runner, names.tree, node, `${meant} runs unscanned code`)
    : null;
}

/** `ctypes.pythonapi.PyRun_SimpleString`. */
function memory(names: PythonNames, node: SyntaxNode): RawFinding | null {
  return /(^|\.)ctypes\.(pythonapi|PyDLL)$/.test(calleeOf(names, node)?.name ?? "")
    ? report(RULES.memory, names.tree, node, "The interpreter's own functions are called")
    : null;
}

/** Findings of a module. */
export function pythonEscapes(names: PythonNames, nodes: ModuleNodes): RawFinding[] {
  const { text } = names.tree;
  const findings: (RawFinding | null)[] = [
    ...imports(names),
    ...runners(names),
  ];
  for (const call of nodes.calls) findings.push(ofCall(names, call));
  if (WALKED.test(text)) {
    for (const node of nodes.of("attribute")) findings.push(walked(names, node));
    for (const node of walk(names.tree.root, SUBSCRIPTS)) findings.push(namedTable(names, node));
  }
  if (/Interactive(Interpreter|Console)/.test(text)) {
    for (const node of nodes.of("attribute")) findings.push(inherits(names, node));
  }
  if (/pythonapi|PyDLL/.test(text)) {
    for (const node of nodes.of("attribute")) findings.push(memory(names, node));
  }
  return findings.filter((each) => each !== null);
}

/** Every rule of this module. */
export const ESCAPE_RULES: readonly Rule[] = Object.values(RULES);
