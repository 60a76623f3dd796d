/**
 * Paths of files that hold somebody's keys.
 *
 * @module
 */
import { valuesOf } from "../../python/values/assigned.ts";
import { foldTexts } from "../../python/values/folding.ts";
import { textsFrom } from "../keys/variables.ts";
import { stringValue } from "../../python/values/literals.ts";
import type { PythonNames } from "../../python/names.ts";
import { textOf } from "../../syntax/source_tree.ts";
import type { SyntaxNode } from "../../syntax/tree.ts";

/** Files that a server has no reason to name, whatever it does with them. */
const SENSITIVE =
  /(^|\/|~\/)(\.ssh(\/|$)|id_rsa|id_ed25519|\.aws\/credentials|\.netrc|\.pgpass|\.docker\/config\.json|\.kube\/config|\.git-credentials|\.npmrc|\.pypirc|\.bash_history|\.zsh_history)|^\/etc\/(shadow|passwd|sudoers)$|\/proc\/self\/environ|(Login Data|Cookies|key[34]\.db|logins\.json|wallet\.dat)$|\/(Chrome|Chromium|google-chrome|chromium|Microsoft Edge|BraveSoftware|Firefox|\.mozilla|Safari)\/.{0,100}(History|places\.sqlite|History\.db|Web Data|Bookmarks)$/;
/** More files of keys, histories of shells, what browsers and wallets keep: what matters is who gets it. */
const HOLDS_KEYS = [
  /(^|\/)(\.ssh(\/|$)|id_(rsa|dsa|ecdsa|ed25519)(_sk)?$|\.aws\/(credentials|cli\/cache|sso\/cache)|\.netrc|_netrc$|\.pgpass|\.my\.cnf|\.docker\/config\.json|\.kube\/config|\.git-credentials|\.npmrc|\.pypirc|\.gnupg(\/|$)|\.vault-token|\.password-store(\/|$)|\.s3cfg|\.boto$|\.oci\/config|\.gem\/credentials|\.cargo\/credentials(\.toml)?|\.terraform\.d\/credentials|\.m2\/settings(-security)?\.xml|\.composer\/auth\.json|\.subversion\/auth|\.rclone\.conf|rclone\/rclone\.conf|filezilla\/(recentservers|sitemanager)\.xml|\.claude\/\.credentials\.json|\.codex\/auth\.json|\.config\/op(\/|$)|Bitwarden\/data\.json|\.kdbx$)/,
  /(^|\/)(\.(bash|zsh|sh|ash|python|psql|mysql|sqlite|node_repl|rediscli|mongo|irb|lesshst|wget)_?(history|hsts)?$|\.(bash|zsh|sh|ash|python|psql|mysql|sqlite|node_repl|rediscli|irb)_history|fish_history|ConsoleHost_history\.txt)/,
  /^\/etc\/(shadow|gshadow|passwd|sudoers|master\.passwd|krb5\.keytab|ssl\/private(\/|$)|kubernetes\/admin\.conf)|(^|\/)ssh_host_\w+_key$/,
  /\/proc\/[^/]{1,20}\/environ|\/(var\/)?run\/secrets(\/|$)|kubernetes\.io\/serviceaccount/,
  /(Login Data|Cookies|key[34]\.db|logins\.json|cookies\.sqlite|signons\.sqlite|formhistory\.sqlite|Local State|Login Data For Account)$/,
  /\/(Chrome|Chromium|google-chrome|chromium|Microsoft Edge|Brave-?Browser|BraveSoftware|Firefox|\.mozilla|Safari|Opera Stable|Vivaldi|Arc|Edge)\/.{0,100}(History|places\.sqlite|History\.db|Web Data|Bookmarks|Cookies|Local Extension Settings.{0,60}|Local Storage.{0,60})$/,
  /(^|\/)(wallet\.dat|Library\/Keychains(\/|$)|login\.keychain(-db)?|\.local\/share\/keyrings(\/|$)|\.ethereum\/keystore|\.bitcoin(\/|$)|\.electrum(\/|$)|Electrum\/wallets|\.config\/solana(\/|$)|\.near-credentials|Exodus\/exodus\.wallet|Ledger Live\/|\.monero\/wallets|atomic\/Local Storage|Coinomi\/|\.foundry\/keystores|UTC--\d{4}-)|nkbihfbeogaeaoehlefnkodbefgpgknn/,
  // They hold the keys of every server that an assistant starts.
  /(^|\/)(\.claude\.json|claude_desktop_config\.json|\.(cursor|windsurf|codeium|gemini|continue|vscode|roo|kiro)\/(.*\/)?mcp(_config|_settings)?\.json|cline_mcp_settings\.json|mcp_settings\.json)$/,
  /AppData\/(Roaming|Local)\/Microsoft\/(Credentials|Protect|Vault)|System32\/config\/(SAM|SYSTEM)$|(Telegram Desktop\/tdata|discord\/Local Storage|Signal\/config\.json)/i,
];
/** Variables of other programs: those of the server's own folder are its own. */
const VARIABLES =
  /^(~|\/home\/|\/root\/|\/Users\/|\/srv\/|\/opt\/|\/var\/www\/)(.*\/)?\.env(\.(local|production|prod|development|dev|staging))?$/;
