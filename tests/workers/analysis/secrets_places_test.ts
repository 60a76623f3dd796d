/**
 * Where programs and settings keep credentials: defaults of variables, options and fields,
 * parameters of addresses, pairs of user and password, files of logins, structures. And what looks
 * like one there and is none.
 *
 * @module
 */
import { assert, assertEquals } from "@std/assert";
import { secretsIn } from "../../../workers/analysis/secrets/search_file.ts";

/** Made of parts, so that scanners of this repository do not stop at them. */
const LINK = ["CBwXRsJ1iLP0QLjYWHV4Rat", "LComUk4vekr3adma28ssMU="].join("");
const K = ["9c1f7e3ab5d24860", "f1e2d3c4b5a69788"].join("");
const P = ["xK9vQ2mZ", "r7LpT4w"].join("");
const M = ["fQ8sT2kLz9XwB4vN", "7rYpH3mJ6cD1gE5a"].join("");
const b = (text: string) => btoa(text);

async function kinds(path: string, text: string): Promise<string[]> {
  const found = await secretsIn(path, text);
  return found.filter(({ severity }) => severity !== "info").map(({ kind }) => kind);
}

/** Path and text; each holds a credential. */
const HELD: [string, string][] = [
  ["a.sh", `API_KEY="\${API_KEY:-${K}}"`],
  ["a.sh", `: "\${API_KEY:=${K}}"`],
  ["a.sh", `run --key "\${OPENWEATHER_API_KEY:-${K}}"`],
  ["a.py", `API_KEY = os.getenv("API_KEY") or "${K}"`],
  ["a.json", `{"token": "7066315721836669461"}`],
  [".env", `TOKEN=7066315721836669461`],
  ["a.py", `API_KEY = os.environ.get("API_KEY", "${K}")`],
  ["a.py", `x = os.environ.get("OPENWEATHER_API_KEY", "${K}")`],
  ["a.py", `x = os.environ.get("OPENWEATHER_API_KEY") or "${K}"`],
  ["a.py", `x = os.getenv("OPENWEATHER_API_KEY", default="${K}")`],
  ["a.py", `x = os.getenv(key="OPENWEATHER_API_KEY", default="${K}")`],
  ["a.py", `x = getenv("DB_PASSWORD", default="${P}")`],
  ["a.py", `x = os.environ.setdefault("OPENWEATHER_API_KEY", "${K}")`],
  ["a.py", `os.environ["OPENWEATHER_API_KEY"] = "${K}"`],
  ["a.py", `os.putenv("OPENWEATHER_API_KEY", "${K}")`],
  ["a.py", `api_key: str = Field(default="${K}", description="key")`],
  ["a.py", `api_key: str = Field("${K}", description="key")`],
  ["a.py", `api_key: SecretStr = SecretStr("${K}")`],
  ["a.py", `api_key: SecretStr = Field(default=SecretStr("${K}"))`],
  ["a.py", `api_key: SecretStr = Field(default_factory=lambda: SecretStr("${K}"))`],
  ["a.py", `api_key: Annotated[str, Field()] = "${K}"`],
  ["a.py", `api_key: Optional[str] = "${K}"`],
  ["a.py", `api_key: str | None = "${K}"`],
  ["a.py", `api_key: str = field(default="${K}")`],
  ["a.py", `KEY = config("API_KEY", default="${K}")`],
  ["a.py", `KEY = config('API_KEY', cast=str, default='${K}')`],
  ["a.py", `KEY = env.str("API_KEY", default="${K}")`],
  ["a.py", `KEY = env("API_KEY", "${K}")`],
  ["a.py", `parser.add_argument("--api-key", default="${K}")`],
  [
    "a.py",
    `parser.add_argument("-k", "--api-key", type=str, help="the key, of course", default="${K}")`,
  ],
  ["a.py", `parser.add_argument("--api-key",\n    type=str,\n    default="${K}",\n)`],
  ["a.py", `@click.option("--token", default="${K}")`],
  ["a.py", `@click.option("--token", "-t", envvar="TOKEN", default="${K}")`],
  ["a.py", `token: str = typer.Option("${K}", "--token")`],
  ["a.py", `token: Annotated[str, typer.Option(envvar="T")] = "${K}"`],
  ["a.py", `def f(api_key="${K}"): pass`],
  ["a.py", `def f(api_key: str = "${K}"): pass`],
  ["a.py", `url = "https://api.x.com/v1/weather?apikey=${K}"`],
  ["a.py", `url = f"https://api.x.com/v1/weather?q={city}&appid=${K}"`],
  ["a.py", `url = f"https://api.x.com/v1/weather?key=${K}&q=1"`],
  ["a.py", `url = "https://api.x.com/v1/weather?q=a&token=${M}"`],
  ["a.py", `url = "https://api.x.com/v1/weather?access_token=${M}"`],
  ["a.py", `url = "https://api.x.com/v1/weather?api_key=" + "${K}"`],
  ...["api_token", "access_key", "secret_key", "app_key", "X-Api-Key", "refresh_token", "apiToken"]
    .map((name): [string, string] => ["a.py", `url = "https://api.x.com/v1?q=a&${name}=${K}"`]),
  ["a.sh", `mysql -h db -ubob -p${P} app`],
  ["a.sh", `mysqldump -u bob -p'${P}' app`],
  ["a.sh", `sshpass -p ${P} ssh bob@host`],
  ["a.sh", `redis-cli -h cache -a ${P} ping`],
  ["a.py", `os.environ["X"]; token = jwt.encode(payload, "${M}", algorithm="HS256")`],
  ["a.js", `const token = jwt.sign(payload, "${M}")`],
  ["a.py", `x = "nvapi-${M}${K}"`],
  ["a.py", `x = "jina_${K}${"aB3dE5gH7jK9mN1pQ3sT5vW7xY9z"}"`],
  ["a.py", `x = "apify_api_${M}aB3d"`],
  ["a.py", `x = "vercel_blob_rw_${M.slice(0, 16)}_${M}"`],
  ["a.py", `x = "EAAG${M}${M}${K}${K}"`],
  ["a.py", `params = {"appid": "${K}", "q": city}`],
  ["a.py", `params = {"key": "${K}", "q": city}`],
  ["a.py", `params = dict(appid="${K}", q=city)`],
  ["a.py", `requests.get(u, auth=("admin", "${P}"))`],
  ["a.py", `requests.get(u, auth=HTTPBasicAuth("admin", "${P}"))`],
  ["a.py", `requests.get(u, auth=httpx.BasicAuth(username="admin", password="${P}"))`],
  ["a.py", `aiohttp.BasicAuth("admin", "${P}")`],
  ["a.py", `headers = {"Authorization": "Bearer ${M}"}`],
  ["a.py", `headers = {"Authorization": f"Token ${K}"}`],
  ["a.py", `headers = {"authorization": "${M}"}`],
  ["a.py", `headers = {"x-api-key": "${K}"}`],
  ["a.py", `headers["X-Api-Key"] = "${K}"`],
  ["a.py", `headers = {"X-RapidAPI-Key": "${M}"}`],
  ["a.py", `s.login("user@corp.com", "${P}")`],
  ["a.py", `psycopg2.connect(host="db", user="u", password="${P}")`],
  ["a.py", `psycopg2.connect("host=db user=u password=${P}")`],
  ["a.py", `create_engine("postgresql://u:${P}@db.corp.com/x")`],
  [".netrc", `machine api.corp.com login bob password ${P}`],
  [".netrc", `machine api.corp.com\n  login bob\n  password ${P}\n`],
  ["_netrc", `machine api.corp.com login bob password ${P}`],
  [".pgpass", `db.corp.com:5432:app:bob:${P}`],
  [".pgpass", `*:*:*:bob:${P}`],
  [".npmrc", `//npm.corp.com/:_authToken=${M}`],
  [".npmrc", `_auth=${b("bob:" + P)}`],
  [".npmrc", `//npm.corp.com/:_password=${b(P)}`],
  [".pypirc", `[pypi]\nusername = bob\npassword = ${P}\n`],
  [".docker/config.json", `{"auths": {"reg.corp.com": {"auth": "${b("bob:" + P)}"}}}`],
  ["config.json", `{"auths": {"reg.corp.com": {"username":"bob","password":"${P}"}}}`],
  ["k.yaml", `env:\n  - name: API_KEY\n    value: ${K}\n`],
  ["k.yaml", `env:\n  - name: "DB_PASSWORD"\n    value: "${P}"\n`],
  ["k.yaml", `env:\n  - value: "${P}"\n    name: DB_PASSWORD\n`],
  ["k.json", `{"env": [{"name": "API_KEY", "value": "${K}"}]}`],
  ["k.yaml", `apiVersion: v1\nkind: Secret\nmetadata:\n  name: a\ndata:\n  password: ${b(P)}\n`],
  ["k.yaml", `apiVersion: v1\nkind: Secret\nmetadata:\n  name: a\nstringData:\n  password: ${P}\n`],
  ["k.yaml", `apiVersion: v1\ndata: {password: ${b(P)}}\nkind: Secret\n`],
  ["k.json", `{"kind": "Secret", "data": {"password": "${b(P)}"}}`],
  ["compose.yaml", `services:\n  db:\n    environment:\n      - POSTGRES_PASSWORD=${P}\n`],
  ["docker-compose.yml", `services:\n  db:\n    environment:\n      POSTGRES_PASSWORD: ${P}\n`],
  ["values.yaml", `auth:\n  rootPassword: ${P}\n`],
  ["values.yaml", `apiKey: "${K}"\n`],
  ["terraform.tfvars", `db_password = "${P}"\n`],
  ["v.tf", `variable "db_password" {\n  type = string\n  default = "${P}"\n}\n`],
  ["v.tf", `variable "api_key" {\n  default = "${K}"\n}\n`],
  ["Dockerfile", `ENV API_KEY=${K}\n`],
  ["Dockerfile", `ENV API_KEY ${K}\n`],
  ["Dockerfile", `ARG DB_PASSWORD=${P}\n`],
  ["a.sh", `export API_KEY=${K}\n`],
  ["a.sh", `API_KEY="\${API_KEY:-${K}}"\n`],
  ["a.yml", `- API_KEY=\${API_KEY:-${K}}\n`],
  ["a.sh", `PGPASSWORD=${P} psql\n`],
  ["a.js", `const key = process.env.API_KEY || "${K}";`],
  ["a.js", `const key = process.env.API_KEY ?? "${K}";`],
  ["a.js", `const apiKey = process.env["X"] || '${K}';`],
  ["a.ts", `apiKey: z.string().default("${K}")`],
  ["config/default.json", `{"apiKey": "${K}", "db": {"password": "${P}"}}`],
  ["settings.sample.yaml", `api_key: ${K}`],
  ["template.py", `API_KEY = "${K}"`],
  ["default_settings.py", `API_KEY = "${K}"`],
  [".env.default", `API_KEY=${K}`],
  [".env.example", `API_KEY=${K}`],
  ["a.py", `db_pass = os.getenv("DB_PASS", "${P}")`],
  ["a.py", `api_key = (\n    os.getenv("API_KEY")\n    or "${K}"\n)`],
  ["a.py", `api_key = kwargs.get("api_key") or "${K}"`],
  ["a.py", `api_key = api_key if api_key else "${K}"`],
  ["a.py", `class Settings(BaseSettings):\n    openweather_api_key: str = "${K}"`],
  ["a.py", `openai.api_key = "${K}"`],
  ["a.py", `api_key = b"${K}"`],
  ["a.cs", `<add key="ApiKey" value="${K}" />`],
  ["mcp.json", `{"args": ["--api-key", "${K}"]}`],
  ["mcp.json", `{"args": ["--api-key=${K}"]}`],
  ["a.ini", `[db]\npassword=${P}\n`],
  ["a.py", `requests.get(u, params=[("apikey", "${K}")])`],
  ["a.py", `headers = [("Accept", "*/*"), ("X-Api-Key", "${K}")]`],
  ["a.py", `api_key = getattr(settings, "API_KEY", "${K}")`],
  ["a.py", `setattr(settings, "db_password", "${P}")`],
  ["a.py", `pymysql.connect("db", "svc", "${P}", "app")`],
  ["a.py", `ftplib.FTP("host", "svc", "${P}")`],
  ["a.py", `keyring.set_password("svc", name, "${P}")`],
  ["a.py", `c.setopt(pycurl.USERPWD, "svc:${P}")`],
  ["a.py", `API_KEY, HOST = "${K}", "api.acme.com"`],
  ["a.py", `(host, password) = ("api.acme.com", "${P}")`],
  ["a.js", `const [host, apiKey] = ["api.acme.com", "${K}"];`],
  ["a.go", `host, apiKey := "api.acme.com", "${K}"`],
  ["compose.yml", `command: redis-server --requirepass ${P}\n`],
  ["a.sh", `deploy --db-password ${P} --yes`],
  ["a.sh", `deploy --api-key '${K}'`],
  ["a.sh", `deploy --token "${M}"`],
  [
    "README.md",
    `[post](https://www.corp.com/item?xsec_source=share&access_token=${LINK}&share=1)`,
  ],
  ["a.py", `url = "http://someone:foobar-k9Vx2mQ8@host.corp.com/"`],
  [
    "a.py",
    `conn = "AccountName=store;AccountKey=Xby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==;"`,
  ],
];

