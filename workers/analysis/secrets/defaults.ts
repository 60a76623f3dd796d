/**
 * Credentials that a program falls back on: defaults of variables, settings, options and arguments
 * (`os.getenv("API_KEY") or "…"`, `Field(default="…")`, `add_argument("--token", default="…")`).
 *
 * @module
 */
import type { FileFacts, Match } from "./match.ts";
import { judgeName } from "./names.ts";
import { isSecretPassword, isSecretValue, type ValueFacts } from "./values.ts";

const KEYWORD = /passw|passphrase|pwd|secret|token|credential|api[_.-]?key|[_.-]key|key\b|auth/gi;
/** How far a default may be from its name. */
const WINDOW = 400;
const MAX_NAME = 80;
const MAX_MATCHES = 100;
const MAX_TRIED = 20_000;
const NAME_CHARACTER = /[\w.$-]/;

/** What comes right before a default, the text so far ending there. */
const BEFORE =
  /(?:(?<![\w.])default(?:_value|Value)?["']?\s{0,3}[=:]\s{0,20}|\bor\s{1,20}|\|\|\s{0,20}|\?\?\s{0,20}|\belse\s{1,20}|\b(?:Secret|SecretStr|SecretBytes|Field|field|Option|Argument|Query|Header|attrib|ib|default)\(\s{0,20}|\]\s{0,3}=\s{0,3}|lambda\s{0,3}:\s{0,3})[rbuf]{0,2}$/;

interface Named {
  name: string;
  /** Whether the name is a quoted argument: what follows the comma belongs to it. */
  argument: boolean;
  end: number;
}

function nameAt(text: string, at: number): Named {
  let start = at;
  while (start > 0 && at - start < MAX_NAME && NAME_CHARACTER.test(text[start - 1]!)) start--;
  let end = at;
  while (end < text.length && end - at < MAX_NAME && NAME_CHARACTER.test(text[end]!)) end++;
  const quoted = /["'`]/.test(text[start - 1] ?? "") && /["'`]/.test(text[end] ?? "");
  return {
    name: text.slice(start, end),
    argument: quoted && /^["'`]\s{0,3}[,)]/.test(text.slice(end, end + 5)),
    end: quoted ? end + 1 : end,
  };
}

/** Whether a line that ends, or a bracket that closes, at `at` goes on with another choice. */
function goesOn(part: string, at: number): boolean {
  return /^[)\]\s]{0,60}(?:or\b|else\b|\|\||\?\?)/.test(part.slice(at, at + 80));
}

interface Quoted {
  value: string;
  at: number;
  /** It comes right after the name and a comma. */
  next: boolean;
}

/** The texts in quotes of a statement that are defaults of the name before it. */
function* defaultsIn(part: string, argument: boolean): Generator<Quoted> {
  let depth = 0;
  let strings = 0;
  for (let at = 0; at < Math.min(part.length, WINDOW); at++) {
    const character = part[at]!;
    if (character === "(" || character === "[" || character === "{") depth++;
    else if (character === ")" || character === "]" || character === "}") {
      depth--;
      if (depth < 0) {
        if (character === "}" || !goesOn(part, at)) return;
        depth = 0;
      }
    } else if (character === ";") return;
    else if (character === "," && depth === 0 && !argument) return;
    else if (character === "\n" && depth === 0) {
      const open = argument && /[,(]\s{0,60}$/.test(part.slice(Math.max(0, at - 70), at));
      if (!open && !goesOn(part, at)) return;
    } else if (character === '"' || character === "'" || character === "`") {
      const close = part.indexOf(character, at + 1);
      const line = part.indexOf("\n", at + 1);
      if (close < 0 || (line >= 0 && line < close)) return;
      const before = part.slice(Math.max(0, at - 60), at);
      const next = argument && strings === 0 && /^\s{0,3},\s{0,60}$/.test(before);
      if (BEFORE.test(before) || next) yield { value: part.slice(at + 1, close), at: at + 1, next };
      strings++;
      at = close;
    }
  }
}

/** Every credential in `text` that is a default of what its name says. */
export function findDefaults(text: string, facts: FileFacts): Match[] {
  const found: Match[] = [];
  if (facts.checksums) return found;
  let [after, tried] = [0, 0];
  for (const keyword of text.matchAll(KEYWORD)) {
    if (keyword.index < after) continue;
    const named = nameAt(text, keyword.index);
    after = named.end;
    const kind = judgeName(named.name);
    if (kind === null || ++tried > MAX_TRIED) continue;
    const part = text.slice(named.end, named.end + 2 * WINDOW);
    for (const { value, at: offset, next } of defaultsIn(part, named.argument)) {
      const at = named.end + offset;
      // Of lists, only an option's own value: ["--api-key", "…"].
      if (next && !named.name.startsWith("--")) continue;
      const about: ValueFacts = { name: named.name, quoted: true, next: "", file: facts };
      const secret = kind === "password"
        ? isSecretPassword(value, about)
        : isSecretValue(value, about, kind === "key");
      if (!secret) continue;
      const title = kind === "password" ? "Password" : "API key or token";
      const rule = kind === "password" ? "password" : "generic-api-key";
      found.push({ kind: rule, title, severity: "high", at, value });
    }
    if (found.length >= MAX_MATCHES) break;
  }
  return found;
}
