/**
 * Ways out that name no address: SDKs that report to a service's own host, handlers that send the
 * lines of a log away.
 *
 * @module
 */
import { calleeOf } from "../../python/calls/callee.ts";
import { argumentsOf, type PythonNames } from "../../python/names.ts";
import { nodeTypes } from "../../syntax/node_types.ts";
import { type SourceTree, textOf } from "../../syntax/source_tree.ts";
import { child, walk } from "../../syntax/tree.ts";
import type { ObservedCall } from "../flow/observed.ts";
import { type Destination, destinationsIn, textsOf } from "./destinations.ts";

type Service = readonly [module: RegExp, reports: RegExp, host: string];

/** SDKs by the module that is imported, what of them reports, and whom they report to. */
const SERVICES: readonly Service[] = [
  [
    /^(sentry_sdk|raven)(\.|$)/,
    /(^|\.)(capture_(message|exception|event)|captureMessage|captureException|set_(extra|extras|tag|tags|context|user|attribute|data|measurement)|add_breadcrumb|start_(span|transaction))$/,
    "sentry.io",
  ],
  [/^rollbar(\.|$)/, /(^|\.)report_(message|exc_info)$/, "rollbar.com"],
  [/^bugsnag(\.|$)/, /(^|\.)(notify|leave_breadcrumb|add_metadata|add_tab)$/, "bugsnag.com"],
  [
    /^posthog(\.|$)/,
    /(^|\.)(capture|capture_exception|identify|alias|group_identify|set|tag)$/,
    "posthog.com",
  ],
  [/^mixpanel(\.|$)/, /(^|\.)(track|people_set|people_append|import_data)$/, "mixpanel.com"],
  [/^(segment|analytics)(\.|$)/, /(^|\.)(track|identify|page|screen|group)$/, "segment.com"],
  [/^amplitude(\.|$)/, /(^|\.)(track|identify|log_event|BaseEvent)$/, "amplitude.com"],
  [
    /^newrelic(\.|$)/,
    /(^|\.)(record_(custom_event|log_event|custom_metric)|add_custom_(attributes?|parameters?|span_attribute)|notice_error)$/,
    "newrelic.com",
  ],
  [
    /^(datadog\w*|ddtrace)(\.|$)/,
    /(^|\.)(event|Event\.create|gauge|increment|set_tags?|set_tag_str|submit_log|create_event)$/,
    "datadoghq.com",
  ],
  [
    /^logfire(\.|$)/,
    /(^|\.)(info|debug|warn|error|notice|fatal|trace|log|span|set_attributes?)$/,
    "logfire.pydantic.dev",
  ],
  [
    /^opentelemetry(\.|$)/,
    /(^|\.)(set_attributes?|add_event|record_exception|set_baggage|start_span|start_as_current_span)$/,
    "an OpenTelemetry collector",
  ],
  [/^honeybadger(\.|$)/, /(^|\.)(notify|set_context|event)$/, "honeybadger.io"],
  [
    /^(wandb|mlflow|comet_ml|neptune)(\.|$)/,
    /(^|\.)(log|log_params?|log_text|log_dict|set_tags?|alert)$/,
    "an experiment tracker",
  ],
];

const imported = new WeakMap<PythonNames["imports"], readonly Service[]>();

const firstFolder = (path: string): string => path.includes("/") ? path.split("/", 1)[0]! : "";

/** The SDKs that a module imports: mostly none. */
function servicesOf({ imports, tree }: PythonNames): readonly Service[] {
  let found = imported.get(imports);
  if (found === undefined) {
    // An SDK's own modules are what reports for others.
    const own = firstFolder(tree.path);
    found = SERVICES.filter(([module]) =>
      !module.test(own) && imports.some((each) => module.test(each.module))
    );
    imported.set(imports, found);
  }
  return found;
}

/** Whom a call of a reporting SDK tells what it is given; null for any other call. */
export function reportedTo({ names, node, callee }: ObservedCall): string | null {
  const services = servicesOf(names);
  if (services.length === 0) return null;
  const expression = child(node, "function");
  const name = callee?.name ??
    (expression === null ? "" : textOf(names.tree, expression).slice(-200));
  const found = services.find(([, reports]) => reports.test(name));
  return found === undefined ? null : found[2];
}

const HANDLER =
  /(^|\.)(HTTP|SMTP|SysLog|Socket|Datagram|GELF\w*|Loki\w*|Logstash\w*|AsyncLogstash)Handler$/;
const CALLS = nodeTypes("call");
const handlers = new WeakMap<SourceTree, Destination | null>();

/** The host that a handler of this module sends the lines of logs to; null where none does. */
export function logsGoTo(names: PythonNames): Destination | null {
  const { tree } = names;
  let found = handlers.get(tree);
  if (found === undefined) handlers.set(tree, found = readHandlers(names));
  return found;
}

const CLASSES = nodeTypes("class_definition");
const SENDS = /(^|\.)(post|put|get|request|urlopen|Request|send\w*|publish)$/;

/** The host to which a handler that the module defines sends what it is told. */
function ofOwnHandlers(names: PythonNames): Destination | null {
  for (const cls of walk(names.tree.root, CLASSES)) {
    const bases = child(cls, "superclasses");
    if (bases === null || !/Handler\b/.test(textOf(names.tree, bases))) continue;
    if (!/\bdef (emit|handle|write|flush)\b/.test(textOf(names.tree, cls))) continue;
    for (const call of walk(cls, CALLS)) {
      const callee = child(call, "function")!;
      if (!SENDS.test(textOf(names.tree, callee).slice(-200))) continue;
      const { positional, keywords } = argumentsOf(names.tree, call);
      const texts = [...positional, ...keywords.values()].flatMap((each) => textsOf(names, each));
      const [host] = destinationsIn(texts, { addressesOnly: true });
      if (host !== undefined) return host;
    }
  }
  return null;
}

function readHandlers(names: PythonNames): Destination | null {
  if (!names.tree.text.includes("Handler")) return null;
  const own = ofOwnHandlers(names);
  if (own !== null) return own;
  for (const node of walk(names.tree.root, CALLS)) {
    const callee = child(node, "function");
    if (callee === null) continue;
    const name = calleeOf(names, callee)?.name ?? textOf(names.tree, callee).slice(-200);
    if (!HANDLER.test(name)) continue;
    const { positional, keywords } = argumentsOf(names.tree, node);
    // What mail says besides its server names people.
    const places = [
      positional[0],
      keywords.get("host"),
      keywords.get("mailhost"),
      keywords.get("address"),
      keywords.get("url"),
    ].filter((each) => each !== undefined);
    const texts = places.flatMap((each) => textsOf(names, each));
    const [host] = destinationsIn(texts.map((text) => text.replace(/^([\w.-]+):\d{1,5}$/, "$1")));
    if (host !== undefined) return host;
  }
  return null;
}
