// A script for people prints what it measured.
// deno-lint-ignore-file no-console
/**
 * Recall and precision of stage 4 on labelled texts:
 * `deno run -A tests/bench/secrets_corpus.ts [corpus.jsonl] [--misses]`.
 *
 * @module
 */
import { z } from "zod";
import { secretsIn } from "../../workers/analysis/secrets/search_file.ts";

const Sample = z.object({ kind: z.string(), secret: z.boolean(), text_base64: z.string() });

const file = Deno.args.find((argument) => !argument.startsWith("--")) ??
  "../shared/corpora/secrets.jsonl";
const showMisses = Deno.args.includes("--misses");
const samples = (await Deno.readTextFile(file)).trim().split("\n")
  .map((line) => Sample.parse(JSON.parse(line)));
const counts = { found: 0, missed: 0, false: 0, clean: 0 };
const kinds = new Map<string, { found: number; of: number }>();
const started = performance.now();
for (const { kind, secret, text_base64 } of samples) {
  const text = new TextDecoder().decode(Uint8Array.fromBase64(text_base64));
  const hits = (await secretsIn("src/settings.txt", text)).filter(({ severity }) =>
    severity !== "info"
  );
  const hit = hits.length > 0;
  counts[secret ? hit ? "found" : "missed" : hit ? "false" : "clean"]++;
  if (secret) {
    const entry = kinds.get(kind) ?? { found: 0, of: 0 };
    kinds.set(kind, { found: entry.found + Number(hit), of: entry.of + 1 });
  }
  if (showMisses && hit !== secret) {
    const by = hits.map((one) => one.kind).join();
    console.log(secret ? "missed" : "false ", kind, by, JSON.stringify(text.slice(0, 160)));
  }
}
const { found, missed, false: wrong, clean } = counts;
const percent = (share: number) => `${(share * 100).toFixed(1)} %`;
const macro = [...kinds.values()].reduce((sum, kind) => sum + kind.found / kind.of, 0) / kinds.size;
console.log(`recall ${percent(found / (found + missed))} (${found} of ${found + missed})`);
console.log(`macro recall over ${kinds.size} kinds ${percent(macro)}`);
console.log(`false alarms ${percent(wrong / (wrong + clean))} (${wrong} of ${wrong + clean})`);
console.log(`precision ${percent(found / (found + wrong))}`);
console.log(`${Math.round(performance.now() - started)} ms`);
