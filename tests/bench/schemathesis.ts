/**
 * Requests that Schemathesis makes up from the OpenAPI document, to a real Berth with records, as a
 * user and as nobody: none is 5xx, none has a status or a body that the document does not have.
 *
 * `TEST_SCHEMATHESIS` is its program (`pip install schemathesis==4.32.5` in a virtual environment).
 * `deno task bench schemathesis [EXAMPLES]`; 30 for each of the operations and each caller are about
 * 2,000 cases. With `TEST_DATABASE_URL` on PostgreSQL, else on the embedded database.
 *
 * @module
 */
import { startBerthProcess } from "../helpers/berth_process.ts";
import { registryClient } from "../helpers/clients.ts";
import { preparedDataDir } from "../helpers/data_dir.ts";
import { createServerDatabase } from "../helpers/database.ts";
import { startWorld, TEXT_TOOLS } from "../helpers/world.ts";

const CHECKS = [
  "not_a_server_error",
  "status_code_conformance",
  "content_type_conformance",
  "response_headers_conformance",
  "response_schema_conformance",
].join(",");
// The issuer's own pages are of a library; deleting the account would end the rest.
const LEFT_OUT = ["/oidc", "/api/v1/auth/me$"];

const program = Deno.env.get("TEST_SCHEMATHESIS");
if (program === undefined) throw new Error("TEST_SCHEMATHESIS must name the program `st`");
const examples = Deno.args[0] ?? "30";
const server = Deno.env.get("TEST_DATABASE_URL");

await using stack = new AsyncDisposableStack();
const world = await startWorld();
stack.defer(() => world.close());
const database = server === undefined ? null : await createServerDatabase(server);
if (database !== null) stack.defer(() => database.drop());
const dataDir = await preparedDataDir();
stack.defer(() => Deno.remove(dataDir, { recursive: true }));
const berth = await startBerthProcess({
  dataDir,
  environment: {
    ...world.environment,
    ...(database === null ? {} : { DATABASE_URL: database.url }),
    BUILD_POLICY: "off",
    WARM_SESSIONS: "0",
    SECRETS_KEY: new Uint8Array(32).fill(9).toBase64(),
  },
});
stack.defer(async () => void await berth.stop());
const created = await registryClient(berth.apiUrl, world.issuer.mint)("POST", "/servers", {
  user: "ada",
  body: TEXT_TOOLS,
});
if (created.status !== 201) throw new Error(JSON.stringify(created.body));

/** @returns Whether it found nothing. */
async function run(header: string[]): Promise<boolean> {
  const { code } = await new Deno.Command(program!, {
    args: [
      "run",
      `${berth.apiUrl}/openapi.json`,
      ...header,
      ...["--checks", CHECKS, "--max-examples", examples, "--seed", "42"],
      ...["--phases", "examples,coverage,fuzzing", "--continue-on-failure"],
      ...["--request-timeout", "120", "--suppress-health-check", "all"],
      ...LEFT_OUT.flatMap((path) => ["--exclude-path-regex", path]),
    ],
    env: { NO_COLOR: "1" },
  }).spawn().status;
  return code === 0;
}

const token = await world.issuer.mint({ sub: "ada" });
const found = [
  await run(["--header", `Authorization: Bearer ${token}`]),
  await run([]),
];
if (found.includes(false)) Deno.exitCode = 1;
