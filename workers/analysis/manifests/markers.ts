/**
 * Environment markers (PEP 508): whether a requirement may be installed at all. A marker counts as
 * false only when it is false on every supported Python and platform.
 *
 * @module
 */
import { comparePython as compare } from "../advisories/pep440_ranges.ts";

type Environment = Readonly<Record<string, string>>;

const PYTHONS = ["3.10", "3.11", "3.12", "3.13", "3.14"];
const PLATFORMS: readonly Environment[] = [
  { sys_platform: "linux", platform_system: "Linux", os_name: "posix", platform_machine: "x86_64" },
  {
    sys_platform: "linux",
    platform_system: "Linux",
    os_name: "posix",
    platform_machine: "aarch64",
  },
  {
    sys_platform: "darwin",
    platform_system: "Darwin",
    os_name: "posix",
    platform_machine: "arm64",
  },
  { sys_platform: "win32", platform_system: "Windows", os_name: "nt", platform_machine: "AMD64" },
  {
    sys_platform: "emscripten",
    platform_system: "Emscripten",
    os_name: "posix",
    platform_machine: "wasm32",
  },
];
const ENVIRONMENTS: readonly Environment[] = PYTHONS.flatMap((version) =>
  PLATFORMS.map((platform) => ({
    ...platform,
    python_version: version,
    python_full_version: `${version}.5`,
    implementation_version: `${version}.5`,
    implementation_name: "cpython",
    platform_python_implementation: "CPython",
  }))
);
const VERSIONS = new Set(["python_version", "python_full_version", "implementation_version"]);
const TOKEN =
  /\s*(?:(\()|(\))|(and|or|not\s+in|in)\b|(===|==|!=|<=|>=|~=|<|>)|(["'])(.*?)\5|([\w.]+))/y;
const MAX_TOKENS = 200;
/** Longest marker that is looked at, in characters. */
const MAX_MARKER = 2_000;

type Token =
  | { kind: "(" | ")" }
  | { kind: "word" | "operator"; text: string }
  | { kind: "text"; text: string }
  | { kind: "name"; text: string };

function tokensOf(text: string): Token[] | null {
  if (text.length > MAX_MARKER) return null;
  const tokens: Token[] = [];
  TOKEN.lastIndex = 0;
  while (text.slice(TOKEN.lastIndex).trim() !== "") {
    const match = TOKEN.exec(text);
    if (match === null || tokens.length === MAX_TOKENS) return null;
    const [, open, close, word, operator, , quoted, name] = match;
    if (open !== undefined) tokens.push({ kind: "(" });
    else if (close !== undefined) tokens.push({ kind: ")" });
    else if (word !== undefined) tokens.push({ kind: "word", text: word.replace(/\s+/, " ") });
    else if (operator !== undefined) tokens.push({ kind: "operator", text: operator });
    else if (quoted !== undefined) tokens.push({ kind: "text", text: quoted });
    else tokens.push({ kind: "name", text: name! });
  }
  return tokens;
}

function compared(name: string, operator: string, left: string, right: string): boolean {
  if (operator === "in") return right.includes(left);
  if (operator === "not in") return !right.includes(left);
  if (VERSIONS.has(name)) {
    if (operator === "~=") {
      const prefix = right.split(".").slice(0, -1).join(".");
      return compare(left, right) >= 0 && `${left}.`.startsWith(`${prefix}.`);
    }
    if (right.endsWith(".*")) {
      const same = `${left}.`.startsWith(right.slice(0, -1));
      return operator === "!=" ? !same : same;
    }
    const order = compare(left, right);
    if (operator === "==" || operator === "===") return order === 0;
    if (operator === "!=") return order !== 0;
    return operator.startsWith("<")
      ? order < 0 || (operator === "<=" && order === 0)
      : order > 0 || (operator === ">=" && order === 0);
  }
  if (operator === "==" || operator === "===") return left === right;
  return operator === "!=" ? left !== right : true;
}

/** Evaluates tokens by recursive descent; throws on anything that is no marker. */
function evaluate(tokens: readonly Token[], environment: Environment): boolean {
  let at = 0;
  const fail = (): never => {
    throw new SyntaxError("This is not a marker");
  };
  const isWord = (text: string) => {
    const token = tokens[at];
    return token?.kind === "word" && token.text === text;
  };
  function operand(): { name: string; value: string | null } {
    const token = tokens[at++];
    if (token?.kind === "text") return { name: "", value: token.text };
    if (token?.kind !== "name") return fail();
    const name = token.text.replaceAll(".", "_");
    return { name, value: environment[name] ?? null };
  }
  function comparison(): boolean {
    if (tokens[at]?.kind === "(") {
      at++;
      const value = either();
      if (tokens[at++]?.kind !== ")") fail();
      return value;
    }
    const left = operand();
    const token = tokens[at++];
    const operator =
      token?.kind === "operator" || (token?.kind === "word" && /in$/.test(token.text))
        ? token.text
        : fail();
    const right = operand();
    // What is not known, such as `extra`, may be either.
    if (left.value === null || right.value === null) return true;
    const swapped = left.name === "" && operator in SWAPPED;
    return swapped
      ? compared(right.name, SWAPPED[operator]!, right.value, left.value)
      : compared(left.name || right.name, operator, left.value, right.value);
  }
  function both(): boolean {
    let value = comparison();
    while (isWord("and")) {
      at++;
      value = comparison() && value;
    }
    return value;
  }
  function either(): boolean {
    let value = both();
    while (isWord("or")) {
      at++;
      value = both() || value;
    }
    return value;
  }
  const value = either();
  if (at !== tokens.length) fail();
  return value;
}

const SWAPPED: Record<string, string> = {
  "<": ">",
  ">": "<",
  "<=": ">=",
  ">=": "<=",
  "==": "==",
  "!=": "!=",
};

/** The environment of a session: the interpreter's own, and nothing else. */
const SESSION: Environment = {
  ...PLATFORMS.at(-1)!,
  python_version: "3.14",
  python_full_version: "3.14.2",
  implementation_version: "3.14.2",
  implementation_name: "cpython",
  platform_python_implementation: "CPython",
  platform_release: "",
  platform_version: "",
};

/** Whether a requirement with this marker is installed in a session, with `extra` asked for. */
export function appliesInSession(marker: string, extra: string): boolean {
  const tokens = tokensOf(marker);
  if (tokens === null || tokens.length === 0) return marker.trim() === "";
  try {
    return evaluate(tokens, { ...SESSION, extra });
  } catch {
    return false;
  }
}

/** Whether a requirement with this marker may be installed somewhere; true when in doubt. */
export function mayApply(marker: string): boolean {
  const tokens = tokensOf(marker);
  if (tokens === null || tokens.length === 0) return true;
  try {
    return ENVIRONMENTS.some((environment) => evaluate(tokens, environment));
  } catch {
    return true;
  }
}
