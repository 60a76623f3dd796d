/**
 * What a template runs: expressions and statements of Jinja2 and its like, and Python of engines whose
 * templates are Python.
 *
 * @module
 */
import type { TemplatePart } from "./expressions.ts";

/** Longest expression in which strings are told apart from marks. */
const MAX_READ = 10_000;
const ENDS = { "{{": "}}", "{%": "%}", "{#": "#}" } as const;

/** Where an expression ends: marks in strings do not count. */
function endOf(text: string, from: number, mark: string): number {
  let quote: string | null = null;
  const last = Math.min(text.length, from + MAX_READ);
  for (let at = from; at < last; at++) {
    const letter = text[at]!;
    if (quote !== null) {
      if (letter === "\\") at++;
      else if (letter === quote) quote = null;
    } else if (letter === '"' || letter === "'") quote = letter;
    else if (text.startsWith(mark, at)) return at;
  }
  return -1;
}

/** The expressions and statements of a Jinja2 template; comments and raw text are none. */
export function jinjaParts(text: string): TemplatePart[] {
  const parts: TemplatePart[] = [];
  for (let at = text.indexOf("{"); at >= 0; at = text.indexOf("{", at)) {
    const start = text.slice(at, at + 2);
    if (start !== "{{" && start !== "{%" && start !== "{#") {
      at++;
      continue;
    }
    const mark = ENDS[start];
    if (start === "{#") {
      const end = text.indexOf(mark, at + 2);
      if (end < 0) break;
      at = end + 2;
      continue;
    }
    const plain = text.indexOf(mark, at + 2);
    if (plain < 0) {
      // No engine takes it for an expression.
      at += 2;
      continue;
    }
    // A quote that is never closed: what is there is looked at all the same.
    const ends = endOf(text, at + 2, mark);
    const end = ends < 0 ? plain : ends;
    const code = text.slice(at + 2, end);
    parts.push({ code, at: at + 2 });
    at = end + 2;
    if (start === "{%" && /^[-+]?\s*raw\s*[-+]?$/.test(code)) {
      const raw = /\{%[-+]?\s*endraw\s*[-+]?%\}/g;
      raw.lastIndex = at;
      if (raw.exec(text) === null) break;
      at = raw.lastIndex;
    }
  }
  return parts;
}

/** The engines whose templates are Python, by the way in which it stands in them. */
export type PythonSyntax = "mako" | "tornado" | "simple" | "markup" | "cheetah" | "other";

/** Python of a template, as lines, with the line of the template that each comes from. */
export interface TemplatePython {
  code: string;
  lines: number[];
}

/** What surrounds Python: a pattern for each kind, with the code in the group of its name. */
const SYNTAX: Record<PythonSyntax, readonly RegExp[]> = {
  mako: [
    /<%!?(?![\w\/])(?<block>[\s\S]*?)%>/g,
    /\$\{(?<expression>[^{}]*(?:\{[^{}]*\}[^{}]*)*)\}/g,
    /^[ \t]*%(?![%>])(?<line>[^\n]*(?:\\\n[^\n]*)*)/gm,
    /<%namespace\b[^>]*\bmodule\s*=\s*["'](?<module>[\w.]+)["']/g,
    /<%(?:def|block|call|page)\b[^>]*\b(?:name|expr)\s*=\s*(?:"(?<signature>[^"]*)"|'(?<quoted>[^']*)')/g,
    /<%(?:def|block|call|page)\b[^>]*\bargs\s*=\s*(?:"(?<given>[^"]*)"|'(?<listed>[^']*)')/g,
  ],
  tornado: [
    /\{\{(?!!)(?<expression>[\s\S]*?)\}\}/g,
    /\{%(?!!)(?<line>[\s\S]*?)%\}/g,
  ],
  simple: [
    /<%(?<block>[\s\S]*?)%>/g,
    /\{\{!?(?<expression>[\s\S]*?)\}\}/g,
    /^[ \t]*%(?![%>])(?<line>[^\n]*)/gm,
  ],
  markup: [
    /<\?python\b(?<block>[\s\S]*?)\?>/g,
    /\{%\s*python\b(?<block>[\s\S]*?)%\}/g,
    /\$\{(?<expression>[^{}]*(?:\{[^{}]*\}[^{}]*)*)\}/g,
    /\s(?:py|tal|metal|i18n):\w+\s*=\s*"(?<attribute>[^"]*)"/g,
    /\s(?:py|tal|metal|i18n):\w+\s*=\s*'(?<attribute>[^']*)'/g,
  ],
  cheetah: [
    /<%=?(?<block>[\s\S]*?)%>/g,
    /^[ \t]*#(?:silent\s+|echo\s+)?(?<line>[a-z][^\n]*)/gm,
    /\$\{(?<expression>[^{}]*)\}/g,
    /\$(?<expression>[A-Za-z_][\w.]*\([^()\n]*\))/g,
  ],
  other: [],
};

