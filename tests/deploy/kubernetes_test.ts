import { assert, assertEquals } from "@std/assert";
import { loadAll } from "js-yaml";
import { z } from "zod";
import { parseConfig } from "../../src/config.ts";

const ROOT = new URL("../../", import.meta.url);
const PYTHON = Deno.env.get("TEST_HELM_PYTHON");

const Container = z.looseObject({
  name: z.string(),
  image: z.string(),
  env: z.array(z.strictObject({ name: z.string(), value: z.string() })).default([]),
  resources: z.object({
    requests: z.record(z.string(), z.string()),
    limits: z.object({ cpu: z.string(), memory: z.string() }).loose(),
  }),
  securityContext: z.object({
    allowPrivilegeEscalation: z.literal(false),
    readOnlyRootFilesystem: z.literal(true),
    capabilities: z.object({
      drop: z.tuple([z.literal("ALL")]),
      add: z.array(z.string()).optional(),
    }),
    seccompProfile: z.object({ type: z.literal("RuntimeDefault") }),
  }).loose(),
  startupProbe: z.unknown().optional(),
  livenessProbe: z.unknown().optional(),
  readinessProbe: z.unknown().optional(),
});

const StatefulSet = z.object({
  kind: z.literal("StatefulSet"),
  spec: z.looseObject({
    template: z.object({
      spec: z.object({
        automountServiceAccountToken: z.literal(false),
        terminationGracePeriodSeconds: z.int(),
        initContainers: z.array(Container),
        containers: z.tuple([Container]),
      }),
    }),
  }),
});

const Policy = z.object({
  kind: z.literal("NetworkPolicy"),
  spec: z.looseObject({
    policyTypes: z.tuple([z.literal("Ingress"), z.literal("Egress")]),
    egress: z.array(z.object({
      to: z.array(z.looseObject({
        ipBlock: z.object({ cidr: z.string(), except: z.array(z.string()) }).optional(),
      })),
      ports: z.array(z.unknown()).optional(),
    })),
  }),
});

async function manifests(): Promise<{ kind: string }[]> {
  const text = await Deno.readTextFile(new URL("deploy/kubernetes/berth.yaml", ROOT));
  return z.array(z.looseObject({ kind: z.string() })).parse(loadAll(text));
}

async function ofKind<T extends z.ZodType>(schema: T, kind: string): Promise<z.infer<T>> {
  return schema.parse((await manifests()).find((one) => one.kind === kind));
}

async function render(values: string[]): Promise<string> {
  const args = ["tests/helpers/render_chart.py", ...values];
  const { success, stdout, stderr } = await new Deno.Command(PYTHON!, { args, cwd: ROOT }).output();
  assert(success, new TextDecoder().decode(stderr));
  return new TextDecoder().decode(stdout);
}

Deno.test("the manifests have probes, limits and walls, and variables that there are", async () => {
  const { spec: { template: { spec } } } = await ofKind(StatefulSet, "StatefulSet");
  const [berth] = spec.containers;
  for (const probe of [berth.startupProbe, berth.livenessProbe, berth.readinessProbe]) {
    assert(probe !== undefined);
  }
  const environment = Object.fromEntries(berth.env.map(({ name, value }) => [name, value]));
  const known = await Deno.readTextFile(new URL(".env.example", ROOT));
  for (const name of Object.keys(environment)) {
    assert(new RegExp(`^#?${name}=`, "m").test(known), name);
  }
  const config = parseConfig(environment);
  // Enough until sessions are stored (docs/operating.md).
  assert(spec.terminationGracePeriodSeconds >= config.DRAIN_SECONDS + 20);
  const compose = await Deno.readTextFile(new URL("deploy/compose.yaml", ROOT));
  const added = berth.securityContext.capabilities.add!;
  assert(compose.includes(`cap_add: [${added.join(", ")}]`), added.join());
  for (const one of spec.initContainers) {
    assertEquals(one.securityContext.capabilities.add, undefined);
    assertEquals(one.image, berth.image);
  }
});

Deno.test("the network policy lets nothing in the cluster be reached but names, the database and nodes", async () => {
  const { spec: { egress } } = await ofKind(Policy, "NetworkPolicy");
  for (const { to, ports } of egress) {
    for (const { ipBlock } of to) {
      if (ipBlock === undefined) {
        assert((ports ?? []).length > 0, JSON.stringify(to));
        continue;
      }
      const inner = ipBlock.cidr === "::/0"
        ? ["fc00::/7", "fe80::/10"]
        : ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16"];
      for (const network of inner) assert(ipBlock.except.includes(network), network);
    }
  }
});

Deno.test("the manifests scale on sessions, keep one node at least through a disruption, and keep sessions at their node", async () => {
  const all = await manifests();
  const kinds = all.map(({ kind }) => kind).sort();
  assertEquals(kinds, [
    "HorizontalPodAutoscaler",
    "Ingress",
    "Ingress",
    "NetworkPolicy",
    "PodDisruptionBudget",
    "Service",
    "Service",
    "StatefulSet",
  ]);
  const text = JSON.stringify(all);
  assert(text.includes('"metric":{"name":"berth_sessions"}'));
  assert(text.includes('upstream-hash-by":"$http_mcp_session_id"'));
});

Deno.test({
  name: "Helm renders the chart to these manifests, and Kubernetes' schemas take what it renders",
  ignore: PYTHON === undefined && Deno.env.get("CI") !== "true",
  async fn() {
    const committed = await Deno.readTextFile(new URL("deploy/kubernetes/berth.yaml", ROOT));
    assertEquals(await render([]), committed);
    const other = await render([
      "autoscaling.enabled=false",
      "ingress.enabled=false",
      "networkPolicy.enabled=false",
      'runtimeClassName="gvisor"',
      'nodeSelector.pool="berth"',
      'tolerations=[{"key": "berth", "operator": "Exists"}]',
    ]);
    assert(other.includes("replicas: 2") && other.includes("runtimeClassName: gvisor"));
    assert(!other.includes("NetworkPolicy") && !other.includes("Ingress"));
  },
});
