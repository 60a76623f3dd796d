/** Guides and Python modules, held against the words that the program's texts do without. */
import { assertEquals } from "@std/assert";
import { stumblesIn } from "../lint/english.ts";

const ROOT = new URL("../../", import.meta.url);

/** Repeats what the real library says. */
const LIBRARY = "workers/python/berth_sdk/fastmcp";

async function* filesOf(folder: string, ending: string): AsyncGenerator<string> {
  for await (const { name, isDirectory } of Deno.readDir(new URL(folder, ROOT))) {
    const path = `${folder}${name}`;
    if (path === LIBRARY) continue;
    if (isDirectory) yield* filesOf(`${path}/`, ending);
    else if (path.endsWith(ending)) yield path;
  }
}

/** The prose of a guide by paragraph: no code, which quotes what programs say. */
function paragraphsOf(text: string): string[] {
  return text.replaceAll(/^```[^]*?^```$/gm, "").replaceAll(/`[^`]*`/g, "`x`")
    .split(/\n{2,}/).map((part) => part.replaceAll(/\s+/g, " "));
}

/** The texts of a Python module, those that stand on several lines joined; docstrings are none. */
function pythonTexts(source: string): string[] {
  const texts = source.replaceAll(/"""[^]*?"""/g, "").matchAll(/(?:f?"(?:[^"\\\n]|\\.)*"\s*)+/g);
  return [...texts].map(([text]) => text.replaceAll(/"\s*f?"/g, ""));
}

async function expectPlain(path: string, textsOf: (text: string) => string[]): Promise<void> {
  const text = await Deno.readTextFile(new URL(path, ROOT));
  assertEquals(textsOf(text).flatMap(stumblesIn), [], path);
}

Deno.test("no guide has a word that stumbles", async () => {
  for (const path of ["README.md", "SECURITY.md"]) await expectPlain(path, paragraphsOf);
  for await (const path of filesOf("docs/", ".md")) await expectPlain(path, paragraphsOf);
});

Deno.test("no text of a Python module has a word that stumbles", async () => {
  for await (const path of filesOf("workers/", ".py")) await expectPlain(path, pythonTexts);
});

Deno.test("guides are read by paragraph without their code, modules by text", () => {
  const guide =
    "A sentence that is\nleft as\nit is.\n\n```sh\n# is left as it is\n```\n\n`1 fault(s)`\n";
  assertEquals(paragraphsOf(guide).flatMap(stumblesIn).length, 1);
  const module =
    '"""Not to be had."""\nraise Error(\n    "This is not "\n    f"to be had: {x}"\n)\n';
  assertEquals(pythonTexts(module).flatMap(stumblesIn).length, 1);
});
