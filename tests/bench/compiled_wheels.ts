// deno-lint-ignore-file no-console -- A script whose output is its result.
/**
 * Packs wheels of a folder and imports each in a session with the packages of all:
 * `deno task bench compiled_wheels FOLDER`, which `pip download --no-deps --only-binary :all:
 * --platform pyemscripten_2026_0_wasm32 --python-version 3.14 --abi cp314 --abi abi3 NAME` fills.
 *
 * @module
 */
import { gunzipSync } from "node:zlib";
import type { GivenPackages } from "../../src/packages/session_packages.ts";
import { readSymbols } from "../../src/packages/symbols.ts";
import { packWheel } from "../../workers/analysis/packages/pack.ts";
import { readWheelName } from "../../workers/analysis/packages/wheel_names.ts";
import {
  callTool,
  openTestHosts,
  server,
  sessionInput,
  testInterpreter,
} from "../helpers/interpreter.ts";

/** By package: an expression that uses what is compiled of it. */
const USES: Record<string, string> = {
  "msgpack": "[msgpack.unpackb(msgpack.packb({'a': [1, 2.5]})), msgpack.Packer.__module__]",
  "xxhash": "[xxhash.xxh64(b'abc').hexdigest(), xxhash.xxh3_128(b'abc').hexdigest()]",
  "uuid-utils":
    "[uuid_utils.uuid7().version, str(uuid_utils.uuid5(uuid_utils.NAMESPACE_DNS, 'x'))]",
  "pydantic-core": "pydantic_core.SchemaValidator({'type': 'int'}).validate_python('5')",
  "jiter": "jiter.from_json(b'[1, {\"a\": null}]')",
  "numpy": "[numpy.linalg.inv([[2.0, 0], [0, 4]]).tolist(), numpy.random.default_rng().random()]",
  "pandas": "pandas.DataFrame({'a': [1, 2]}).a.sum()",
  "lxml": "__import__('lxml.etree').etree.fromstring('<a><b/></a>')[0].tag",
  "pillow": "__import__('PIL.Image').Image.new('RGB', (2, 2)).resize((4, 4)).size",
  "rpds-py": "rpds.HashTrieMap({'a': 1}).insert('b', 2)['b']",
  "regex": "regex.fullmatch(r'\\p{L}+', 'abc').group()",
  "cryptography": "__import__('cryptography.fernet').fernet.Fernet.generate_key()[:0]",
};

const [folder = "."] = Deno.args;
const symbols = new TextDecoder().decode(await readSymbols());
const interpreter = await testInterpreter();
const given: GivenPackages = { told: { installed: [], own: {} }, files: {}, set: null };
const made: string[] = [];
for (const { name: file } of Deno.readDirSync(folder)) {
  const found = readWheelName(file);
  if (found === null) continue;
  const { name, version } = found;
  const packed = packWheel(await Deno.readFile(`${folder}/${file}`), { name, version, symbols });
  if (packed.kind === "refused") {
    console.log(`${name} ${version}: refused, ${packed.reason}`);
    continue;
  }
  const target = `package-bench-${name}`;
  const path = `${interpreter.folder}/${target}`;
  await Deno.writeFile(path, gunzipSync(Uint8Array.fromBase64(packed.content)));
  made.push(path);
  given.files[name] = target;
  given.told.installed.push(name);
  const place = `/lib/packages/${name}`;
  given.told.own[name] = { version, modules: packed.modules, requires: [], place };
}
try {
  await using hosts = await openTestHosts();
  for (const [name, { version, modules }] of Object.entries(given.told.own)) {
    const source = server(`
import ${modules.join(", ")}

@tool
def run() -> str:
    return repr(${USES[name] ?? JSON.stringify("imported")})
`);
    const session = await hosts.open(sessionInput(source, { packages: given }));
    const said = session.load.kind === "loaded"
      ? await callTool(session, "run")
      : JSON.stringify(session.load);
    console.log(`${name} ${version}: ${said}`);
    await session.close();
  }
} finally {
  for (const path of made) await Deno.remove(path);
}
