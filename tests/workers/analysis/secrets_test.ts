import { assert, assertEquals } from "@std/assert";
import { analyse, type SecretsResult } from "../../../workers/analysis/secrets/mod.ts";
import { mask } from "../../../workers/analysis/secrets/search_file.ts";
import { analyseHere } from "../../helpers/analysis.ts";

/** Made of parts, so that scanners of this repository do not stop at it. */
function made(...parts: string[]): string {
  return parts.join("");
}

const GITHUB = made("ghp", "_w32iijok3nps2rkafmv9gsqr2wthi2vvz44p");
const AWS = made("AKIA", "H7ONY45JF4POYWO2");
const STRIPE = made("sk_", "live_ni7p617ydjmo11m71l54gbys");
const TELEGRAM = made("7213808860", ":AAH1bjqpKKW3maRSPAxzIU-0v6xNuq2-NjM");
const RANDOM = "Zf3D0LXCM3EIMbgJpUNnkRtOfOueHznB";
const KEY_BODY = "MIIEpAIBAAKCAQEA7vX2Jk0nq3wP5TzYh1sRr8uGdQeLxWc9b4mF6oKtNyZaHi";
const PEM = made(
  "-----BEGIN RSA PRIV",
  "ATE KEY-----\n",
  KEY_BODY,
  "\n-----END RSA PRIV",
  "ATE KEY-----\n",
);

async function scan(files: Record<string, string | Uint8Array>) {
  const { result } = await analyseHere<SecretsResult>(analyse, files);
  return result;
}

async function kinds(text: string, path = "src/app.py"): Promise<string[]> {
  const { secrets } = await scan({ [path]: text });
  return secrets.map(({ kind, severity }) => severity === "info" ? `${kind} (info)` : kind);
}

Deno.test("secrets are found by the form of their issuer", async () => {
  assertEquals(await kinds(`token = "${GITHUB}"`), ["github-token"]);
  assertEquals(await kinds(`aws_access_key_id=${AWS}`), ["aws-access-key-id"]);
  assertEquals(await kinds(`# ${STRIPE}`), ["stripe-key"]);
  assertEquals(await kinds(`bot = Bot('${TELEGRAM}')`), ["telegram-token"]);
  assertEquals(await kinds(PEM), ["private-key"]);
  assertEquals(await kinds(JSON.stringify({ private_key: PEM })), ["private-key"]);
});

/** `length` characters of `alphabet` without a pattern, always the same. */
function random(length: number, alphabet = LETTERS + LETTERS.toLowerCase() + DIGITS): string {
  let state = 7;
  return Array.from({ length }, () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return alphabet[(state >> 16) % alphabet.length];
  }).join("");
}
const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
const DIGITS = "0123456789";
const HEX = "0123456789abcdef";

Deno.test("secrets of the commonest services are found without a name", async () => {
  const samples: [string, string][] = [
    ["openai-key", `sk-proj-${random(48)}`],
    ["openai-key", `sk-${random(20)}T3BlbkFJ${random(20)}`],
    ["anthropic-key", `sk-ant-api03-${random(93)}AA`],
    ["huggingface-token", `hf_${random(34, LETTERS.toLowerCase() + LETTERS)}`],
    ["gcp-api-key", `AIza${random(35)}`],
    ["gitlab-token", `glpat-${random(20)}`],
    ["slack-token", `xoxb-${random(12, DIGITS)}-${random(12, DIGITS)}-${random(24)}`],
    ["npm-token", `npm_${random(36)}`],
    ["pypi-token", `pypi-AgEIcHlwaS5vcmc${random(120)}`],
    ["twilio-key", `SK${random(32, HEX)}`],
    ["sendgrid-key", `SG.${random(22)}.${random(43)}`],
    ["digitalocean-token", `dop_v1_${random(64, HEX)}`],
    ["azure-storage-key", `AccountName=a;AccountKey=${random(86)}==`],
    ["azure-client-secret", `${random(3)}8Q~${random(34)}`],
    ["stripe-key", `sk_live_${random(24)}`],
    ["slack-webhook", `https://hooks.slack.com/services/T${random(8)}/B${random(8)}/${random(24)}`],
    ["databricks-token", `dapi${random(32, HEX)}`],
    ["shopify-token", `shpat_${random(32, HEX)}`],
    ["groq-key", `gsk_${random(52)}`],
    ["vault-token", `hvs.${random(90)}`],
    ["age-secret-key", `AGE-SECRET-KEY-1${random(58, "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L")}`],
  ];
  for (const [kind, value] of samples) {
    assertEquals(await kinds(`call("${value}")\n`), [kind], value);
    assertEquals(await kinds(`${value.replace(/[^.:/=;~_-]/g, "x")}\n`), [], "a row of x");
  }
});

