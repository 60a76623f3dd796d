/**
 * Expressions of templates that reach out of what a template is given: walks from a value to the
 * interpreter's own objects, names that are put together so that nobody reads them, programs.
 *
 * @module
 */

/** An expression or statement of a template, without what marks it. */
export interface TemplatePart {
  code: string;
  /** Where it begins in the template. */
  at: number;
}

/** What is wrong with a part. */
export interface TemplateFault {
  title: string;
  at: number;
}

const STRING = /"(?:[^"\\]|\\[\s\S])*"|'(?:[^'\\]|\\[\s\S])*'/g;

/** A part with its strings taken out: each is there as a number in quotes. */
interface Read {
  at: number;
  bare: string;
  /** As written, and what they say. */
  raw: string[];
  strings: string[];
}

function unescaped(raw: string): string {
  return raw.replace(
    /\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([0-7]{1,3})|([\s\S]))/g,
    (_, hex, short, long, octal, other) => {
      if (other !== undefined) return other === "\n" ? "" : other;
      const code = octal === undefined ? parseInt(hex ?? short ?? long, 16) : parseInt(octal, 8);
      return code <= 0x10ffff ? String.fromCodePoint(code) : "";
    },
  );
}

function read({ code, at }: TemplatePart): Read {
  const raw: string[] = [];
  const bare = code.replace(STRING, (each) => `"${raw.push(each.slice(1, -1)) - 1}"`);
  return { at, bare, raw, strings: raw.map(unescaped) };
}

/** Members of objects that tell something about them and lead nowhere. */
const HARMLESS =
  /^__(name|qualname|doc|version|module|len|str|repr|iter|contains|author|title|eq|hash)__$/;
/** Members that lead from any object to the interpreter's own. */
const WALKS =
  /__(class|globals|builtins|subclasses|mro|bases?|import|getattribute|code|func|wrapped|loader|reduce|reduce_ex|closure|self|spec)__|\b(f_(globals|builtins|locals|back)|(gi|cr|ag|tb)_(frame|code)|func_globals|_TemplateReference__context)\b/;
/** The same without their underscores, as they stand where these are added. */
const WALK_WORDS = /^_*(globals|builtins|subclasses|mro|bases?|import|init|class|popen)_*$/;
const PROGRAMS =
  "popen|Popen|check_output|check_call|getoutput|getstatusoutput|import_module|load_module|" +
  "exec_module|run_path|posix_spawnp?|exec[lv]p?e?|spawn[lv]p?e?|create_subprocess_\\w+";
