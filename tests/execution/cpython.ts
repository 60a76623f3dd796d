/**
 * The same Python script run by the system's Python, with the very wheels that sessions have.
 *
 * @module
 */
import { fileURLToPath } from "node:url";
import { wheelFolder } from "../helpers/python_wheels.ts";

const RUN = `
import glob, json, os, runpy, sys, zipfile
for wheel in glob.glob(sys.argv[1] + "/*.whl"):
    if os.path.basename(wheel).startswith(tuple(sys.argv[5].split())):
        zipfile.ZipFile(wheel).extractall(sys.argv[4])
sys.path.insert(0, sys.argv[4])
print(json.dumps(runpy.run_path(sys.argv[2])["run"](sys.argv[3])))
`;

/** What `run(base)` of a script gives; `wheels` are the first words of the wheels that it needs. */
export async function onCPython(
  script: URL,
  base: string,
  wheels: string[],
): Promise<Record<string, unknown>> {
  const folder = await Deno.makeTempDir();
  try {
    const { stdout, stderr, success } = await new Deno.Command("python3", {
      args: [
        ...["-c", RUN, await wheelFolder(), fileURLToPath(script), base, folder],
        wheels.join(" "),
      ],
      env: { NO_PROXY: "*", no_proxy: "*" },
    }).output();
    if (!success) throw new Error(new TextDecoder().decode(stderr));
    return JSON.parse(new TextDecoder().decode(stdout));
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}
