/**
 * Credentials without a form of their own, known by the name that they are assigned to:
 * `api_key = "…"`, `"password": "…"`, `DB_TOKEN=…`, `os.environ.get("SECRET", "…")`.
 *
 * @module
 */
import { judgeName } from "./names.ts";
import type { FileFacts, Match } from "./match.ts";
import { isSecretPassword, isSecretValue, type ValueFacts } from "./values.ts";

const KEYWORD =
  /passw(?:or)?d|passwd|passphrase|pwd|secret|token|credential|creds|api[_.-]?key|[_.-]key|key|auth|[_.-]pass(?![a-z])|pass(?=["'`]?\s?[:=])/gi;
const NAME_CHARACTER = /[\w.$-]/;
const MAX_NAME = 80;
const MAX_VALUE = 400;
/** Between a name and its operator: closing quotes and brackets, then perhaps a type. */
const AFTER_NAME =
  /\\?["'`]?[\])]{0,2}[ \t]{0,40}(?::?[ \t]*&?(?:'static[ \t]+)?(?:string|str|String|SecretStr|Final(?:\[str\])?|Optional\[str\]|str \| None|char\s?\*)[ \t]*(?==|:=))?/y;
const OPERATOR = /(?:=>|[:?.+!]{0,3}={1,3}|\|\|=?|:(?!:)|,)[ \t]{0,40}|>[ \t\r\n]{0,40}/y;
const MAX_MATCHES = 200;

interface Value {
  text: string;
  at: number;
  quoted: boolean;
  /** What follows an unquoted value. */
  next: string;
}

function stickyEnd(pattern: RegExp, text: string, at: number): number | null {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : null;
}

function nameAround(text: string, at: number): { name: string; end: number } {
  let start = at;
  while (start > 0 && at - start < MAX_NAME && NAME_CHARACTER.test(text[start - 1]!)) start--;
  let end = at;
  while (end < text.length && end - at < MAX_NAME && NAME_CHARACTER.test(text[end]!)) end++;
  return { name: text.slice(start, end), end };
}

function quotedFrom(text: string, at: number): Value | null {
  const escaped = text[at] === "\\" && /["'`]/.test(text[at + 1] ?? "");
  const quote = text[escaped ? at + 1 : at]!;
  if (!/["'`]/.test(quote)) return null;
  const start = escaped ? at + 2 : at + 1;
  const limit = Math.min(text.length, start + MAX_VALUE);
  let end = start;
  while (end < limit && text[end] !== quote && text[end] !== "\n") end++;
  if (text[end] !== quote) return null;
  return { text: text.slice(start, escaped ? end - 1 : end), at: start, quoted: true, next: "" };
}

// A few "=" belong to some tokens; a long row of them is a row of assignments.
const UNQUOTED = /[^\s"'`,;<>(){}[\]\\=]{1,400}(?:={1,2}[^\s"'`,;<>(){}[\]\\=]{1,200}){0,3}={0,2}/y;

function valueFrom(text: string, at: number): Value | null {
  // String prefixes of Python, Rust and C#.
  const prefix = /[rbufRBUF@]{0,2}(?=["'`])/y;
  const start = stickyEnd(prefix, text, at) ?? at;
  const quoted = quotedFrom(text, start);
  if (quoted !== null) return quoted;
  UNQUOTED.lastIndex = start;
  const match = UNQUOTED.exec(text);
  if (match === null) return null;
  return { text: match[0], at: start, quoted: false, next: text[UNQUOTED.lastIndex] ?? "" };
}

function assignmentAt(
  text: string,
  at: number,
): { name: string; end: number; value: Value } | null {
  const { name, end } = nameAround(text, at);
  // `name=value` without blanks is one run for characters such as "." and "-", but never for "=".
  const afterName = stickyEnd(AFTER_NAME, text, end) ?? end;
  const closed = /["'`]/.test(text.slice(end, afterName));
  OPERATOR.lastIndex = afterName;
  const operator = OPERATOR.exec(text)?.[0];
  if (operator === undefined) return null;
  // A comma assigns only between the two arguments of a call; ">" only behind an element's name.
  if (operator.startsWith(",") && !(closed && isFirstArgument(text, end - name.length))) {
    return null;
  }
  if (operator.startsWith(">") && !isElement(text, end, name)) return null;
  const value = valueFrom(text, defaultAt(text, end - name.length, OPERATOR.lastIndex));
  if (value === null || closed && isNumber(value, name)) return null;
  if (operator.startsWith(",") && !(value.quoted && isLastArgument(text, value))) return null;
  return { name, end, value };
}

/** Where the value of `${NAME:-value}` begins, which a shell takes in place of an empty one. */
function defaultAt(text: string, name: number, at: number): number {
  return text.startsWith("${", name - 2) && /^:[-+?]/.test(text.slice(at - 1, at + 1))
    ? at + 1
    : at;
}

/**
 * Whether the quoted text that begins at `at` comes first in the brackets of a call or of a pair in a
 * list, or names an attribute (`getattr(settings, "API_KEY", "…")`).
 */
function isFirstArgument(text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - 100), at);
  return /(?:[\w$]|[[,]\s{0,20})\(\s{0,20}[rbuf]?\\?["'`]$/.test(before) ||
    /\b[gs]etattr\(\s{0,20}[\w.]{1,60}\s{0,5},\s{0,20}["']$/.test(before);
}

function isLastArgument(text: string, { text: value, at }: Value): boolean {
  return /^\\?["'`],?\s{0,20}\)/.test(text.slice(at + value.length, at + value.length + 30));
}

function isElement(text: string, end: number, name: string): boolean {
  return text[end - name.length - 1] === "<";
}

/** `"token": 7066315721836669461`: a number of JSON counts something, or is an id. */
function isNumber({ text, quoted }: Value, name: string): boolean {
  return !quoted && /^\d{1,20}$/.test(text) && judgeName(name) !== "password";
}

/** Services whose tokens all have one form: a value in another form is none of theirs. */
const STRICT: readonly (readonly [name: RegExp, form: RegExp])[] = [
  [/telegram/i, /^\d{5,16}:A[\w-]{34}$/],
  [/meraki/i, /^[a-f0-9]{40}$/],
];

function isMalformed(name: string, value: string): boolean {
  return /^sm_[aps]at_/.test(value) ||
    STRICT.some(([service, form]) => service.test(name) && !form.test(value));
}

/** Every credential in `text` that its name gives away. */
export function findAssignments(text: string, facts: FileFacts): Match[] {
  const found: Match[] = [];
  if (facts.checksums) return found;
  let after = 0;
  for (const keyword of text.matchAll(KEYWORD)) {
    if (keyword.index < after) continue;
    const assignment = assignmentAt(text, keyword.index);
    if (assignment === null) continue;
    after = assignment.end;
    const { name, value } = assignment;
    const kind = judgeName(name);
    if (kind === null) continue;
    const about: ValueFacts = { name, quoted: value.quoted, next: value.next, file: facts };
    const secret = kind === "password"
      ? isSecretPassword(value.text, about)
      : isSecretValue(value.text, about, kind === "key");
    if (!secret || isMalformed(name, value.text)) continue;
    const title = kind === "password" ? "Password" : "API key or token";
    const rule = kind === "password" ? "password" : "generic-api-key";
    found.push({ kind: rule, title, severity: "high", at: value.at, value: value.text });
    if (found.length === MAX_MATCHES) break;
  }
  return found;
}
