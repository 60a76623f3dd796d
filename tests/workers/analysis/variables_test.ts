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
