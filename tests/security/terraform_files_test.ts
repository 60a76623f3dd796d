/**
 * Files of Terraform that a server writes: what it starts of them, and what it only reads.
 *
 * @module
 */
import { assertEquals } from "@std/assert";
import { scan } from "./scanned_servers.ts";
import { startingServer } from "./starting_servers.ts";

/** A tool that writes the version which a registry names into a module, and has Terraform read it. */
const tool = (
  commands: string,
  version = 'httpx.get("https://registry.example/v1/modules").json()["version"]',
): string =>
  startingServer(`def t():
    version = ${version}
    text = 'module "x" {\\n  source = "ns/x/aws"\\n  version = "' + version + '"\\n}\\n'
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "main.tf").write_text(text)
${commands.split("\n").map((each) => `        ${each}`).join("\n")}
    return 1
`);

const rules = async (source: string): Promise<string[]> => {
  const { grave } = await scan({ "server.py": source });
  return grave.map(({ rule }) => rule);
};

const READS: Record<string, string> = {
  "fetches what it names": 'subprocess.run(["terraform", "init", "-backend=false"], cwd=folder)',
  "fetches what it names in another folder":
    'subprocess.run(["terraform", f"-chdir={folder}", "init", "-no-color"])',
  "fetches its modules": 'subprocess.run(["tofu", "get"], cwd=folder)',
  "writes it anew": 'subprocess.run(["terraform", "fmt", "-check"], cwd=folder)',
  "lists its providers": 'subprocess.run(["terraform", "providers"], cwd=folder)',
  "says its version": 'subprocess.run(["terraform", "-version"], cwd=folder)',
};

for (const [what, commands] of Object.entries(READS)) {
  Deno.test(`a module with a version from a registry is data where Terraform ${what}`, async () => {
    assertEquals(await rules(tool(commands)), []);
  });
}

const RUNS: Record<string, string> = {
  "starts its providers":
    'subprocess.run(["terraform", "init"], cwd=folder)\nsubprocess.run(["terraform", "validate"], cwd=folder)',
  "asks its data": 'subprocess.run(["terraform", "plan"], cwd=folder)',
  "applies it": 'subprocess.run(["terraform", "apply", "-auto-approve"], cwd=folder)',
  "applies it in another folder": 'subprocess.run(["tofu", f"-chdir={folder}", "apply"])',
  "asks its providers what they know":
    'subprocess.run(["terraform", "providers", "schema", "-json"], cwd=folder)',
  "does what nobody states":
    'step = os.environ["STEP"]\nsubprocess.run(["terraform", step], cwd=folder)',
  "applies it by a shell": 'os.system("terraform init && terraform apply")',
};

for (const [what, commands] of Object.entries(RUNS)) {
  Deno.test(`a module with a version from a registry is code where Terraform ${what}`, async () => {
    assertEquals((await rules(tool(commands))).includes("py/remote-code"), true);
  });
}

Deno.test("a version that is checked is data, whatever Terraform does with the module", async () => {
  const version = 'httpx.get("https://registry.example/v1/modules").json()["version"]\n' +
    "    if not re.fullmatch(r'[0-9.]+', version):\n        raise ValueError(version)";
  const source = tool('subprocess.run(["terraform", "validate"], cwd=folder)', version);
  assertEquals(await rules(`import re\n${source}`), []);
});
