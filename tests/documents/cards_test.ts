/** Pictures for previews of links, drawn by a real engine. */
import { assert, assertEquals } from "@std/assert";
import { type Card, createCards } from "../../src/documents/cards.ts";
import { pngOf } from "../../src/documents/png.ts";
import { NO_WALLS } from "../../src/sandbox/walls.ts";
import { createAnalysis } from "../../src/scan/analysis/analysis.ts";
import { silentLog } from "../helpers/database.ts";
import { PATIENCE_MS } from "../helpers/patience.ts";

function card(title: string, text: string, icon: Uint8Array | null = null): Card {
  const badge = { text: "scan passed", color: "#17653a" };
  return { title, text, facts: [`by ${text.slice(0, 80)}`, "3 tools"], badge, icon };
}

const CARDS: Card[] = [
  card("weather", "Weather by city, for Zürich, Αθήνα and Київ 🌦"),
  card("w".repeat(64), "long ".repeat(60)),
  card("</text><script>x</script>", '"><image href="file:///etc/passwd"/>&x;]]>'),
  card("rtl", "\u202eabc مرحبا"),
  card("zalgo", `e${"\u0301".repeat(200)}`),
  card("nul", "a\u0000\ud800\ufffeb"),
  card("icon", "with an icon", pngOf(new Uint8Array(64 * 64 * 4).fill(90), 64)),
  card("broken", "with a broken icon", new Uint8Array(100).fill(7)),
  { title: "", text: "", facts: [], badge: null, icon: null },
];

Deno.test("cards are PNGs of one size, whatever servers say, and are drawn once", async () => {
  const analysis = createAnalysis({
    walls: NO_WALLS,
    log: silentLog,
    processes: 1,
    fileMs: PATIENCE_MS,
  });
  let runs = 0;
  const cards = createCards({
    log: silentLog,
    analysis: { run: (...task) => (runs++, analysis.run(...task)) },
  });
  try {
    for (const one of CARDS) {
      const png = await cards.draw(one);
      assert(png !== null, one.title);
      const view = new DataView(png.buffer);
      assertEquals([view.getUint32(16), view.getUint32(20)], [1200, 630], one.title);
      assert(png.length < 200_000, `${one.title}: ${png.length}`);
      const folder = Deno.env.get("PICTURES");
      if (folder !== undefined) await Deno.writeFile(`${folder}/card-${runs}.png`, png);
    }
    assertEquals(runs, CARDS.length);
    assert(await cards.draw(CARDS[0]!) !== null);
    assertEquals(runs, CARDS.length);
  } finally {
    await analysis.close();
  }
});

Deno.test("a process that lies gives no card, and few are drawn at once", async () => {
  for (const png of ["AAAA", "?", "A".repeat(400_000), 7]) {
    const liar = createCards({
      log: silentLog,
      analysis: {
        run: () => Promise.resolve({ kind: "done", result: { png }, notAnalysable: [] }),
      },
    });
    assertEquals(await liar.draw(CARDS[0]!), null);
  }
  let asked = 0;
  const slow = createCards({
    log: silentLog,
    analysis: { run: () => (asked++, new Promise(() => {})) },
  });
  const waiting = Array.from({ length: 20 }, (_, at) => slow.draw(card(`n${at}`, "x")));
  assertEquals(await waiting.at(-1), null);
  assertEquals(asked, 4);
});
