/**
 * Variables of the environment that decide what runs: which programs are found, which libraries and
 * scripts they load first, what they start in turn.
 *
 * @module
 */
import type { RawFinding } from "../../../finding.ts";
import { nodeTypes } from "../../../syntax/node_types.ts";
import { plainValue, valuesOf } from "../../../python/values/assigned.ts";
import { calleeOf } from "../../../python/calls/callee.ts";
import { foldText } from "../../../python/values/folding.ts";
import { argumentsOf, type CallArguments, type PythonNames } from "../../../python/names.ts";
import { textOf } from "../../../syntax/source_tree.ts";
import { ancestor, child, named, type SyntaxNode, walk } from "../../../syntax/tree.ts";
import { report } from "../../rule.ts";
import type { ObservedCall } from "../observed.ts";
import { INJECTION, REMOTE_CODE } from "../flow_rules.ts";
import { toolParameter } from "../labels.ts";

/** Variables that make whatever is started run something. */
const RUNS =
  /^(PATH|PATHEXT|LD_\w+|DYLD_\w+|BASH_ENV|ENV|ZDOTDIR|PROMPT_COMMAND|PS4|IFS|SHELLOPTS|BASHOPTS|BASH_FUNC_.*|SHELL|COMSPEC|PYTHON(STARTUP|PATH|HOME|USERBASE|INSPECT|WARNINGS|BREAKPOINT|EXECUTABLE)|PERL5?(OPT|LIB|5OPT|5LIB|5DB|5SHELL)|RUBY(OPT|LIB)|GEM_(PATH|HOME)|BUNDLE_GEMFILE|NODE_(OPTIONS|PATH)|NPM_CONFIG_\w+|npm_config_\w+|PIP_\w+|UV_\w*INDEX\w*|LUA_(PATH|CPATH|INIT)\w*|JAVA_(TOOL_OPTIONS|OPTIONS|HOME)|_JAVA_OPTIONS|JDK_JAVA_OPTIONS|CLASSPATH|MAVEN_OPTS|GRADLE_OPTS|CARGO_\w+|RUSTC(_WRAPPER)?|CC|CXX|MAKEFLAGS|GIT_(SSH(_COMMAND)?|EXTERNAL_DIFF|PAGER|EDITOR|SEQUENCE_EDITOR|ASKPASS|PROXY_COMMAND|EXEC_PATH|TEMPLATE_DIR|CONFIG\w*)|SSH_ASKPASS|SUDO_ASKPASS|PAGER|MANPAGER|LESSOPEN|LESSCLOSE|EDITOR|VISUAL|FCEDIT|BROWSER|TERMINAL|HGEDITOR|SVN_(EDITOR|SSH)|RSYNC_RSH|CVS_RSH|DOCKER_HOST|KUBECONFIG|ANSIBLE_\w*(PATH|CONFIG|PLUGINS)|GCONV_PATH|GTK_MODULES|QT_PLUGIN_PATH|OPENSSL_CONF|OPENSSL_ENGINES)$/;
const LATER = nodeTypes("call", "assignment", "augmented_assignment");
const MAX_HOPS = 5;
const MAX_VALUES = 4;

/** A variable, or many: the value of a whole table has no name. */
interface Variable {
  /** Null where the name is not stated. */
  name: string | null;
  key: SyntaxNode | null;
  value: SyntaxNode;
}

/** The environment that a call gives the program which it starts. */
export function environmentOf(name: string, given: CallArguments): SyntaxNode | undefined {
  const found = given.keywords.get("env") ?? given.keywords.get("_env") ??
    given.keywords.get("environment");
  if (found !== undefined) return found;
  // `execve(path, args, env)`, `execle(path, arg0, …, env)`, `posix_spawn(path, argv, env)`.
  if (/^os\.(exec|spawn)[lv]p?e$/.test(name)) return given.positional.at(-1);
  return /^os\.posix_spawnp?$/.test(name) ? given.positional[2] : undefined;
}

