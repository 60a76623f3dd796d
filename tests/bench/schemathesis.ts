/**
 * Requests that Schemathesis makes up from the OpenAPI document, to a real Berth with a record: none
 * is 5xx, and none has a status or a body that the document does not have.
 *
 * `TEST_SCHEMATHESIS` is its program (`pip install schemathesis==4.32.5` in a virtual environment).
 * `deno task bench schemathesis [EXAMPLES] [WHO…]` has four runs, or those that are named: `admin`, an
 * administrator with the name of a server, `anywhere`, one with any name, `user`, who may change
 * nothing of others, and `nobody`. With 8 examples for each operation, which is the default, each has
 * about 2,000 cases. With `TEST_DATABASE_URL` on PostgreSQL, else on the embedded database.
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
/** After these the rest would be told that there is nothing, or nobody. */
const LEFT_OUT = ["deleteAccount", "deleteServer", "revokeToken", "revokeAllTokens"];
/** TRACE is not implemented, and says so with 501. */
const CONFIG = `[phases.coverage]
unexpected-methods = ["GET", "POST", "PUT", "PATCH", "DELETE"]
`;

const program = Deno.env.get("TEST_SCHEMATHESIS");
if (program === undefined) throw new Error("TEST_SCHEMATHESIS must name the program `st`");
const [examples = "8", ...chosen] = Deno.args;
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
    ADMIN_SUBJECTS: "ada",
    SECRETS_KEY: new Uint8Array(32).fill(9).toBase64(),
  },
});
stack.defer(async () => void await berth.stop());
const created = await registryClient(berth.apiUrl, world.issuer.mint)("POST", "/servers", {
  user: "ada",
  body: TEXT_TOOLS,
});
if (created.status !== 201) throw new Error(JSON.stringify(created.body));

const folder = await Deno.makeTempDir({ prefix: "berth-schemathesis-" });
stack.defer(() => Deno.remove(folder, { recursive: true }));

/** @returns Whether it found nothing. @param config More of the configuration. */
async function run(header: string[], config = ""): Promise<boolean> {
  const path = `${folder}/schemathesis.toml`;
  await Deno.writeTextFile(path, config + CONFIG);
  const { code } = await new Deno.Command(program!, {
    args: [
      ...["--config-file", path, "run"],
      `${berth.apiUrl}/openapi.json`,
      ...header,
      ...["--checks", CHECKS, "--max-examples", examples, "--seed", "42"],
      ...["--phases", "examples,coverage,fuzzing", "--continue-on-failure"],
      ...["--request-timeout", "120", "--suppress-health-check", "all"],
      ...LEFT_OUT.flatMap((id) => ["--exclude-operation-id", id]),
    ],
    // It keeps what it found there.
    cwd: folder,
    env: { NO_COLOR: "1" },
  }).spawn().status;
  return code === 0;
}

const as = async (sub: string) => [
  "--header",
  `Authorization: Bearer ${await world.issuer.mint({ sub })}`,
];
const known = '[parameters]\n"path.name" = "text-tools"\n';
const runs: Record<string, () => Promise<boolean>> = {
  admin: async () => await run(await as("ada"), known),
  anywhere: async () => await run(await as("ada")),
  user: async () => await run(await as("grace"), known),
  nobody: () => run([], known),
};
for (const name of chosen) {
  if (runs[name] === undefined) throw new Error(`There is no run "${name}"`);
}
for (const [name, start] of Object.entries(runs)) {
  if (chosen.length > 0 && !chosen.includes(name)) continue;
  if (!await start()) Deno.exitCode = 1;
}
