/**
 * Which hosts a server says that it talks to: in its documentation, its metadata, its example
 * configuration, the names and descriptions of its tools. Words are enough: a server that speaks of
 * "GitHub" may talk to api.github.com.
 *
 * @module
 */
import type { SourceFiles } from "../../analyser.ts";
import type { ToolDeclaration } from "../../tools/declaration.ts";

const DECLARES =
  /(^|\/)(readme[^/]*|[^/]+\.(md|rst)|pyproject\.toml|setup\.cfg|package\.json|server\.json|manifest\.json|cargo\.toml|smithery\.ya?ml|dockerfile|docker-compose\.ya?ml|\.?env[.-](example|sample|template))$/i;
const INSTALLED = /(^|\/)(node_modules|site-packages|vendor|\.git)\//;
const MAX_FILE_BYTES = 256 * 1024;
/** All that is read together; the files nearest to the root come first. */
const MAX_BYTES = 4 * 1024 * 1024;

/** Whether a file may declare hosts. */
export function declaresHosts(path: string): boolean {
  return DECLARES.test(path) && !INSTALLED.test(path);
}

/** Network hosts that a server's texts, settings or name announce. */
export interface Declared {
  /** Whether anything declares the host; `names` are words of the code that speak of it. */
  has(host: string, names?: readonly string[]): boolean;
}

const SECOND_LEVEL = /^(co|com|net|org|ac|gov|edu|ne|or|go)$/;
/** What services add to their names in addresses. */
const AFFIXES = /^(api|get|my|use|app)-?|-?(api|apis|app|cloud|labs?|dev|hq|static|usercontent)$/g;
const MIN_WORD = 4;

/** The part of a host that somebody registered: `github.com` of `api.github.com`. */
function registered(host: string): string {
  const parts = host.split(".");
  const long = parts.length > 2 && SECOND_LEVEL.test(parts.at(-2)!) && parts.at(-1)!.length === 2;
  return parts.slice(long ? -3 : -2).join(".");
}

const squeezed = (text: string): string =>
  text.toLowerCase().replace(/[^a-z0-9\u0080-\uffff]/g, "");

/** Reads what a server declares. */
export function declaredBy(
  { files, entrypoint }: { files: SourceFiles; entrypoint: string },
  tools: readonly ToolDeclaration[],
): Declared {
  const texts = [entrypoint];
  const depth = (path: string) => path.split("/").length;
  const declaring = [...files].filter(([path]) => declaresHosts(path))
    .sort(([a], [b]) => depth(a) - depth(b));
  let left = MAX_BYTES;
  for (const [, bytes] of declaring) {
    const part = bytes.subarray(0, Math.min(MAX_FILE_BYTES, left));
    texts.push(new TextDecoder().decode(part));
    left -= part.length;
  }
  for (const { name, description } of tools) texts.push(name, description ?? "");
  const all = texts.join("\n").toLowerCase();
  const squeezedAll = squeezed(all);
  return {
    has(host, names = []) {
      const domain = registered(host.toLowerCase());
      if (all.includes(domain)) return true;
      const label = domain.split(".")[0]!;
      const words = [label, label.replace(AFFIXES, "")].map(squeezed)
        .filter((word) => word.length >= MIN_WORD);
      return words.some((word) =>
        squeezedAll.includes(word) || names.some((name) => squeezed(name).includes(word))
      );
    },
  };
}

const LOCAL =
  /^(localhost|127\.|0\.0\.0\.0|10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|\[?::1|[^.]+$)|\.(local|internal|localhost|test)$/i;

/** Whether a host is another machine on the internet. */
export function isRemote(host: string): boolean {
  return !LOCAL.test(host);
}