/** Files with the key of one service, to which its own servers may send it, by a usual variable. */
const OF_SERVICE: readonly [path: RegExp, variable: string][] = [
  [
    /(^|\/)(\.config\/gh\/hosts\.yml|GitHub CLI\/hosts\.yml|\.config\/hub|github-copilot\/(hosts|apps)\.json)$/,
    "GITHUB_TOKEN",
  ],
  [/(^|\/)\.config\/glab-cli\/config\.yml$/, "GITLAB_TOKEN"],
  [
    /(^|\/)(\.config\/)?gcloud\/(application_default_credentials\.json|credentials\.db|access_tokens\.db|legacy_credentials)/,
    "GOOGLE_API_KEY",
  ],
  [
    /(^|\/)\.azure\/(accessTokens\.json|msal_token_cache|azureProfile\.json|service_principal_entries)/,
    "AZURE_CLIENT_SECRET",
  ],
  [/(^|\/)(\.cache\/huggingface|\.huggingface)\/(token|stored_tokens)$/, "HF_TOKEN"],
  [/(^|\/)\.config\/doctl\/config\.yaml$/, "DIGITALOCEAN_TOKEN"],
  [/(^|\/)(\.netlify\/config|\.config\/netlify\/config)\.json$/, "NETLIFY_TOKEN"],
  [/kubernetes\.io\/serviceaccount\/token$/, "KUBERNETES_SERVICE_ACCOUNT_TOKEN"],
  [/(^|\/)com\.vercel\.cli\/auth\.json$/, "VERCEL_TOKEN"],
];

const NO_SECRET =
  /\.ssh\/(known_hosts\w*|config|authorized_keys)$|\.pub$|[,;(:]\s|\s(for|from|in|to|the|of|and)\s|^[^/\\]*\sCookies$/;

const MAX_PATH = 500;

/** A path as the patterns have it; null for what is no path, or of no secret. */
function plainPath(path: string): string | null {
  // Which hosts are known is no secret, and a sentence is no path.
  if (path.length >= MAX_PATH || NO_SECRET.test(path)) return null;
  return path.replaceAll("\\", "/").replace(/\/{2,}/g, "/");
}

/** Whether a path names a file that a server has no reason to name. */
export function isSensitivePath(path: string): boolean {
  const plain = plainPath(path);
  return plain !== null && SENSITIVE.test(plain);
}

/** The label of what a file at this path holds; null for a file without anybody's keys. */
export function labelOfPath(path: string): string | null {
  const plain = plainPath(path);
  if (plain === null) return null;
  const service = OF_SERVICE.find(([pattern]) => pattern.test(plain));
  if (service !== undefined) return `var:${service[1]}`;
  const holds = [SENSITIVE, VARIABLES, ...HOLDS_KEYS].some((pattern) => pattern.test(plain));
  return holds ? "credential" : null;
}

const MAX_NODES = 300;

/**
 * The label of a file with keys that an expression names, itself, in its parts or by what they make
 * together; null for any other.
 */
export function sensitiveFile(names: PythonNames, node: SyntaxNode, hops = 0): string | null {
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
    for (const text of texts) {
      const label = labelOfPath(text);
      if (label !== null) return label;
    }
    if (texts.length > 0) {
      parts.push(texts[0]!);
      continue;
    }
    if (at.type === "identifier" && hops < 2) {
      const label = textsFrom(names, at).map(labelOfPath).find((each) => each !== null);
      if (label !== undefined) return label;
      const { values } = valuesOf(names, at);
      for (const each of values.slice(0, 5)) {
        const label = sensitiveFile(names, each, hops + 1);
        if (label !== null) return label;
      }
    }
    stack.push(...[...at.children].reverse());
  }
  // `os.path.join(home, ".ssh", "id_rsa")`, `Path.home() / ".ssh" / "id_rsa"`.
  return parts.length > 1 ? labelOfPath(parts.join("/")) : null;
}
