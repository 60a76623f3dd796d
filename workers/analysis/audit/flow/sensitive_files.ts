/**
 * Paths of files that hold somebody's keys.
 *
 * @module
 */
import { valuesOf } from "../../python/assigned.ts";
import { foldTexts } from "../../python/folding.ts";
import { stringValue } from "../../python/literals.ts";
import type { PythonNames } from "../../python/names.ts";
import { textOf } from "../../syntax/source_tree.ts";
import type { SyntaxNode } from "../../syntax/tree.ts";

const SENSITIVE =
  /(^|\/|~\/)(\.ssh(\/|$)|id_rsa|id_ed25519|\.aws\/credentials|\.netrc|\.pgpass|\.docker\/config\.json|\.kube\/config|\.git-credentials|\.npmrc|\.pypirc|\.bash_history|\.zsh_history)|^\/etc\/(shadow|passwd|sudoers)$|\/proc\/self\/environ|(Login Data|Cookies|key[34]\.db|logins\.json|wallet\.dat)$|\/(Chrome|Chromium|google-chrome|chromium|Microsoft Edge|BraveSoftware|Firefox|\.mozilla|Safari)\/.{0,100}(History|places\.sqlite|History\.db|Web Data|Bookmarks)$/;

/** What its own programs open, too: grave where it is sent. */
const STORES =
  /(^|\/)(\.config\/solana(\/|$)|\.gnupg(\/|$)|\.electrum(\/|$)|\.ethereum\/keystore|\.bitcoin(\/|$)|\.password-store(\/|$)|Library\/Keychains(\/|$))/;

const NO_SECRET =
  /\.ssh\/(known_hosts\w*|config)$|[,;(:]\s|\s(for|from|in|to|the|of|and)\s|^[^/\\]*\sCookies$/;

/** Whether a path names a file that holds somebody's keys. */
export function isSensitivePath(path: string): boolean {
  // Which hosts are known is no secret, and a sentence is no path.
  return path.length < 500 && SENSITIVE.test(path) && !NO_SECRET.test(path);
}

function isSecretPath(path: string): boolean {
  return isSensitivePath(path) || (path.length < 500 && STORES.test(path));
}

const MAX_NODES = 300;

/** Whether an expression names a sensitive file, itself, in its parts or by what they make together. */
export function namesSensitiveFile(names: PythonNames, node: SyntaxNode, hops = 0): boolean {
  const parts: string[] = [];
  const stack = [node];
  let seen = 0;
  for (let at = stack.pop(); at !== undefined && seen++ < MAX_NODES; at = stack.pop()) {
    const value = stringValue(names.tree.text, at) ??
      (at.type === "identifier" ? names.constants.get(textOf(names.tree, at)) ?? null : null);
    const texts = value !== null
      ? [value]
      : at.type === "binary_operator"
      ? foldTexts(names, at) ?? []
      : [];
    if (texts.some(isSecretPath)) return true;
    if (texts.length > 0) {
      parts.push(texts[0]!);
      continue;
    }
    if (at.type === "identifier" && hops < 2) {
      const { values } = valuesOf(names, at);
      if (values.slice(0, 5).some((each) => namesSensitiveFile(names, each, hops + 1))) return true;
    }
    stack.push(...[...at.children].reverse());
  }
  // `os.path.join(home, ".ssh", "id_rsa")`, `Path.home() / ".ssh" / "id_rsa"`.
  return parts.length > 1 && isSecretPath(parts.join("/"));
}