Deno.test("secrets are found by their name, in every notation", async () => {
  for (
    const text of [
      `API_TOKEN = "${RANDOM}"`,
      `apiToken := \`${RANDOM}\``,
      `"api_key": "${RANDOM}",`,
      `client_secret: ${RANDOM}`,
      `const token: string = '${RANDOM}';`,
      `var authToken string = "${RANDOM}"`,
      `os.environ.get("SERVICE_API_KEY", "${RANDOM}")`,
      `<token>\n  ${RANDOM}\n</token>`,
      `export SERVICE_SECRET=${RANDOM}`,
      `"source": ["api_key = \\"${RANDOM}\\"\\n"]`,
    ]
  ) assertEquals(await kinds(text), ["generic-api-key"], text);
  assertEquals(await kinds('password = "Tr0ub4dor&3x"'), ["password"]);
  assertEquals(await kinds("db.connect(password='s3cr3t-K1ng!')"), ["password"]);
});

Deno.test("secrets are found in addresses, headers and signed tokens", async () => {
  const address = made("postgresql://app:", "k9Vx2mQ8", "@db.internal:5432/app");
  assertEquals(await kinds(`URL = "${address}"`), ["connection-string"]);
  const header = made("Authorization: Bear", "er 8f3kd92mdk20fj29dk2mfo29dk");
  assertEquals(await kinds(`curl -H "${header}" https://api.acme.dev`), ["authorization"]);
  const part = (value: unknown) =>
    new TextEncoder().encode(JSON.stringify(value))
      .toBase64({ alphabet: "base64url", omitPadding: true });
  const jwt = [part({ alg: "HS256", typ: "JWT" }), part({ sub: "u-77", role: "x" }), RANDOM].join(
    ".",
  );
  assertEquals(await kinds(`session = "${jwt}"`), ["jwt"]);
});

Deno.test("secrets are found where a structure keeps name and value apart", async () => {
  const yaml = (value: string) =>
    `apiVersion: v1\nkind: Secret\nmetadata:\n  name: x\ndata:\n  login: ${value}\n`;
  assertEquals(await kinds(yaml("bU1DVk52b3hRN3ZQ"), "k8s/a.yaml"), ["kubernetes-secret"]);
  assertEquals(await kinds(yaml("Y2hhbmdlbWU="), "k8s/a.yaml"), []);
  assertEquals(await kinds(yaml("bU1DVk52b3hRN3ZQ").replace("Secret", "ConfigMap")), []);
  const xml = (value: string) => `<add key="ClearTextPassword" value="${value}" />`;
  assertEquals(await kinds(xml("k9!Vx2mQ8"), "nuget.config"), ["password"]);
  assertEquals(await kinds(xml("%NUGET_PASSWORD%"), "nuget.config"), []);
});

Deno.test("what a program fills in and what documentation shows are no secrets", async () => {
  for (
    const text of [
      'aws_access_key_id = "AKIAIOSFODNN7EXAMPLE"',
      'aws_secret_access_key = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"',
      'token = "ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"',
      'api_key = "your-api-key-here"',
      'api_key = "YOUR_API_KEY_1234"',
      'api_key = os.environ["API_KEY"]',
      'api_key = os.getenv("API_KEY")',
      "api_key: ${{ secrets.API_KEY }}",
      'api_key = "${API_KEY}"',
      'token = f"{token_prefix}-{uuid4()}"',
      "token = self.settings.token1.value2",
      "password = getpass()",
      'password = "changeme"',
      'password = "password123"',
      'password = "hunter"',
      '"password": "Passwort eingeben"',
      'label_password = "Enter your password"',
      'API_TOKEN = "API_TOKEN"',
      'token_url = "https://acme.dev/oauth/token/v2.0/abc1"',
      'key_file = "/etc/keys/server-2024.pem"',
      "max_tokens = 4096",
      'cache_key = "user:profile:v2:1234"',
      'primary_key = "a8f5f167f44f4964e6c998dee827110c"',
      'public_key = "9Cnzj4p4WGeKLs1Pt8QuKUpRKfFLfRYC9AIKjbJTWit"',
      'token_hash = "a8f5f167f44f4964e6c998dee827110c"',
      'secret = "********"',
      'secret = "xxxxxxxxxxxxxxxx"',
      'KEY = "abcdefghijklmnopqrstuvwxyz0123456789"',
      "postgres://postgres:postgres@localhost:5432/app",
      "https://user:password@example.com/",
      "redis://:${REDIS_PASSWORD}@cache:6379",
      'if "-----BEGIN PRIVATE KEY-----" in text:',
      "sha256:a8f5f167f44f4964e6c998dee827110ca8f5f167f44f4964e6c998dee827110c",
      'commit = "43fc912ef59a83054ea7f6706df4d53a7dea4d80"',
      'client = Client(api_key="bedrock-api-key-test123")',
      'master_key = "ZYXWVUTSRQPONMLKJIHGFEDCBA0987654321"',
      'uuid = "29f63271-dc2f-4734-8221-5b31b5169bac"',
    ]
  ) assertEquals(await kinds(text), [], text);
});

