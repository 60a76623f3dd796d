import { assert, assertEquals } from "@std/assert";
import { load } from "js-yaml";
import { z } from "zod";

const ROOT = new URL("../../", import.meta.url);
const PROMETHEUS = new URL("deploy/prometheus/", ROOT);

const Alerts = z.strictObject({
  groups: z.array(z.strictObject({
    name: z.string(),
    rules: z.array(z.strictObject({
      alert: z.string().regex(/^Berth[A-Z][A-Za-z]+$/),
      expr: z.string(),
      for: z.string().regex(/^\d+m$/).optional(),
      labels: z.strictObject({ severity: z.enum(["critical", "warning"]) }),
      annotations: z.strictObject({ summary: z.string() }),
    })),
  })),
});

const Target = z.object({ refId: z.string(), expr: z.string(), legendFormat: z.string() });
/** What Grafana needs of a dashboard to load it, of schema version 39. */
const Dashboard = z.object({
  title: z.string(),
  uid: z.string().max(40),
  schemaVersion: z.literal(39),
  templating: z.object({ list: z.array(z.looseObject({ name: z.string(), type: z.string() })) }),
  panels: z.array(z.object({
    id: z.int(),
    type: z.enum(["row", "stat", "timeseries"]),
    title: z.string().min(1),
    gridPos: z.strictObject({
      x: z.int().min(0).max(23),
      y: z.int().min(0),
      w: z.int().min(1).max(24),
      h: z.int().min(1),
    }),
    targets: z.array(Target).min(1).optional(),
  })),
});

async function readAlerts() {
  const text = await Deno.readTextFile(new URL("alerts.yaml", PROMETHEUS));
  return Alerts.parse(load(text)).groups.flatMap(({ rules }) => rules);
}

async function readDashboard() {
  return Dashboard.parse(
    JSON.parse(await Deno.readTextFile(new URL("deploy/grafana/berth.json", ROOT))),
  );
}

/** Names of all families that the sources of the metrics listener have. */
async function exposedNames(): Promise<Set<string>> {
  const names = new Set(["up"]);
  for (
    const path of [
      "metrics.ts",
      "operations/families.ts",
      "operations/session_families.ts",
    ]
  ) {
    const source = await Deno.readTextFile(new URL(`src/services/${path}`, ROOT));
    for (const [, name] of source.matchAll(/"((?:berth|process)_[a-z_]+)"/g)) names.add(name!);
  }
  return names;
}

async function expressions(): Promise<string[]> {
  const { panels } = await readDashboard();
  return [
    ...(await readAlerts()).map(({ expr }) => expr),
    ...panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)),
  ];
}

/** Runs Prometheus' own checker; null where it is not installed. */
async function promtool(args: string[]): Promise<string | null> {
  try {
    const command = new Deno.Command("promtool", { args, cwd: PROMETHEUS });
    const { success, stdout, stderr } = await command.output();
    const text = new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr);
    assert(success, text);
    return text;
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
    assert(Deno.env.get("CI") !== "true", "promtool must be installed when CI is true");
    return null;
  }
}

Deno.test("alert rules and dashboard ask only for metrics that there are", async () => {
  const exposed = await exposedNames();
  assert(exposed.size > 40, String(exposed.size));
  const all = await expressions();
  assert(all.length > 35, String(all.length));
  for (const expr of all) {
    const names = expr.replaceAll(/"[^"]*"/g, "").match(/\b(?:berth_|process_|up\b)[a-z_]*/g) ?? [];
    assert(names.length > 0, expr);
    for (const name of names) {
      const family = name.replace(/_(bucket|sum|count)$/, "");
      assert(exposed.has(family), `${name} in ${expr}`);
    }
  }
});

Deno.test("every metric that the guide lists is there, and every one that is there is listed", async () => {
  const guide = await Deno.readTextFile(new URL("docs/observing.md", ROOT));
  const section = guide.slice(guide.indexOf("## Metrics"), guide.indexOf("## Traces"));
  const listed = new Set(
    [...section.matchAll(/`((?:berth|process)_[a-z_]+)`/g)].map(([, name]) => name!),
  );
  const exposed = await exposedNames();
  exposed.delete("up");
  assertEquals([...listed].sort(), [...exposed].sort());
});

Deno.test("Prometheus takes the alert rules, and their examples hold", async () => {
  await promtool(["check", "rules", "alerts.yaml"]);
  await promtool(["test", "rules", "alerts_test.yaml"]);
});

Deno.test("Grafana's dashboard has panels that do not overlap, whose queries Prometheus takes", async () => {
  const { panels, templating } = await readDashboard();
  assertEquals(templating.list.map(({ name }) => name), ["datasource", "instance"]);
  assertEquals(new Set(panels.map(({ id }) => id)).size, panels.length);
  const cells = new Set<string>();
  for (const { title, gridPos: { x, y, w, h } } of panels) {
    assert(x + w <= 24, title);
    for (let column = x; column < x + w; column++) {
      for (let line = y; line < y + h; line++) {
        assert(!cells.has(`${column},${line}`), title);
        cells.add(`${column},${line}`);
      }
    }
  }
  const rules = (await expressions()).map((expr, at) => ({
    record: `berth:check:${at}`,
    expr: expr.replaceAll("$instance", ".*"),
  }));
  const folder = await Deno.makeTempDir();
  try {
    const file = `${folder}/rules.json`;
    await Deno.writeTextFile(file, JSON.stringify({ groups: [{ name: "check", rules }] }));
    await promtool(["check", "rules", file]);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
