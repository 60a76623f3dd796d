/** A node whose operator collects traces, metrics and records of calls. */
import { assert, assertEquals } from "@std/assert";
import { startBerthProcess } from "../helpers/berth_process.ts";
import { registryClient, sendMessage } from "../helpers/clients.ts";
import { preparedDataDir } from "../helpers/data_dir.ts";
import { until } from "../helpers/interpreter.ts";
import { type ReceivedSpan, startTelemetryReceiver } from "../helpers/telemetry_receiver.ts";
import { startWorld, TEXT_TOOLS } from "../helpers/world.ts";

const HEADER_TRACE = "0af7651916cd43dd8448eb211c80319c";
const META_TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
const CALLER = "b7ad6b7169203331";

function attribute({ attributes }: ReceivedSpan, name: string): string | undefined {
  return attributes.find(({ key }) => key === name)?.value.stringValue;
}

Deno.test("traces go from a request to its Python call, and metrics and records say the same", async () => {
  const world = await startWorld();
  const receiver = startTelemetryReceiver();
  const dataDir = await preparedDataDir();
  const berth = await startBerthProcess({
    dataDir,
    environment: {
      ...world.environment,
      WARM_SESSIONS: "1",
      ADMIN_SUBJECTS: "root",
      OTEL_DENO: "true",
      OTEL_SERVICE_NAME: "berth",
      OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
      OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
      OTEL_BSP_SCHEDULE_DELAY: "200",
      OTEL_METRIC_EXPORT_INTERVAL: "500",
    },
  });
  try {
    const call = registryClient(berth.apiUrl, world.issuer.mint);
    const created = await call("POST", "/servers", { user: "ada", body: TEXT_TOOLS });
    assertEquals(created.status, 201, JSON.stringify(created.body));
    const token = await world.issuer.mint({ sub: "ada" });
    const target = { server: "text-tools", session: "traced", token };
    const headers = { traceparent: `00-${HEADER_TRACE}-${CALLER}-01` };
    const count = {
      id: 1,
      method: "tools/call",
      params: { name: "word_count", arguments: { text: "a secret word" } },
    };
    const byHeader = await sendMessage(berth.workerUrl, target, count, headers);
    assertEquals(byHeader.status, 200, JSON.stringify(byHeader.body));
    const meta = { traceparent: `00-${META_TRACE}-${CALLER}-01` };
    await sendMessage(berth.workerUrl, target, {
      ...count,
      id: 2,
      params: { ...count.params, _meta: meta },
    }, headers);
    await sendMessage(berth.workerUrl, target, {
      ...count,
      id: 3,
      params: { name: "word_count", arguments: {} },
    });

    const named = (trace: string, name: string) =>
      receiver.spans.find((span) => span.traceId === trace && span.name === name);
    await until(() =>
      Promise.resolve(
        named(META_TRACE, "python tools/call") !== undefined &&
          named(HEADER_TRACE, "POST /mcp") !== undefined,
      )
    );
    assertEquals([...receiver.services], ["berth"]);
    const request = named(HEADER_TRACE, "POST /mcp")!;
    assertEquals(request.parentSpanId, CALLER);
    const start = named(HEADER_TRACE, "session.start")!;
    assertEquals(start.parentSpanId, request.spanId);
    assertEquals(attribute(start, "berth.result"), "started");
    const tool = named(HEADER_TRACE, "tools/call word_count")!;
    assertEquals(tool.parentSpanId, request.spanId);
    assertEquals(attribute(tool, "gen_ai.tool.name"), "word_count");
    assertEquals(named(HEADER_TRACE, "python tools/call")!.parentSpanId, tool.spanId);
    // What the message says of its trace wins over the connection's, which is linked.
    const linked = named(META_TRACE, "tools/call word_count")!;
    assertEquals(linked.parentSpanId, CALLER);
    assertEquals(linked.links.map(({ traceId }) => traceId), [HEADER_TRACE]);
    assertEquals(named(META_TRACE, "python tools/call")!.parentSpanId, linked.spanId);
    assert(!JSON.stringify(receiver.spans).includes("secret"));

    const lines = berth.log().split("\n").filter((line) => line.includes("http.request"));
    assert(lines.some((line) => line.includes(`"trace_id":"${HEADER_TRACE}"`)), berth.log());

    const calls = () => receiver.metrics.get("berth_calls")?.sum?.dataPoints ?? [];
    await until(() =>
      Promise.resolve(
        calls().some(({ attributes, asInt, asDouble }) =>
          attributes[0]?.value.stringValue === "ok" && Number(asInt ?? asDouble) >= 2
        ),
      )
    );
    assertEquals(receiver.metrics.get("berth_call")?.unit, "s");
    assert(receiver.metrics.get("berth_sessions")?.gauge !== undefined);

    const root = await world.issuer.mint({ sub: "root" });
    const authorization = { Authorization: `Bearer ${root}` };
    const url = `${berth.apiUrl}/admin/calls`;
    let text = "";
    await until(async () => {
      text = await (await fetch(url, { headers: authorization })).text();
      return text.split("\n").length === 4;
    });
    const records = text.trim().split("\n").map((line) => JSON.parse(line));
    assertEquals(
      records.map(({ server, version, tool, user_id, trace_id }) =>
        [server, version, tool, user_id, trace_id].join(" ")
      ).slice(0, 2),
      [HEADER_TRACE, META_TRACE].map((trace) => `text-tools 1.0.0 word_count ada ${trace}`),
    );
    assertEquals(records.map(({ result }) => result === "ok"), [true, true, false]);
    const rest = await fetch(`${url}?after=${records[2].id}`, { headers: authorization });
    assertEquals(await rest.text(), "");

    const status = await (await fetch(`${berth.apiUrl}/admin/status`, { headers: authorization }))
      .json();
    assertEquals([status.sessions.live, status.calls.ok >= 2], [1, true]);
    assertEquals(status.call_records, { stored: 3, dropped: 0 });
    assertEquals(status.checks.database, "ok");
    assertEquals(status.database.kind, "embedded");
  } finally {
    assertEquals(await berth.stop(), 0, berth.log());
    await receiver.close();
    await world.close();
    await Deno.remove(dataDir, { recursive: true });
  }
});
