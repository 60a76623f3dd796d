/**
 * Code of others that a caller chooses by name: images of containers, models and data sets whose
 * repository brings its own Python.
 *
 * @module
 */
import type { RawFinding } from "../../../finding.ts";
import { valuesOf } from "../../../python/values/assigned.ts";
import { stringValue } from "../../../python/values/literals.ts";
import type { CallArguments, PythonNames } from "../../../python/names.ts";
import { mentions } from "../../../python/reach/mentions.ts";
import { textOf } from "../../../syntax/source_tree.ts";
import { child, named, type SyntaxNode } from "../../../syntax/tree.ts";
import { byText } from "../../../by_text.ts";
import { report } from "../../rule.ts";
import { INJECTION, REMOTE_CODE } from "../flow_rules.ts";
import { toolParameter } from "../labels.ts";
import type { ObservedCall } from "../observed.ts";

/** A function that fetches and runs what its argument names. */
interface Chooser {
  pattern: RegExp;
  /** Positions and keywords of the name. */
  at: readonly (number | string)[];
  /** What is chosen, for people. */
  what: string;
  rule: "process" | "code";
  /** Only with this keyword set, which modules mention. */
  only?: { key: string; mentioned: RegExp };
}

const TRUST = { key: "trust_remote_code", mentioned: /trust_remote_code/ };
const CHOOSERS: readonly Chooser[] = [
  {
    pattern:
      /(^|\.)(docker|podman|client|\w*docker_client)\b.*\.containers\.(run|create)$|^(docker|podman)\b.*\.(create_container|services\.create)$/,
    at: [0, "image"],
    what: "the container image to run",
    rule: "process",
  },
  {
    pattern: /^(docker|podman)\b.*\.(images\.)?build$/,
    at: ["fileobj", "path", "dockerfile", "remote"],
    what: "what a container is built from",
    rule: "code",
  },
  {
    pattern: /(^|\.)(DockerContainer|GenericContainer)$/,
    at: [0, "image"],
    what: "the container image to run",
    rule: "process",
  },
  {
    pattern: /^crontab\.CronTab\(\)\.new$/,
    at: [0, "command"],
    what: "a command that cron runs",
    rule: "process",
  },
  {
    pattern: /(^|\.)from_pretrained$/,
    at: ["custom_pipeline"],
    what: "a pipeline with its own code",
    rule: "code",
  },
  {
    pattern: /./,
    at: [
      0,
      1,
      "model",
      "model_id",
      "model_name",
      "model_name_or_path",
      "pretrained_model_name_or_path",
      "path",
      "repo_id",
      "tokenizer",
    ],
    what: "a model or data set with its own code",
    rule: "code",
    only: TRUST,
  },
];

/** The choosers that a function of this name may be. */
const choosersOf = byText((name) => CHOOSERS.filter(({ pattern }) => pattern.test(name)));

/** The value of a keyword, also one of a table that is unpacked. */
function keywordOf(names: PythonNames, given: CallArguments, key: string): SyntaxNode | undefined {
  const own = given.keywords.get(key);
  if (own !== undefined) return own;
  for (const each of given.positional) {
    if (each.type !== "dictionary_splat") continue;
    const [inner] = named(each);
    if (inner === undefined) continue;
    const tables = inner.type === "dictionary" ? [inner] : valuesOf(names, inner).values;
    for (const pair of tables.flatMap(named)) {
      const name = pair.type === "pair" ? child(pair, "key") : null;
      if (name !== null && stringValue(names.tree.text, name) === key) {
        return child(pair, "value") ?? undefined;
      }
    }
  }
  return undefined;
}

/** A caller's word, or what a request answered, that names code which is fetched and run. */
export function judgeChosenCode(call: ObservedCall): RawFinding | null {
  const { names, node, callee, given, labels } = call;
  const written = callee?.name ?? "";
  for (const { at, what, rule, only } of choosersOf(written)) {
    if (only !== undefined) {
      const set = mentions(names, only.mentioned) ? keywordOf(names, given, only.key) : undefined;
      if (set === undefined || /^(False|None|0)$/.test(textOf(names.tree, set))) continue;
    }
    for (const place of at) {
      const value = typeof place === "number" ? given.positional[place] : given.keywords.get(place);
      if (value === undefined) continue;
      const found = labels(value);
      const parameter = toolParameter(found);
      if (parameter !== null) {
        return report(
          INJECTION[rule],
          names.tree,
          node,
          `Parameter "${parameter}" chooses ${what}`,
        );
      }
      if (found.has("network")) {
        return report(REMOTE_CODE, names.tree, node, `Response data chooses ${what}`);
      }
    }
  }
  return null;
}