/** Path and text; none holds a credential. */
const NONE: [string, string][] = [
  ["a.sh", `SERVER_SSH_KEY="\${SERVER_SSH_KEY:-$HOME/.ssh/id_ed25519}"`],
  ["a.sh", `API_TOKEN="\${API_TOKEN:-$(cat /run/secrets/api-token-4)}"`],
  ["a.sh", `: "\${DEPLOY_KEY_2:?has-to-be-set-before-2nd-deploy}"`],
  ["Dockerfile", `RUN adduser --disabled-password --gecos '' appuser`],
  ["a.py", `api_key, host = load("settings-2024-01.json")`],
  ["a.py", `user, password = "admin", getpass.getpass("pw-4711: ")`],
  ["a.py", `user, password = "admin", "changeme"`],
  ["a.py", `first, token, rest = line.split("a1b2c3d4e5f6g7h8")`],
  [
    "a.py",
    `choices = [("password", "Password"), ("api_key", "API-Key"), ("token", "OAuth2-Token")]`,
  ],
  ["a.py", `pymysql.connect("db", "svc", password, "app")`],
  ["a.py", `key = getattr(settings, "API_KEY", "your-api-key")`],
  ["a.sh", `deploy --token "$TOKEN" --password \${PASSWORD}`],
  ["a.sh", `deploy --api-key YOUR_API_KEY --password <password>`],
  ["a.sh", `deploy --password-file /run/secrets/db2 --token-url https://x.y/t1`],
  ["a.txt", `  --token TOKEN   the token, see https://x.y/settings/tokens2`],
  ["a.py", `api_key = os.getenv("API_KEY")`],
  ["a.py", `api_key = os.getenv("API_KEY") or ""`],
  ["a.py", `api_key = os.getenv("API_KEY") or "none"`],
  ["a.py", `api_key = os.getenv("API_KEY") or os.getenv("OTHER_API_KEY_NAME2")`],
  ["a.py", `api_key = os.getenv("API_KEY", "your-api-key-1234")`],
  ["a.py", `api_key: str = Field(default="", description="The API key from https://x.y/abc12345")`],
  ["a.py", `parser.add_argument("--api-key", default=None, help="the key a1b2")`],
  ["a.py", `parser.add_argument("--token-limit", default="128000")`],
  ["a.py", `parser.add_argument("--key", default="temperature_2m_max")`],
  [
    "a.py",
    `parser.add_argument("--api-key")\nparser.add_argument("--model", default="gpt-4o-2024-08-06")`,
  ],
  ["a.py", `url = "https://x.y/?key=" + key`],
  ["a.py", `url = f"https://x.y/?apikey={KEY}"`],
  [
    "a.py",
    `url = "https://docs.google.com/d/1BxiMVs0XRA5nFMdKvBdBZjgmUUqptlbs74OgvE2upms/edit?key=value"`,
  ],
  ["a.py", `url = "https://x.y/?key=population_2020&sort=asc"`],
  ["a.py", `url="https://x.y/?token=YOUR_TOKEN_HERE12"`],
  ["a.py", `url="https://x.y/?page_token=CAUQAA1234567890abc&sort_key=created_at_2020"`],
  ["a.py", `url="https://x.y/?api_token=YOUR_API_TOKEN&session=abc123def456&cursor=a1b2c3d4e5f6"`],
  ["a.py", `url="https://x.y/?commit=9fceb02d0ae598e95dc970b74767f19372d61af8&tokens=128000"`],
  ["a.sh", `mysql -u root -ppassword db`],
  ["a.sh", `mysql -u root -p"$DB_PASSWORD" db`],
  ["a.sh", `ssh -p 22022 bob@host; mkdir -p a1b2c3d4/e5f6`],
  ["a.py", `jwt.decode(token, "your-secret-key", algorithms=["HS256"])`],
  ["a.py", `jwt.decode(token, key, algorithms=["HS256"])`],
  ["a.py", `auth=("user", "pass")`],
  ["a.py", `auth=(USER, PASSWORD)`],
  ["a.py", `auth=("api", api_key)`],
  ["a.py", `auth=("", "")`],
  ["a.py", `s = ("name1", "name2value")`],
  ["a.py", `HTTPBasicAuth("username", "password")`],
  ["a.py", `headers = {"Authorization": f"Bearer {token}"}`],
  ["a.py", `headers = {"x-api-key": API_KEY}`],
  [
    "k.yaml",
    `env:\n  - name: API_KEY\n    valueFrom:\n      secretKeyRef:\n        name: a\n        key: b\n`,
  ],
  ["k.yaml", `env:\n  - name: LOG_LEVEL\n    value: debug12345678\n`],
  ["k.yaml", `env:\n  - name: API_KEY\n    value: $(OTHER)\n`],
  [
    "main.bicep",
    `  name: 'registry-password'\n  value: registry.listCredentials().passwords[0].value\n`,
  ],
  ["main.tf", `name = "db-password"\nvalue = random_password.db[0].result\n`],
  ["k.yaml", `env:\n  - name: PASSWORD_FILE\n    value: /run/secrets/a1b2c3\n`],
  [
    "v.tf",
    `variable "db_password" {\n  type = string\n}\nvariable "region" {\n  default = "eu-west-1a-9x8y7z"\n}\n`,
  ],
  ["v.tf", `variable "key_name" {\n  default = "prod-key-2024a"\n}`],
  [".netrc", `machine api.corp.com login bob password \${TOKEN}`],
  ["README.md", `machine api.github.com login you password your-token-here`],
  [".pgpass", `host:port:db:user:password`],
  [".npmrc", `//npm.corp.com/:_authToken=\${NPM_TOKEN}`],
  ["a.yml", `- API_KEY=\${API_KEY:-}`],
  ["a.yml", `- API_KEY=\${API_KEY:?set it}`],
  ["a.sh", `mysql -u root -p db`],
  ["a.py", `print("-password123x")`],
  ["a.py", `token_address = "0xdAC17F958D2ee523a2206206994597C13D831ec7"`],
  ["a.py", `keyword_token = "0x1f8b0800deadbeefcafebabe"`],
  ["a.py", `commit_token = "9fceb02d0ae598e95dc970b74767f19372d61af8"`],
  ["a.py", `sheet_key = "1BxiMVs0XRA5nFMdKvBdBZjgmUUqptlbs74OgvE2upms"`],
  ["a.py", `mint_key = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v"`],
  ["t.json", `{"token":"0x6B175474E89094C44Da98b954EedeAC495271d0F","symbol":"DAI"}`],
  ["a.py", `tx_key = "0x5c504ed432cb51138bcf09aa5e8a410dd4a1e204ef84bfed1be16dfba1b22060"`],
  ["a.py", `pagination_token = "eyJvZmZzZXQiOjEwMH0="`],
  ["a.py", `USDC_TOKEN = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v"`],
  ["a.py", `TOKENS = {"WETH_TOKEN": "0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2"}`],
  ["a.py", `TOKEN_PROGRAM_ID = "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA"`],
  ["a.py", `session_token_id = "3fa85f64-5717-4562-b3fc-2c963f66afa6"`],
  ["a.py", `file_token = "1a2b3c4d-5e6f-4a7b-8c9d-0e1f2a3b4c5d"`],
  ["a.py", `sha256_key = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"`],
  ["a.py", `token_hash = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"`],
  ["a.py", `drive_folder_key = "0B7Hhv3zT9s4bWk9aQ1ZfTnVYc0E"`],
  ["a.py", `nft_token = "0xbc4ca0eda7647a8ab7c2061c2e118a18a936f13d"`],
  ["a.py", `stake_pool_token = "J1toso1uCk3RLmjorhTtrVwY9HJ7X4V9Dh4rLnHrEDSg"`],
  ["a.py", `revision_key = "da39a3ee5e6b4b0d3255bfef95601890afd80709"`],
  ["a.py", `page_token = "CAUQAA1234567890abc"`],
  ["a.py", `trc20_token = "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t"`],
  ["a.py", `params = {"key": "temperature_2m_max_day1"}`],
  ["a.ts", `apiKey: z.string().default("")`],
  ["a.json", `{"name": "API_KEY", "description": "Key from https://a1.b2"}`],
  ["a.json", `{"name": "api_key", "value": "{{api_key}}"}`],
  ["clocks.json", `{"clocks":[{"current_tick":1,"token":7066315721836669461}]}`],
  ["a.py", `@click.option("--token", envvar="GITHUB_TOKEN_V2", help="x1y2z3 token")`],
  [
    "a.py",
    `conn = "AccountName=devstoreaccount1;AccountKey=Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==;"`,
  ],
  [
    "a.yaml",
    `COSMOS_KEY: "C2y6yDjf5/R+ob0N8A7Cgv30VRDJIWEHLM+4QDU5DE2nQ9nDuVTqobD4b8mGGyPMbIZnqyMsEcaGQy67XIw/Jw=="`,
  ],
  // What a link is shared with, and words that stand for any.
  [
    "README.md",
    `[post](https://www.xiaohongshu.com/item/6a22affe?xsec_source=share&xsec_token=${LINK}&share=1)`,
  ],
  ["docs.sql", "SELECT domain('http://foo:foo%41bar@foo.com')"],
  ["a.py", `url = "http://someone:foo-bar-baz@host.corp.com/"`],
];