function inTable(names: PythonNames, table: SyntaxNode, hops: number): Variable[] {
  return named(table).flatMap((each): Variable[] => {
    if (each.type === "dictionary_splat") {
      const [inner] = named(each);
      return inner === undefined ? [] : variablesIn(names, inner, hops + 1);
    }
    const key = child(each, "key");
    const value = child(each, "value");
    return value === null || key === null ? [] : [{ name: foldText(names, key), key, value }];
  });
}

/** `[("PATH", x)]`. */
function inPairs(names: PythonNames, list: SyntaxNode): Variable[] {
  return named(list).flatMap((pair): Variable[] => {
    const [key, value] = pair.type === "tuple" || pair.type === "list" ? named(pair) : [];
    return key === undefined || value === undefined
      ? []
      : [{ name: nameOf(names, key), key, value }];
  });
}

/** A variable's name as text, also `b"PATH"`. */
function nameOf(names: PythonNames, key: SyntaxNode): string | null {
  return foldText(names, key) ?? /^b["'](\w+)["']$/.exec(textOf(names.tree, key))?.[1] ?? null;
}

function inArguments(names: PythonNames, given: CallArguments, hops: number): Variable[] {
  return [
    ...[...given.keywords].map(([name, value]) => ({ name, key: null, value })),
    ...given.positional.flatMap((each) =>
      variablesIn(names, each.type === "dictionary_splat" ? named(each)[0] ?? each : each, hops + 1)
    ),
  ];
}

/** `e["PATH"] = x`, `e.update(PATH=x)`, `e |= {…}` in the function around a name's use. */
function addedLater(names: PythonNames, node: SyntaxNode, hops: number): Variable[] {
  const name = textOf(names.tree, node);
  const around = ancestor(node, "function_definition") ?? names.tree.root;
  const found: Variable[] = [];
  for (const each of walk(around, LATER)) {
    if (each.type === "call") {
      const callee = child(each, "function");
      const object = callee?.type === "attribute" ? child(callee, "object") : null;
      if (object === null || textOf(names.tree, object) !== name) continue;
      found.push(...setBy(names, textOf(names.tree, child(callee!, "attribute")!), each, hops));
      continue;
    }
    const left = child(each, "left");
    const right = child(each, "right");
    if (left === null || right === null) continue;
    const held = left.type === "subscript" ? child(left, "value") : null;
    if (held !== null && textOf(names.tree, held) === name) {
      const key = child(left, "subscript");
      found.push({ name: key === null ? null : foldText(names, key), key, value: right });
    } else if (each.type === "augmented_assignment" && textOf(names.tree, left) === name) {
      found.push(...variablesIn(names, right, hops + 1));
    }
  }
  return found;
}

/** The variables that a method of a table sets. */
function setBy(names: PythonNames, method: string, call: SyntaxNode, hops = 0): Variable[] {
  const given = argumentsOf(names.tree, call);
  if (method === "update" || method === "__ior__") return inArguments(names, given, hops);
  const [key, value] = given.positional;
  return /^(setdefault|__setitem__)$/.test(method) && key !== undefined && value !== undefined
    ? [{ name: foldText(names, key), key, value }]
    : [];
}

/** The variables that an expression holds, as far as they are written out; others without a name. */
function variablesIn(names: PythonNames, expression: SyntaxNode, hops = 0): Variable[] {
  const node = plainValue(expression);
  if (hops > MAX_HOPS) return [];
  if (node.type === "dictionary") return inTable(names, node, hops);
  if (node.type === "list" || node.type === "tuple") return inPairs(names, node);
  if (/^(dictionary|list)_comprehension$|^generator_expression$/.test(node.type)) {
    return [{ name: null, key: null, value: node }];
  }
  if (node.type === "binary_operator") {
    return [child(node, "left"), child(node, "right")].flatMap((side) =>
      side === null ? [] : variablesIn(names, side, hops + 1)
    );
  }
  if (node.type === "conditional_expression" || node.type === "boolean_operator") {
    return named(node).flatMap((each) => variablesIn(names, each, hops + 1));
  }
  if (node.type === "call") {
    const callee = child(node, "function");
    const name = callee === null ? "" : calleeOf(names, callee)?.name ?? "";
    if (/^(zip|map|filter|(dotenv\.(main\.)?)?dotenv_values|json\.loads?|.*\.items)$/.test(name)) {
      return [{ name: null, key: null, value: node }];
    }
    return /^(dict|collections\.ChainMap|(copy\.)?(deep)?copy)$/.test(name)
      ? inArguments(names, argumentsOf(names.tree, node), hops)
      : [];
  }
  if (node.type !== "identifier" && node.type !== "attribute") return [];
  const { values } = valuesOf(names, node);
  const written = [
    ...values.slice(0, MAX_VALUES).flatMap((each) => variablesIn(names, each, hops + 1)),
    ...addedLater(names, node, hops),
  ];
  // Nothing is known of a parameter but that it is a table.
  return values.length > 0 ? written : [...written, { name: null, key: null, value: node }];
}

/** Variables of an environment that decide what runs, `own` among them, with how people call them. */
export function runningVariables(
  { names, labels }: ObservedCall,
  environment: SyntaxNode,
  own: ReadonlySet<string>,
): { name: string; value: SyntaxNode }[] {
  return variablesIn(names, environment).flatMap(({ name, key, value }) => {
    if (name !== null) return RUNS.test(name) || own.has(name) ? [{ name, value }] : [];
    if (key === null) return [{ name: "of the caller's choice", value }];
    return toolParameter(labels(key)) === null
      ? []
      : [{ name: "of the caller's choice", value: key }];
  });
}

const STARTS = /subprocess|\bsystem\b|popen|spawn|exec|webbrowser|\bsh\b|plumbum|git/;

/** The variables that a call, or an assignment seen as one, sets for this process and its children. */
function setVariables({ names, node, callee, given }: ObservedCall): Variable[] {
  const name = callee?.name ?? "";
  if (/^os\.(putenv|environb?\.__setitem__)$/.test(name)) {
    const [key, value] = given.positional;
    return key === undefined || value === undefined
      ? []
      : [{ name: nameOf(names, key), key, value }];
  }
  if (/^(dotenv\.(main\.)?)?load_dotenv$/.test(name)) {
    const file = given.keywords.get("stream") ?? given.keywords.get("dotenv_path") ??
      given.positional[0];
    return file === undefined ? [] : [{ name: null, key: null, value: file }];
  }
  if (/^os\.environb?\.__ior__$/.test(name)) {
    return given.positional.flatMap((each) => variablesIn(names, each));
  }
  if (name === "plumbum.local.env") return inArguments(names, given, 0);
  // `mock.patch.dict(os.environ, {…})`.
  const [patched, by] = given.positional;
  if (/\.patch\.dict$/.test(name) && patched !== undefined && by !== undefined) {
    const isEnvironment = calleeOf(names, patched)?.name === "os.environ" ||
      foldText(names, patched) === "os.environ";
    return isEnvironment ? variablesIn(names, by) : [];
  }
  const method = /^os\.environb?\.(update|setdefault)$/.exec(name)?.[1];
  return method === undefined ? [] : setBy(names, method, node);
}

/** A caller's word, or what a request answered, in a variable that decides what is started later. */
export function judgeEnvironment(call: ObservedCall): RawFinding | null {
  const { names, node, labels } = call;
  for (const { name, key, value } of setVariables(call)) {
    // Which names a caller sets matters where something is started.
    const matters = name === null ? STARTS.test(names.tree.text) : RUNS.test(name);
    if (!matters) continue;
    const chosen = name === null && key !== null ? labels(key) : labels(value);
    const parameter = toolParameter(chosen);
    if (parameter !== null) {
      const title = `Parameter "${parameter}" sets ${
        name === null ? "any environment variable" : `the variable ${name}`
      }, which decides what runs`;
      return report(INJECTION.shell, names.tree, node, title);
    }
    if (name !== null && chosen.has("network")) {
      const title = `Response data sets the variable ${name}, which decides what runs`;
      return report(REMOTE_CODE, names.tree, node, title);
    }
  }
  return null;
}
