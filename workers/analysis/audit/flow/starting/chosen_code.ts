/**
 * Code of others that a caller chooses by name: images of containers, models and data sets whose
 * repository brings its own Python.
 *
 * @module
 */
import type { RawFinding } from "../../../finding.ts";
import { byText } from "../../../by_text.ts";
import { mentions } from "../../../python/reach/mentions.ts";
import { textOf } from "../../../syntax/source_tree.ts";
import { keywordOf } from "../../programs/given_input.ts";
import { RUN_KEY } from "../../programs/programs.ts";
import { shellText } from "../../programs/shell_words.ts";
import { report } from "../../rule.ts";
import { isHostileStart } from "../files/autostart.ts";
import { START } from "../files/said.ts";
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
  /** Only in modules that say this. */
  saidBy?: RegExp;
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
    pattern: /(^|\.)(new|set_command)$/,
    at: ["command", 0],
    what: "a command that cron runs",
    rule: "process",
    saidBy: /\bCronTab\b/,
  },
  {
    pattern: /^winreg\.SetValue(Ex)?$/,
    at: [3, 4],
    what: "a program that Windows starts",
    rule: "process",
    saidBy: RUN_KEY,
  },
  {
    pattern: /^sys\.path\.(insert|append|extend)$|^site\.addsitedir$/,
    at: [1, 0],
    what: "the folder that modules are imported from",
    rule: "code",
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

/** A caller's word, or what a request answered, that names code which is fetched and run. */
export function judgeChosenCode(call: ObservedCall): RawFinding | null {
  const { names, node, callee, given, labels } = call;
  const written = callee?.name ?? "";
  for (const { at, what, rule, only, saidBy } of choosersOf(written)) {
    if (saidBy !== undefined && !mentions(names, saidBy)) continue;
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
      if (saidBy !== undefined && isHostileStart(shellText(names, value))) {
        return report(START, names.tree, node, `Downloaded data is ${what}`);
      }
      if (found.has("network")) {
        return report(REMOTE_CODE, names.tree, node, `Response data chooses ${what}`);
      }
    }
  }
  return null;
}