Deno.test("credentials are found wherever programs and settings keep them", async () => {
  for (const [path, text] of HELD) {
    assert((await kinds(path, text)).length > 0, `${path}: ${text}`);
  }
});

Deno.test("text that only looks like a credential in these places is not reported", async () => {
  for (const [path, text] of NONE) assertEquals(await kinds(path, text), [], `${path}: ${text}`);
});

Deno.test("a credential is reported once, whichever rules meet at it", async () => {
  const text = `x = os.environ.get("SERVICE_API_KEY", default="${K}") or "${K}"`;
  assertEquals((await kinds("a.py", text)).length, 2);
  assertEquals((await kinds("a.py", `requests.get(u, auth=("admin", "${P}"))`)).length, 1);
});

Deno.test("hostile texts take no more time for their length", async () => {
  const parts = [
    "default=",
    'token("',
    "token,(",
    "?key=",
    "auth=(",
    "name: api_key\n",
    'variable "a" { ',
    "password ",
    "a:b:c:d:",
    "ENV A ",
    "value: aaaaaa\n",
    "params={",
    '"--token", ',
  ];
  for (const path of ["a.py", "a.tf", ".netrc", ".pgpass", "Dockerfile"]) {
    for (const part of parts) await secretsIn(path, part.repeat(100_000 / part.length));
  }
});

Deno.test("settings in a folder of made-up credentials hold none, unless the server reads them", async () => {
  const text = `DATABASE_URL=postgresql://app:${
    ["Pr0duct", "10nPw"].join("")
  }@db.acme.io:5432/app\n`;
  assertEquals(await kinds("poc/fake_credentials/.env", text), []);
  assertEquals(await kinds("deploy/.env", text), ["connection-string"]);
  const reached = await secretsIn("poc/fake_credentials/.env", text, true);
  assertEquals(reached.map(({ kind }) => kind), ["connection-string"]);
});
