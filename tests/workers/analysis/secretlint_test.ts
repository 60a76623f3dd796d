import { assert, assertEquals } from "@std/assert";
import { findBySecretlint, TELLTALES } from "../../../workers/analysis/secrets/secretlint.ts";
import { ENGINE_RULES, lint } from "../../../workers/analysis/secrets/secretlint_engine.ts";

/** `length` characters without a pattern, always the same. */
function random(length: number, alphabet: string): string {
  let state = 11;
  return Array.from({ length }, () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return alphabet[(state >> 16) % alphabet.length];
  }).join("");
}
const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const any = (length: number) => random(length, `${LETTERS}0123456789`);
const hex = (length: number) => random(length, "0123456789abcdef");
const each = (prefixes: string, rest: string) => prefixes.split(" ").map((one) => `${one}${rest}`);

/** A token of 1Password: JSON that is encoded, so long that its last brace stands by itself. */
function serviceAccount(): string {
  return `ops_${btoa(JSON.stringify({ email: "a@example.com", muk: {}, secretKey: any(78) }))}`;
}

/** Texts in which each rule finds something, in all of its forms. */
const SAMPLES: Record<string, string[]> = {
  "1password": [serviceAccount()],
  anthropic: [`sk-ant-api03-${any(93)}AA`, `sk-ant-api09-${any(93)}AA`],
  aws: each(
    "AWS_SECRET_ACCESS_KEY= aws_secret_access_key= SecretAccessKey: SECRET_ACCESS_KEY=>",
    ` ${any(40)} `,
  ),
  cloudflare: each("cfk_ cfut_ cfat_", `${any(40)}${hex(8)}`),
  databricks: [`dapi${hex(32)}`, `dapi${hex(32).toUpperCase()}-2`],
  docker: [`dckr_pat_${any(27)}`],
  figma: [`figd_${any(40)}`],
  github: [
    ...each("ghp_ gho_ ghu_ ghs_ ghr_", any(36)),
    `github_pat_${any(82)}`,
    `ghs_12345_${any(20)}.${any(30)}.${any(20)}`,
  ],
  gitlab: [`glpat-${any(20)}`],
  grafana: [`glc_${any(40)}`, `glsa_${any(32)}_${hex(8)}`],
  groq: [`gsk_${any(52)}`],
  "hashicorp-vault": [`hvs.${any(95)}`, `hvb.${any(140)}`, `hvr.${any(95)}`],
  huggingface: [`hf_${random(34, LETTERS)}`],
  linear: [`lin_api_${any(40)}`],
  notion: [`ntn_${random(11, "0123456789")}${any(35)}`],
  npm: [
    `npm_${any(36)}`,
    "//registry.example/:_authToken=abc",
    `https://${any(40)}:x-oauth-basic@github.com/`,
  ],
  openai: [
    `sk-${any(20)}T3BlbkFJ${any(20)}`,
    ...each("sk-proj- sk-svcacct- sk-admin-", `${any(58)}T3BlbkFJ${any(58)}`),
  ],
  sendgrid: [`SG.${any(22)}.${any(43)}`],
  shopify: each("shppa_ shpca_ shpat_ shpss_", any(32)),
  stripe: each("sk_live_ sk_test_ rk_live_ rk_test_", any(24)),
  tailscale: [`tskey-auth-${any(12)}-${any(32)}`],
  vercel: each("vcp_ vci_ vca_ vcr_ vck_", any(24)),
};
/** Files that a rule asks for. */
const PATHS: Record<string, string> = { "_authToken": ".npmrc", "x-oauth": "package.json" };

Deno.test("every rule of secretlint has what its credentials are told by", () => {
  assertEquals(Object.keys(TELLTALES).sort(), [...ENGINE_RULES].sort());
  assertEquals(Object.keys(SAMPLES).sort(), [...ENGINE_RULES].sort());
});

Deno.test("whatever a rule of secretlint finds has that", async () => {
  for (const [rule, samples] of Object.entries(SAMPLES)) {
    for (const sample of samples) {
      const path = Object.entries(PATHS).find(([word]) => sample.includes(word))?.[1] ?? "a.py";
      const found = await lint(`x = ${sample}\n`, path);
      assert(found.some(({ ruleId }) => ruleId.endsWith(`-rule-${rule}`)), `${rule}: ${sample}`);
      assert(new RegExp(TELLTALES[rule]!).test(sample), `${rule}: ${sample}`);
    }
  }
});

Deno.test("secretlint finds in a file what is told by its telltale", async () => {
  assertEquals(
    (await findBySecretlint(`x = "glpat-${any(20)}"`, "a.py")).map(({ kind }) => kind),
    ["gitlab"],
  );
  assertEquals(await findBySecretlint("x = 1\n", "a.py"), []);
});

Deno.test("a token that says that it is an example is none, wherever its name stands", async () => {
  const key = ["je7MtGbClwBF/2Zp9Utk", "/h3yCo8nvbEXAMPLEKEY"].join("");
  const other = ["je7MtGbClwBF/2Zp9Utk", "/h3yCo8nvbQk7RvTn2sW"].join("");
  for (const name of ["aws_secret_access_key = ", "AWS_SECRET_ACCESS_KEY="]) {
    assertEquals(await findBySecretlint(name + key, "a"), []);
  }
  assertEquals((await findBySecretlint(`AWS_SECRET_ACCESS_KEY=${other}`, "a")).length, 1);
});