const PROGRAM_CALL = new RegExp(
  `\\.\\s*(${PROGRAMS}|system|eval|exec)\\s*\\(|(?<![.\\w])(eval|exec|execfile|__import__|${PROGRAMS})\\s*\\(`,
);
const PROGRAM_NAME = new RegExp(`^(${PROGRAMS}|system|eval|exec|__import__)$`);
const MEMBER = /\.\s*(__\w+__)(\s*\.\s*(__\w+__))?/g;
const LOOKED_UP = /(?:\battr\s*\(|\[)\s*"(\d+)"\s*[,)\]]\s*(\()?/g;
const ATTRIBUTE = /\|\s*attr\s*\(\s*([^()]*)|\battribute\s*=\s*([^,()]*)/g;
const SUBSCRIPT = /\[([^[\]]*)\]/g;
const COMPUTES = /[~+%*|]/;

function memberFault({ bare }: Read): string | null {
  for (const [, name, , next] of bare.matchAll(MEMBER)) {
    if (HARMLESS.test(name!)) continue;
    if (name === "__class__" && next !== undefined && HARMLESS.test(next)) continue;
    return `A template accesses ${name}`;
  }
  const inner = /(?<!\w)(__(?:builtins|import|globals|subclasses)__)|\.\s*(\w+)/.exec(bare);
  if (inner?.[1] !== undefined) return `A template names ${inner[1]}`;
  const walk =
    /\.\s*((?:f_(?:globals|builtins|locals|back))|(?:gi|cr|ag|tb)_(?:frame|code)|func_globals|_TemplateReference__context)\b/
      .exec(bare);
  if (walk !== null) return `A template accesses ${walk[1]}`;
  return /\brequest\s*\.\s*application\b/.test(bare)
    ? "A template accesses the application through the request"
    : null;
}

function programFault({ bare, strings }: Read): string | null {
  const call = PROGRAM_CALL.exec(bare);
  if (call !== null) return `A template calls ${call[1] ?? call[2]}`;
  if (/(?<![.\w])(subprocess|pty|ctypes|importlib)\s*\./.test(bare)) {
    return "A template uses a module that runs programs or code";
  }
  for (const [whole, index, calls] of bare.matchAll(LOOKED_UP)) {
    const text = strings[Number(index)]!;
    if (/^__\w+__$/.test(text) && !HARMLESS.test(text)) return `A template looks up ${text}`;
    // Honest tables have an entry "system".
    const isEntry = whole.startsWith("[") && /^(system|eval|exec)$/.test(text);
    if (PROGRAM_NAME.test(text) && (!isEntry || calls !== undefined)) {
      return `A template looks up ${text}`;
    }
  }
  return null;
}

function textFault({ bare, raw, strings }: Read): string | null {
  const joined = strings.join("");
  const turned = [...joined].reverse().join("");
  const said = strings.find((each) => WALKS.test(each));
  if (said !== undefined) return "A template contains the name of an internal attribute";
  if (WALKS.test(joined) || WALKS.test(turned) || strings.some((each) => reversedWalks(each))) {
    return "A template builds the name of an internal attribute";
  }
  if (raw.some((each) => /\\(x5f|u005f|U0000005f|137|N\{LOW)/i.test(each))) {
    return "A template escapes an underscore";
  }
  const formats = /"\s*(\|\s*format\b|%|\.\s*format\b)/.test(bare);
  if (formats && strings.some((each) => /%c|\{\d*:c\}/.test(each))) {
    return "A template builds text from numbers";
  }
  const lookups =
    /\b(map|(select|reject)attr|sort|groupby|unique|sum|min|max)\s*\(|\battribute\s*=|\battr\b/
      .test(bare);
  const inner = strings.find((each) => /(^|\.)__\w+__(\.|$)/.test(each) && !HARMLESS.test(each));
  return lookups && inner !== undefined ? `A template looks up ${inner}` : null;
}

const reversedWalks = (text: string) => WALKS.test([...text].reverse().join(""));

/** Characters that are picked out of an object's text, keys that are joined. */
const PICKS =
  /\|\s*string\s*\|\s*list\b|\bdict\s*\([^()]*\)\s*\|\s*(join|first|list|string)\b|\|\s*list\s*\|\s*string\b/;

/** Calls and filters that make another text of one. */
const RESHAPES =
  /\b(replace|lower|swapcase|casefold|translate|join|reverse|strip|trim|upper|format|split|removeprefix|removesuffix|slice|batch)\b|\[[^\]]*:[^\]]*\]/;
const MAX_RESHAPED = 24;

/** The names that the texts of a part may become by what reshapes them. */
function reshapedFault({ bare, strings }: Read, others: ReadonlySet<string>): string | null {
  if (!RESHAPES.test(bare) || strings.length > MAX_RESHAPED) return null;
  const texts = [...new Set([...strings, ...[...others].slice(0, MAX_RESHAPED)])];
  const pairs = strings.slice(1).map((to, at) => [strings[at]!, to] as const);
  const forms = texts.flatMap((text) => [
    text.toLowerCase(),
    ...pairs.filter(([from]) => from !== "").map(([from, to]) => text.replaceAll(from, to)),
    ...pairs.filter(([from]) => from !== "").map(([from]) => text.replaceAll(from, "")),
  ]);
  return forms.some((form) => WALKS.test(form) || WALKS.test(form.toLowerCase()))
    ? "A template builds the name of an internal attribute from text"
    : null;
}

/** Functions of the engine that no template has to look into. */
const ENGINE_OWN =
  /(?<![.\w])(lipsum|cycler|joiner|namespace|range|dict|self|caller|url_for|get_flashed_messages)\s*(\[|\|\s*attr\b)/;

/** A lookup by a name that is put together. `words`: texts of the whole template. */
function lookupFault({ bare, strings }: Read, words: ReadonlySet<string>): string | null {
  const own = ENGINE_OWN.exec(bare);
  if (own !== null) return `A template accesses the internals of ${own[1]}`;
  if (PICKS.test(bare)) return "A template picks letters from an object's text";
  const title = "A template looks up a computed name";
  const named = words.has("_") || words.has("__") || [...words].some((each) => /__/.test(each));
  const walked = [...words].some((each) => WALK_WORDS.test(each));
  for (const [, first, second] of bare.matchAll(ATTRIBUTE)) {
    const name = (first ?? second ?? "").trim();
    if (/^"\d+"/.test(name) && !/^"\d+"\s*[~+%*|]/.test(name)) continue;
    if (/\brequest\b/.test(name)) return "A template looks up a name from the request";
    if (COMPUTES.test(name)) return title;
    if (name !== "" && walked) return title;
  }
  for (const [, key] of bare.matchAll(SUBSCRIPT)) {
    if (/\brequest\s*\./.test(key!)) return "A template looks up a name from the request";
    if (!COMPUTES.test(key!)) continue;
    const own = [...key!.matchAll(/"(\d+)"/g)].map(([, at]) => strings[Number(at)]!);
    if (
      own.some((each) => /__/.test(each) || /^_*(globals|builtins|subclasses|mro)_*$/.test(each))
    ) {
      return title;
    }
    if (/\|\s*reverse\b/.test(key!) || (walked && named)) return title;
  }
  return null;
}

/** Longer expressions are not read; nobody honest writes one with such words in it. */
const MAX_CODE = 10_000;
const WORDS = /__|\\[xuU0-7]|\b(attr|popen|system|eval|exec|reverse|join|replace)\b/;

/** What reaches out of a template in its parts; the first of each part. */
export function partFaults(parts: readonly TemplatePart[]): TemplateFault[] {
  const long = parts.filter(({ code }) => code.length > MAX_CODE && WORDS.test(code));
  return [
    ...long.map(({ at }) => ({
      title: "A template has an expression that is too long to analyse",
      at,
    })),
    ...readFaults(parts.filter(({ code }) => code.length <= MAX_CODE)),
  ];
}

function readFaults(parts: readonly TemplatePart[]): TemplateFault[] {
  const all = parts.map(read);
  const words = new Set(all.flatMap(({ strings }) => strings));
  const faults = all.flatMap((each): TemplateFault[] => {
    const title = memberFault(each) ?? programFault(each) ?? textFault(each) ??
      lookupFault(each, words) ?? reshapedFault(each, words);
    return title === null ? [] : [{ title, at: each.at }];
  });
  if (faults.length > 0 || !all.some(({ bare }) => /\battr\b|\[[^\]"]*[a-z]/i.test(bare))) {
    return faults;
  }
  // Pieces that stand in several statements.
  const joined = all.flatMap(({ strings }) => strings).join("");
  return WALKS.test(joined)
    ? [{ title: "A template builds the name of an internal attribute", at: all[0]!.at }]
    : faults;
}
