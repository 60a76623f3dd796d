/**
 * When a phone shows the first of a page: first contentful paint in Chromium with nothing cached, a
 * quarter of this machine's processor and a slow mobile network, of several registries by turns.
 *
 * `deno run -A tests/bench/first_paint.ts ADDRESS…`; the addresses are those of running registries,
 * such as two versions beside each other. `PATHS` names the pages, separated by spaces.
 *
 * @module
 */
import { startChromium } from "../helpers/chromium.ts";

const ROUNDS = 15;
/** As Chromium's own "slow 4G". */
const NETWORK = {
  offline: false,
  latency: 150,
  downloadThroughput: 1_600_000 / 8,
  uploadThroughput: 750_000 / 8,
};
const SLOWER = 4;

const addresses = Deno.args;
const paths = (Deno.env.get("PATHS") ?? "/ /?q=weather").split(" ");
if (addresses.length === 0) {
  Deno.stderr.writeSync(new TextEncoder().encode("Usage: first_paint.ts ADDRESS…\n"));
  Deno.exit(2);
}

await using browser = await startChromium();

/** Milliseconds until the first contentful paint of a page that nothing is known of. */
async function firstPaint(address: string, path: string): Promise<number> {
  const { page, context } = await browser.open("about:blank", { width: 390 });
  try {
    const devtools = await context.newCDPSession(page);
    await devtools.send("Network.enable");
    await devtools.send("Network.emulateNetworkConditions", NETWORK);
    await devtools.send("Emulation.setCPUThrottlingRate", { rate: SLOWER });
    await page.goto(address + path, { waitUntil: "load" });
    return await page.evaluate<number>(`new Promise((resolve) => {
      const found = (list) => list.find(({ name }) => name === "first-contentful-paint");
      const painted = found(performance.getEntriesByType("paint"));
      if (painted) resolve(painted.startTime);
      else new PerformanceObserver((list) => {
        const entry = found(list.getEntries());
        if (entry) resolve(entry.startTime);
      }).observe({ type: "paint" });
    })`);
  } finally {
    await context.close();
  }
}

for (const path of paths) {
  const times = addresses.map(() => [] as number[]);
  for (let round = 0; round < ROUNDS; round++) {
    for (const [place, address] of addresses.entries()) {
      times[place]!.push(await firstPaint(address, path));
    }
  }
  const medians = times.map((own) => own.toSorted((a, b) => a - b)[ROUNDS >> 1]!.toFixed(0));
  Deno.stdout.writeSync(
    new TextEncoder().encode(`${path}: ${medians.map((median) => `${median} ms`).join(", ")}\n`),
  );
}