const CONTROL = /^(if|elif|for|while|with)\b([\s\S]*?):?$/;

/** A line of control as a statement of its own; null for those without an expression. */
function statement(line: string): string | null {
  const code = line.trim().replace(/\s*#[^"']*$/, "");
  if (
    code === "" || /^(end\w*|else|try|finally|except\b.*|break|continue|pass|#.*):?$/.test(code)
  ) {
    return null;
  }
  const control = CONTROL.exec(code);
  if (control !== null) {
    const word = control[1] === "elif" ? "if" : control[1];
    return `${word}${control[2]}: pass`;
  }
  // `{% set x = y %}`, `{% raw x %}`, `{% module f(x) %}`, `#set x = y`, `#def f(x)`.
  const set = /^set\s+(?:global\s+)?([\s\S]*)$/.exec(code);
  if (set !== null) return set[1]!.replace(/\$(?=[A-Za-z_])/g, "");
  const said =
    /^(?:raw|module|call|apply|autoescape|whitespace|include|extends|block|comment|attr)\b([\s\S]*)$/
      .exec(code);
  if (said !== null) return /[([]/.test(said[1]!) ? `(${said[1]!.trim()})` : null;
  if (/^def\b/.test(code)) return `${code.replace(/:$/, "")}: pass`.replace(/\$(?=[A-Za-z_])/g, "");
  return code;
}

function dedented(block: string): string {
  const lines = block.split("\n");
  const rest = lines.filter((line, at) => at > 0 && line.trim() !== "");
  const indent = Math.min(...rest.map((line) => /^[ \t]*/.exec(line)![0].length));
  return [lines[0]!.trim(), ...lines.slice(1).map((line) => line.slice(indent))].join("\n");
}

function pieceOf(groups: Record<string, string | undefined>): string | null {
  const { block, expression, line, module, attribute } = groups;
  const given = groups.given ?? groups.listed;
  const signature = groups.signature ?? groups.quoted;
  if (block !== undefined) return dedented(block);
  if (expression !== undefined) {
    // Filters of Mako follow a bar.
    const filters = /(?<!\|)\|(?!\|)\s*([\w\s,.]+)$/.exec(expression);
    const value = expression.slice(0, filters?.index).trim();
    if (value === "") return null;
    const called = (filters?.[1] ?? "").split(",").map((each) => each.trim())
      .filter((each) => /\w\.\w/.test(each)).map((each) => `\n${each}(_)`);
    return `(${value})${called.join("")}`;
  }
  if (line !== undefined) return statement(line);
  if (module !== undefined) return `import ${module}`;
  if (given !== undefined) return `def _(${given}): pass`;
  if (signature !== undefined) return /\(/.test(signature) ? `def ${signature}: pass` : null;
  const path = (attribute ?? "").replace(
    /&(quot|apos|lt|gt|amp);/g,
    (_, name: string) => ({ quot: '"', apos: "'", lt: "<", gt: ">", amp: "&" })[name]!,
  );
  const python = /(?:^|[\s;|])python:\s*([\s\S]*)$/.exec(path)?.[1] ?? path;
  const loop = /^\s*(\w[\w\s,()]*)\s+in\s+([\s\S]+)$/.exec(python)?.[2] ?? python;
  return loop.trim() === "" ? null : `(${loop.replace(/^\s*(define|local|global)\s+/, "").trim()})`;
}

/** The Python of a template, in the order in which it stands there. */
export function templatePython(
  text: string,
  syntax: PythonSyntax,
  lineAt: (offset: number) => number,
): TemplatePython {
  const pieces: { at: number; code: string }[] = [];
  for (const pattern of SYNTAX[syntax]) {
    for (const found of text.matchAll(pattern)) {
      const code = pieceOf(found.groups ?? {});
      if (code !== null) pieces.push({ at: found.index, code });
    }
  }
  const lines: number[] = [];
  const code: string[] = [];
  for (const piece of pieces.sort((a, b) => a.at - b.at)) {
    const first = lineAt(piece.at);
    piece.code.split("\n").forEach((line, at) => {
      code.push(line);
      lines.push(first + at);
    });
  }
  return { code: code.join("\n") + "\n", lines };
}
