/**
 * What the calls behind a tool do to the world, and whether its annotations say otherwise.
 *
 * @module
 */
import type { RawFinding, Severity } from "../../finding.ts";
import { textOf } from "../../syntax/source_tree.ts";
import type { ToolDeclaration } from "../../tools/declaration.ts";
import { report, type Rule } from "../rule.ts";
import type { ReachedCall } from "./reached.ts";
import { familyOf } from "./family.ts";
import type { AuditedServer } from "./server.ts";

/** Kinds of effects that annotations speak of. */
type Effect = "changes" | "destroys" | "repeats" | "reaches";

const EFFECTS: Record<string, Record<Effect, RegExp>> = {
  python: {
    changes:
      /^(os\.(system|remove|unlink|rename|replace|rmdir|removedirs)|shutil\.(rmtree|move|copy\w*)|subprocess\.\w+|asyncio\.create_subprocess_\w+|requests\.(post|put|patch|delete)|httpx\.(post|put|patch|delete)|smtplib\.\w+)$|\.(write_text|write_bytes|unlink|rmdir|commit|put_object|sendmail|send_message)$/,
    destroys:
      /^(os\.(remove|unlink|rmdir|removedirs|truncate)|shutil\.rmtree|requests\.delete|httpx\.delete)$|\.(unlink|rmdir|delete_object|delete_one|delete_many|drop_collection|drop_database)$/,
    repeats:
      /^(requests|httpx)\.post$|\.(insert_one|insert_many|send_message|sendmail|append_row)$/,
    reaches:
      /^(requests|httpx)\.\w+$|^(urllib\.request\.\w+|aiohttp\.\w+|socket\.\w+|smtplib\.\w+|boto3\.\w+)$|\.urlopen$/,
  },
  javascript: {
    changes:
      /^((fs|fsp|fs\.promises|fsPromises)\.(write\w*|unlink\w*|rm\w*|append\w*|rename\w*)|writeFile\w*|appendFile\w*|unlink\w*|rmdir|exec(Sync|File|FileSync|Async)?|spawn(Sync)?|child_process\.\w+|execa|axios\.(post|put|patch|delete)|Deno\.(remove\w*|write\w*))$/,
    destroys:
      /^((fs|fsp|fs\.promises|fsPromises)\.(unlink\w*|rm\w*)|unlink\w*|rmdir\w*|rimraf|axios\.delete|Deno\.remove\w*)$|\.(deleteOne|deleteMany|deleteObject|drop)$/,
    repeats: /^(axios\.post|(fs\.|fsp\.)?appendFile\w*)$|\.(insertOne|insertMany|sendMail)$/,
    reaches: /^(fetch|axios(\.\w+)?|got(\.\w+)?|https?\.(get|request)|undici\.\w+)$/,
  },
  go: {
    changes: /^(os\.(Remove\w*|WriteFile|Rename|Create)|exec\.Command\w*|http\.(Post\w*))$/,
    destroys: /^os\.(Remove\w*|Truncate)$/,
    repeats: /^http\.Post\w*$/,
    reaches: /^(http\.(Get|Post\w*|NewRequest\w*)|net\.Dial\w*)$/,
  },
  rust: {
    changes: /^((std::|tokio::)?fs::(write|remove_\w+|rename)|(\w+::)*Command::new)$/,
    destroys: /^(std::|tokio::)?fs::remove_\w+$/,
    repeats: /\bclient\.post$/,
    reaches: /^(reqwest|ureq)::\w+|\bclient\.(get|post|put|delete)$/,
  },
};
/** Calls that take what they do from their arguments. */
const QUERY = /\.(execute|executemany|executescript|query|run|Exec|ExecContext|raw)$/;
const STATEMENTS: Record<Exclude<Effect, "reaches">, RegExp> = {
  changes:
    /["'`]\s*(insert\s+into|update\s+\S+\s+set|delete\s+from|drop\s|truncate\s|alter\s|create\s)/i,
  destroys: /["'`]\s*(delete\s+from|drop\s+(table|database|schema|index)|truncate\s)/i,
  repeats: /["'`]\s*insert\s+into(?![\s\S]*\bon\s+conflict\b)/i,
};
const METHOD: Record<Exclude<Effect, "reaches">, RegExp> = {
  changes:
    /\bmethod\s*:\s*["'`](POST|PUT|PATCH|DELETE)["'`]|^[^,]*(Open|open)\([^)]*,\s*(mode\s*=\s*)?["'](w|a|x|r\+)/i,
  destroys: /\bmethod\s*:\s*["'`]DELETE["'`]|["'`]DELETE["'`]/,
  repeats: /\bmethod\s*:\s*["'`]POST["'`]|\bopen\([^)]*,\s*(mode\s*=\s*)?["']a/,
};
/** Where a search may be a POST, or a file is only a cache or a log. */
const HARMLESS = /graphql|search|query|cache|\blog|\.log\b|tmp|temp/i;

/** Whether a call has an effect, and whether it may yet be harmless. */
function effectOf({ tree, node, name }: ReachedCall, effect: Effect): "sure" | "perhaps" | null {
  const pattern = EFFECTS[familyOf(tree)]?.[effect];
  const text = textOf(tree, node).slice(0, 500);
  const doubt = /(post|POST|open|write\w*|append\w*)\b/.test(name + text.slice(0, 200)) &&
    HARMLESS.test(text);
  if (pattern?.test(name) === true) return doubt ? "perhaps" : "sure";
  if (effect === "reaches") return null;
  if (QUERY.test(name) && STATEMENTS[effect].test(text)) return "sure";
  if (!/^(fetch|open|io\.open|aiofiles\.open|requests\.request|httpx\.request)$/.test(name)) {
    return null;
  }
  return METHOD[effect].test(text) ? doubt ? "perhaps" : "sure" : null;
}

type Hint = "readOnly" | "destructive" | "idempotent" | "openWorld";

interface Contradiction {
  hint: Hint;
  /** The value that is contradicted. */
  value: boolean;
  effect: Effect;
  rule: Rule;
  says: string;
}

const contradiction = (
  hint: Hint,
  value: boolean,
  effect: Effect,
  id: string,
  severity: Severity,
  says: string,
  advice: string,
): Contradiction => ({ hint, value, effect, rule: { id, severity, cwe: 451, advice }, says });

const CONTRADICTIONS: readonly Contradiction[] = [
  contradiction(
    "readOnly",
    true,
    "changes",
    "mcp/read-only-mismatch",
    "medium",
    "read-only",
    "Declare readOnlyHint only for tools that change nothing",
  ),
  contradiction(
    "destructive",
    false,
    "destroys",
    "mcp/destructive-mismatch",
    "medium",
    "not destructive",
    "Declare destructiveHint: true for tools that delete",
  ),
  contradiction(
    "idempotent",
    true,
    "repeats",
    "mcp/idempotent-mismatch",
    "low",
    "idempotent",
    "Declare idempotentHint only where a second call changes nothing more",
  ),
  contradiction(
    "openWorld",
    false,
    "reaches",
    "mcp/closed-world-mismatch",
    "low",
    "closed to the world",
    "Declare openWorldHint: true for tools that contact other machines",
  ),
];

const HINTS: Record<Hint, RegExp> = {
  readOnly: hintPattern("read_?only"),
  destructive: hintPattern("destructive"),
  idempotent: hintPattern("idempotent"),
  openWorld: hintPattern("open_?world"),
};

/** `readOnlyHint: true`, `read_only_hint = true`, `WithReadOnlyHintAnnotation(true)`. */
function hintPattern(word: string): RegExp {
  return new RegExp(
    `${word}_?hint(?:annotation)?["']?\\s*[:=(]\\s*&?(?:\\w+\\.)*(?:\\w+\\()?(true|false)\\b`,
    "i",
  );
}

function hintsOf(server: AuditedServer, { tree, annotations }: ToolDeclaration): string {
  if (annotations === null) return "";
  const text = textOf(tree, annotations).slice(0, 4000);
  // annotations=READ_ONLY
  const [value] = /^[\w.]+$/.test(text)
    ? server.assigned(tree).get(text.split(".").at(-1)!) ?? []
    : [];
  return value === undefined ? text : textOf(tree, value).slice(0, 4000);
}

const MAX_NAMED = 3;

/** Annotations that contradict what a tool's function, or a function that it calls, does. */
export function annotationMismatches(server: AuditedServer): RawFinding[] {
  const findings: RawFinding[] = [];
  for (const tool of server.tools) {
    const hints = hintsOf(server, tool);
    if (hints === "" || tool.body === null) continue;
    const read = (hint: Hint) => HINTS[hint].exec(hints)?.[1]?.toLowerCase();
    const wanted = CONTRADICTIONS.filter(({ hint, value }) => read(hint) === String(value));
    // The destructive hint means nothing beside a read-only one.
    const told = wanted.filter(({ hint }) => hint !== "destructive" || read("readOnly") !== "true");
    if (told.length === 0) continue;
    const calls = server.reached(tool.bodyTree, tool.body);
    for (const { effect, rule, says } of told) {
      const found = calls.map((call) => ({ ...call, sure: effectOf(call, effect) }))
        .filter(({ sure }) => sure !== null);
      if (found.length === 0) continue;
      const names = [
        ...new Set(
          found.map(({ name, tree, node, depth }) =>
            depth === 0 ? name : `${name} (${tree.path}:${tree.lineAt(node.start)})`
          ),
        ),
      ].slice(0, MAX_NAMED);
      findings.push(report(
        rule,
        tool.tree,
        tool.node,
        `Tool "${tool.name.slice(0, 60)}" claims to be ${says} but calls ${names.join(", ")}`,
        found.some(({ sure }) => sure === "sure") ? rule.severity : "low",
      ));
    }
  }
  return findings;
}

/** Every rule of this module. */
export const ANNOTATION_RULES: readonly Rule[] = CONTRADICTIONS.map(({ rule }) => rule);
