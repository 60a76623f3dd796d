/**
 * OSV records from files: a folder of `.json` files, a `.zip` of them (OSV's bulk download), or
 * one record a line in `.jsonl` or `.jsonl.gz`.
 *
 * @module
 */
import { readZip } from "./zip.ts";

async function* filesBelow(folder: string): AsyncGenerator<string> {
  for await (const entry of Deno.readDir(folder)) {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory) yield* filesBelow(path);
    else if (entry.isFile && entry.name.endsWith(".json")) yield path;
  }
}

async function* linesOf(path: string): AsyncGenerator<string> {
  const file = await Deno.open(path);
  const bytes: ReadableStream<BufferSource> = path.endsWith(".gz")
    ? file.readable.pipeThrough(new DecompressionStream("gzip"))
    : file.readable;
  let rest = "";
  for await (const chunk of bytes.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop()!;
    yield* lines;
  }
  yield rest;
}

/** The unparsed records at `path`. The file is the operator's and so trusted in size. */
export async function* readOsvFiles(path: string): AsyncGenerator<unknown> {
  if ((await Deno.stat(path)).isDirectory) {
    for await (const file of filesBelow(path)) yield JSON.parse(await Deno.readTextFile(file));
  } else if (path.endsWith(".zip")) {
    const bytes = await Deno.readFile(path);
    for (const { content } of readZip(bytes, (name) => name.endsWith(".json"))) {
      yield JSON.parse(new TextDecoder().decode(content));
    }
  } else {
    for await (const line of linesOf(path)) if (line.trim() !== "") yield JSON.parse(line);
  }
}
