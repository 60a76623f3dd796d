/**
 * The rules of secretlint's recommended preset, without the one that lets comments in the scanned
 * file switch rules off. The library is loaded for texts in which one of them could find something:
 * next to no file has any, and loading it takes longer than all that the other rules do.
 *
 * @module
 */
import { moduleOnDemand } from "../on_demand.ts";
import type { Match } from "./match.ts";
import { isPlaceholderToken } from "./placeholders.ts";

/** What is in every credential that a rule of the preset knows, by the rule's name. */
export const TELLTALES: Readonly<Record<string, string>> = {
  "1password": "ops_ey",
  anthropic: "sk-ant-",
  aws: "[Ss](?:ecret|ECRET)_?(?:ACCESS|[Aa]ccess)_?(?:KEY|[Kk]ey)",
  cloudflare: "cf(?:k|ut|at)_",
  databricks: "dapi[A-Fa-f0-9]{4}",
  docker: "dckr_pat_",
  figma: "figd_",
  github: "gh[pousr]_|github_pat_",
  gitlab: "glpat-",
  grafana: "gl(?:c|sa)_",
  groq: "gsk_",
  "hashicorp-vault": "hv[sbr]\\.",
  huggingface: "hf_[A-Za-z]{9}",
  linear: "lin_api_",
  notion: "ntn_",
  npm: "npm_[A-Za-z0-9_]{9}|_authToken=|x-oauth-basic",
  openai: "T3BlbkFJ",
  sendgrid: "SG\\.",
  shopify: "shp(?:pa|ca|at|ss)_",
  stripe: "[sr]k_(?:live|test)_",
  tailscale: "tskey-",
  vercel: "vc[piark]_[A-Za-z0-9]{9}",
};
const TELLTALE = new RegExp(Object.values(TELLTALES).join("|"));

const loadEngine = moduleOnDemand<typeof import("./secretlint_engine.ts")>(
  import.meta.url,
  "./secretlint_engine.ts",
);

const NAME = /^["']?[\w.-]{1,60}["']?\s{0,5}(?:=>|[:=])\s{0,5}["']?/;
const MAX_REST = 300;

/**
 * The token that a rule found. Where it stands behind its name, the range begins with the name and is as
 * long as the token.
 */
function wholeToken(text: string, [start, end]: readonly [number, number]): string {
  const rest = /^[\w/+=.~-]*/.exec(text.slice(end, end + MAX_REST))![0];
  const whole = text.slice(start, end) + rest;
  return whole.replace(NAME, "");
}

/** What the rules find in a text. */
export async function findBySecretlint(text: string, path: string): Promise<Match[]> {
  if (!TELLTALE.test(text)) return [];
  const { lint } = await loadEngine();
  return (await lint(text, path)).flatMap(({ ruleId, range }): Match[] => {
    const value = text.slice(range[0], range[1]);
    if (value === "" || isPlaceholderToken(wholeToken(text, range))) return [];
    const kind = ruleId.replace(/^.*secretlint-rule-/, "");
    const title = `Credential (${kind})`;
    return [{ kind, title, severity: "high", at: range[0], value }];
  });
}
