import { runCli } from "./program.ts";

const encoder = new TextEncoder();

function writeAll(stream: { writeSync(data: Uint8Array): number }, text: string): void {
  let rest = encoder.encode(text);
  while (rest.length > 0) rest = rest.subarray(stream.writeSync(rest));
}

Deno.exit(
  await runCli(Deno.args, {
    out: (text) => writeAll(Deno.stdout, text),
    err: (text) => writeAll(Deno.stderr, text),
  }),
);