Deno.test("comments that silence scanners silence nothing", async () => {
  for (
    const comment of ["# nosec", "# noqa", "# gitleaks:allow", "# pragma: allowlist secret"]
  ) assertEquals(await kinds(`token = "${GITHUB}"  ${comment}`), ["github-token"], comment);
  const block = `/* secretlint-disable */\nconst a = "${
    made("xox", "b-781236542736-2364535789652-GkwFDQoHqzXDVsC6GzqYUypD")
  }";\n`;
  assertEquals(await kinds(block, "a.js"), ["slack-token"]);
});

Deno.test("a secret is never shown whole, and a short one hardly", async () => {
  const { secrets: [secret] } = await scan({ "a/.env": `X=1\nGITHUB_TOKEN=${GITHUB}\n` });
  assertEquals([secret?.file, secret?.line, secret?.masked], ["a/.env", 2, "ghp_…"]);
  assertEquals([mask("abcdefghijkl"), mask("abcdefg"), mask("abc")], ["abc…", "a…", "…"]);
  assert(!JSON.stringify(secret).includes(GITHUB.slice(5)));
});

Deno.test("the whole archive is searched, and binaries are left out", async () => {
  const line = `token = "${GITHUB}"\n`;
  const utf16 = new Uint8Array([0xff, 0xfe, ...[...line].flatMap((c) => [c.charCodeAt(0), 0])]);
  const binary = new Uint8Array(4000).map((_, i) => i % 7);
  binary.set(new TextEncoder().encode(line), 100);
  const { secrets, files_scanned } = await scan({
    ".env": `TOKEN=${GITHUB}`,
    "app.ipynb": JSON.stringify({ cells: [{ source: [line] }] }),
    "deep/er/notes.txt": line,
    "docs/setup.md": line,
    "image.bin": binary,
    "nul.py": `\0${line}`,
    "windows.txt": utf16,
  });
  const files = secrets.map(({ file }) => file);
  assertEquals(files, [
    ".env",
    "app.ipynb",
    "deep/er/notes.txt",
    "docs/setup.md",
    "nul.py",
    "windows.txt",
  ]);
  assertEquals(files_scanned, 6);
});

Deno.test("tests and documentation may show made-up passwords, not real tokens", async () => {
  for (const path of ["tests/test_app.py", "docs/a.md", "examples/a.py", ".env.example"]) {
    assertEquals(await kinds('password = "Tr0ub4dor&3x"', path), [], path);
    assertEquals(await kinds(`x = "${GITHUB}"`, path), ["github-token"], path);
  }
});

Deno.test("files of settings hold passwords without quotes", async () => {
  assertEquals(await kinds("DB_PASSWORD=correcthorse\n", ".env"), ["password"]);
  assertEquals(await kinds("password: q7Rr-x9Lm\n", "config/app.yaml"), ["password"]);
  assertEquals(await kinds("a_password = pkg.general_password:make_password\n", "setup.cfg"), []);
  assertEquals(await kinds("password = correcthorse\n", "app.py"), []);
});

Deno.test("certificates are for information, key stores are secrets", async () => {
  const certificate = PEM.replaceAll(made("RSA PRIV", "ATE KEY"), "CERTIFICATE");
  assertEquals(await kinds(certificate, "ca.pem"), ["certificate (info)"]);
  const store = new Uint8Array([0x30, 0x82, 0, 1, 2, 3, 0, 0, 0, 0, 0, 0]);
  const { secrets } = await scan({
    "deploy/app.p12": store,
    "tests/app.p12": store,
    "id_rsa": PEM,
  });
  assertEquals(secrets.map(({ kind, severity }) => `${kind} ${severity}`), [
    "key-store critical",
    "private-key critical",
    "key-store info",
  ]);
});

Deno.test("hostile files do not hold the search up", async () => {
  const megabyte = 1_000_000;
  for (
    const text of [
      "token=".repeat(megabyte / 6),
      "a".repeat(megabyte),
      "secret ".repeat(megabyte / 7),
      `password${" ".repeat(megabyte)}=`,
      `${"x".repeat(80)}key`.repeat(megabyte / 83),
      "-----BEGIN RSA PRIVATE KEY-----\n".repeat(megabyte / 32),
      `eyJ${"a".repeat(200)}.`.repeat(megabyte / 204),
      "https://a:".repeat(megabyte / 10),
      `${"curl -u ".repeat(megabyte / 8)}`,
      '"'.repeat(megabyte),
      "\\".repeat(megabyte),
      "AKIA".repeat(megabyte / 4),
      "AAAA".repeat(megabyte / 4),
      "PuTTY-User-Key-File-2: x\n".repeat(megabyte / 25),
      "A1b2-".repeat(megabyte / 5),
      "kind: Secret\ndata:\n  a: b\n".repeat(megabyte / 26),
      'key="password" '.repeat(megabyte / 15),
    ]
  ) {
    const started = performance.now();
    await kinds(text);
    const took = performance.now() - started;
    assert(took < 600_000, `${Math.round(took)} ms for ${text.slice(0, 30)}`);
  }
});
