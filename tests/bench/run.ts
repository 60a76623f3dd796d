/**
 * `deno task bench` runs every `*_bench.ts`; `deno task bench NAME …` runs one file of this folder.
 *
 * @module
 */

const [name, ...rest] = Deno.args;
const file = new URL(`${name}.ts`, import.meta.url);
const args = name === undefined
  ? ["bench", "-A", new URL(".", import.meta.url).pathname]
  : ["run", "-A", file.pathname, ...rest];
const { code } = await new Deno.Command(Deno.execPath(), { args }).spawn().status;
Deno.exit(code);
