import { assert, assertEquals } from "@std/assert";
import { loadProject, type Project } from "../../../workers/analysis/project.ts";
import { analyseHere } from "../../helpers/analysis.ts";

const FILES = { "server.py": "import deep\n", "deep.py": `x = ${"(".repeat(2000)}1` };

async function load(files: Record<string, string>) {
  let project: Project | undefined;
  const { refused } = await analyseHere(async (input) => {
    project = await loadProject(input);
    return null;
  }, files);
  return { project: project!, refused: refused.map(({ file }) => file) };
}

Deno.test("loadProject() parses the same files once, and refuses the same ones each time", async () => {
  const first = await load(FILES);
  const again = await load({ ...FILES });
  assertEquals([first.refused, again.refused], [["deep.py"], ["deep.py"]]);
  assert(first.project === again.project);
});

Deno.test("loadProject() looks again when a byte, a name or the entrypoint differs", async () => {
  const { project } = await load(FILES);
  const changed = [
    { ...FILES, "server.py": "import deeq\n" },
    { "server.py": FILES["server.py"], "deeq.py": FILES["deep.py"] },
    { "deep.py": FILES["deep.py"], "server.py": FILES["server.py"] },
  ];
  for (const files of changed) assert((await load(files)).project !== project);
});
