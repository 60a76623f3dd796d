/**
 * Parking and waking of a host's interpreters: what they need for it is read here, and handed over.
 *
 * @module
 */
import type { Interpreter } from "./interpreter.ts";
import { type InterpreterFiles, packageFile } from "./interpreter_files.ts";
import type { MessageOf } from "./kinds.ts";
import { MAX_PARKED_PLAIN_BYTES } from "./limits.ts";
import { unpackParked } from "./parked_parts.ts";
import type { TO_HOST } from "./messages.ts";

/** Loads Node's compression, which only the host's main module may. */
export type LoadZlib = () => Promise<typeof import("node:zlib")>;

/** A fifth smaller than at the fastest level; nobody waits for it. */
const LEVEL = 5;

/** A parked session as it is kept. */
export async function compressed(load: LoadZlib, plain: Uint8Array): Promise<Uint8Array> {
  const { constants, zstdCompressSync } = await load();
  const params = { [constants.ZSTD_c_compressionLevel]: LEVEL };
  return new Uint8Array(zstdCompressSync(plain, { params }));
}

/** Of what may be anything, as code in a session may have taken its host over. */
async function decompressed(load: LoadZlib, kept: Uint8Array): Promise<Uint8Array<ArrayBuffer>> {
  const { zstdDecompressSync } = await load();
  const plain = zstdDecompressSync(kept, { maxOutputLength: MAX_PARKED_PLAIN_BYTES });
  return new Uint8Array(plain);
}

type Find = () => Interpreter | undefined;

/**
 * Hands a parked session to the interpreter that it wakes in. Which packages and modules it had, its own
 * code may have written: what is not there fails.
 */
export async function wakeInterpreter(
  { files, zlib }: { files: Promise<InterpreterFiles>; zlib: LoadZlib },
  find: Find,
  { image, files: list, packages: own, parked }: Omit<MessageOf<typeof TO_HOST, "wake">, "slot">,
  body: Uint8Array,
): Promise<void> {
  const loaded = await files;
  const { images } = loaded;
  const { head, contents } = unpackParked(await decompressed(zlib, body.subarray(0, parked)));
  const [parts, libraries, ...given] = await Promise.all([
    images.take(image, own),
    images.modules(head.libraries, own),
    ...head.packages.map((name) => Deno.readFile(packageFile(loaded, name, own) ?? "")),
  ]);
  const interpreter = find();
  if (interpreter === undefined) return;
  interpreter.own = own;
  head.packages.forEach((name) => interpreter.given.add(name));
  const code = body.subarray(parked);
  const whole = new Uint8Array(
    contents.length + code.length + given.reduce((sum, { length }) => sum + length, 0),
  );
  let at = 0;
  for (const part of [contents, code, ...given]) {
    whole.set(part, at);
    at += part.length;
  }
  const names = head.packages;
  interpreter.post(
    {
      type: "wake",
      image: parts,
      files: [...list, ...given.map(({ length }, i) => ({ path: names[i]!, bytes: length }))],
      packages: names,
      libraries,
      bytes: contents.length,
    },
    whole,
  );
}
