/**
 * Where a call sends what it is given, as far as the source says.
 *
 * @module
 */
import { plainValue, valuesOf } from "../../python/values/assigned.ts";
import { calleeOf } from "../../python/calls/callee.ts";
import { fold, foldTexts } from "../../python/values/folding.ts";
import { argumentsOf, type PythonNames } from "../../python/names.ts";
import { type SourceTree, textOf } from "../../syntax/source_tree.ts";
import { child, named, type SyntaxNode } from "../../syntax/tree.ts";
import { isRemote } from "../mcp/declared.ts";

/** A place that something is sent to. */
export interface Destination {
  host: string;
  /** As much of the address as the source says. */
  address: string;
}

const MAX_HOPS = 6;
const MAX_STEPS = 150;
const MAX_TEXTS = 60;
/** What stands for the part of a text that is not known. */
const UNKNOWN = "\0";
const ADDRESS =
  /\b(?:https?|wss?|ftps?|tcp|udp|smtps?|socks[45]?[ah]?):\/\/(?:[^/@\s"']{0,200}@)?(?<host>\[[0-9a-f:.]{2,45}\]|[^/?#\s"'`:@]{1,253})/gi;
const PLAIN_HOST = /^(?:[a-z0-9_-]{1,63}\.){1,8}[a-z0-9-]{2,63}$|^\d{1,3}(?:\.\d{1,3}){3}$/i;
/** What files are named and no host is: the ends of these are no top-level domains. */
const FILE =
  /\.(?:log|txt|json[cl5]?|ndjson|csv|tsv|xml|ya?ml|toml|ini|cfg|conf|lock|html?|css|scss|[cm]?js|jsx|tsx?|ipynb|pyc|rb|go|java|kts?|swift|cpp|hpp|cs|php|sql|lua|scpt|bat|cmd|ps1|exe|dll|out|bin|dat|db|sqlite3?|parquet|pkl|npy|onnx|gguf|tar|t?gz|bz2|xz|7z|rar|whl|jar|iso|pdf|docx?|xlsx?|pptx?|odt|rtf|epub|tex|bib|png|jpe?g|gif|svg|webp|bmp|ico|tiff?|heic|mp[34]|m4[av]|wav|flac|ogg|opus|webm|avi|mkv|srt|vtt|ttf|otf|woff2?|bak|tmp|pem|crt|key|env|j2|tmpl|proto|http|cgi)$/i;
const READS_VARIABLE = /(^|\.)(getenv|environ\.(get|setdefault|pop)|config|str)$/;

const known = new WeakMap<SourceTree, Map<number, string[]>>();

/**
 * The texts that an expression, or each part of a list, may make, with a mark for what is not known;
 * few and short.
 */
export function textsOf(names: PythonNames, node: SyntaxNode): string[] {
  let texts = known.get(names.tree);
  if (texts === undefined) known.set(names.tree, texts = new Map());
  let found = texts.get(node.number);
  if (found === undefined) {
    found = read(names, node, 0, { left: MAX_STEPS }).slice(0, MAX_TEXTS);
    texts.set(node.number, found);
  }
  return found;
}

function read(
  names: PythonNames,
  node: SyntaxNode,
  hops: number,
  steps: { left: number },
): string[] {
  if (hops > MAX_HOPS || steps.left-- <= 0) return [UNKNOWN];
  const plain = plainValue(node);
  const whole = foldTexts(names, plain);
  if (whole !== null) return whole.slice(0, 8);
  const deeper = (each: SyntaxNode) => read(names, each, hops + 1, steps);
  const joined = (parts: readonly SyntaxNode[]) =>
    parts.map(deeper).reduce(
      (left, right) => left.slice(0, 4).flatMap((a) => right.slice(0, 4).map((b) => a + b)),
      [""],
    );
  switch (plain.type) {
    case "string":
      return plain.children.reduce<string[]>((texts, part) => {
        if (part.type === "string_content") {
          return texts.map((text) => text + textOf(names.tree, part));
        }
        if (part.type !== "interpolation") return texts;
        const inside = child(part, "expression") ?? named(part)[0];
        const found = inside === undefined ? [UNKNOWN] : deeper(inside).slice(0, 3);
        return texts.slice(0, 4).flatMap((text) => found.map((each) => text + each));
      }, [""]);
    case "concatenated_string":
      return joined(named(plain));
    case "binary_operator":
      return joined(named(plain).slice(0, 2));
    case "conditional_expression":
      return [plain.children[0]!, plain.children.at(-1)!].flatMap(deeper);
    case "boolean_operator":
      return named(plain).flatMap(deeper);
    case "tuple":
    case "list":
      // An address and a port, the words of a command: each by itself.
      return named(plain).slice(0, 40).flatMap(deeper);
    case "call":
      return ofCall(names, plain, deeper);
    case "identifier":
    case "attribute": {
      const { values, open } = valuesOf(names, plain);
      const found = values.slice(0, 6).flatMap(deeper);
      return open || found.length === 0 ? [...found, UNKNOWN] : found;
    }
    default:
      return [UNKNOWN];
  }
}

function ofCall(
  names: PythonNames,
  node: SyntaxNode,
  deeper: (node: SyntaxNode) => string[],
): string[] {
  const callee = child(node, "function");
  const { positional, keywords } = argumentsOf(names.tree, node);
  const name = callee === null ? "" : calleeOf(names, callee)?.name ?? "";
  const method = callee?.type === "attribute" ? child(callee, "attribute") : null;
  const object = callee?.type === "attribute" ? child(callee, "object") : null;
  const called = method === null ? "" : textOf(names.tree, method);
  if (READS_VARIABLE.test(name)) {
    // Where the user says nothing, the default decides.
    const given = positional[1] ?? keywords.get("default");
    return given === undefined ? [UNKNOWN] : [...deeper(given), UNKNOWN];
  }
  if (/(^|\.)expandvars$/.test(name) && positional[0] !== undefined) {
    return deeper(positional[0]).map((text) => text.replace(/\$\{?\w+\}?|%\w+%/g, UNKNOWN));
  }
  if (/(^|\.)urljoin$/.test(name) && positional[0] !== undefined) return deeper(positional[0]);
  if (/(^|\.)(Request|build_request|prepare_request)$/.test(name)) {
    // `Request(url)` of one library, `Request("GET", url)` of others.
    return [...positional.slice(0, 2), keywords.get("url")]
      .flatMap((each) => each === undefined ? [] : deeper(each));
  }
  if (
    /(^|\.)(URL|Url|str|urlparse|HTTPSConnection|HTTPConnection|SMTP(_SSL)?|FTP(_TLS)?)$/
      .test(name)
  ) {
    const first = positional[0] ?? keywords.get("url") ?? keywords.get("host");
    return first === undefined ? [UNKNOWN] : deeper(first);
  }
  if (
    object !== null &&
    /^(format|rstrip|lstrip|strip|lower|replace|encode|decode|joinpath|prepare)$/.test(called)
  ) {
    return deeper(object).map((text) => text.replace(/\{[^{}]*\}/g, UNKNOWN));
  }
  if (called === "join" && object !== null && positional[0] !== undefined) {
    const parts = fold(names, positional[0]);
    return Array.isArray(parts) ? [parts.map(String).join("")] : deeper(positional[0]);
  }
  return [UNKNOWN];
}

/** Addresses of this machine and its network. */
const NEAR = /^\[(::1?|f[cd][0-9a-f]{2}:.*|fe[89ab][0-9a-f]:.*)\]$/;

/** `http://755121308`, `http://0x2d21209c`: an IPv4 address as one number. */
function dotted(host: string): string {
  if (!/^(0x[0-9a-f]{1,8}|\d{6,10})$/.test(host)) return host;
  const number = Number(host);
  return [24, 16, 8, 0].map((shift) => Math.floor(number / 2 ** shift) % 256).join(".");
}

/**
 * The addresses in texts, as far as their hosts are known. Where names of files are more likely than
 * those of hosts, as among a program's arguments, `addressesOnly` leaves out hosts by themselves.
 */
export function destinationsIn(
  texts: readonly string[],
  { addressesOnly = false }: { addressesOnly?: boolean } = {},
): Destination[] {
  const found: Destination[] = [];
  for (const text of texts) {
    for (const match of text.slice(0, 4000).matchAll(ADDRESS)) {
      const host = dotted(match.groups!.host!.toLowerCase());
      const known = host.split(UNKNOWN).at(-1)!.replace(/^\.+/, "");
      // `https://{shop}.example.com`: the end says whose it is.
      if (host.endsWith(UNKNOWN) || !/[.:]/.test(known)) continue;
      found.push({ host: known, address: text.slice(match.index, match.index + 300) });
    }
    if (!addressesOnly && PLAIN_HOST.test(text) && !FILE.test(text)) {
      found.push({ host: text.toLowerCase(), address: text });
    }
  }
  return found.filter(({ host }) => host.includes(":") ? !NEAR.test(host) : isRemote(host));
}

/** Whether a host is a number: nobody's service is reached that way. */
export function isNumber(host: string): boolean {
  return /^\d{1,3}(\.\d{1,3}){3}$|^\[[0-9a-f:.]+\]$/.test(host);
}
