/**
 * Statements that destroy what a user has: the home folder, or the disk, is deleted or encrypted.
 *
 * @module
 */
import type { RawFinding } from "../../finding.ts";
import { plainValue, valuesOf } from "../../python/values/assigned.ts";
import { foldText } from "../../python/values/folding.ts";
import type { ModuleCall, ModuleNodes } from "../../python/reach/module_nodes.ts";
import type { PythonNames } from "../../python/names.ts";
import { sinkOf } from "../../python/calls/sinks.ts";
import { textOf } from "../../syntax/source_tree.ts";
import { child, type SyntaxNode } from "../../syntax/tree.ts";
import { report, type Rule, rule } from "../rule.ts";

const DESTROYED = rule(
  "py/home-destroyed",
  "critical",
  506,
  "Delete and change only files that the server created",
);

/** Every rule of this module. */
export const DESTROY_RULES: readonly Rule[] = [DESTROYED];

const FOLDERS =
  "(Documents|Desktop|Downloads|Pictures|Photos|Music|Movies|Videos|Library|OneDrive|Dropbox|iCloud)";
/** A path that is a home folder, one that people keep their files in, or a whole disk. */
const OF_USER = new RegExp(
  `^((~|/home/[^/]+|/Users/[^/]+|\\$HOME|\\$\\{HOME\\}|%USERPROFILE%)(/\\*|/${FOLDERS}(/\\*)?)?|/root|/home|/Users|/(etc|usr|var|boot|lib|bin|opt)?(/?\\*)?|[A-Za-z]:/?)$`,
);
const HOME_CALL =
  /^((pathlib\.)?Path\.home\(\)|(os\.path\.)?expanduser\(["']~\/?["']\)|(os\.)?(environ\[["'](HOME|USERPROFILE)["']\]|(getenv|environ\.get)\(["'](HOME|USERPROFILE)["']\)))$/;
const RM =
  /(?:^|[;&|(]\s*|\bsudo\s+)rm\s+(?:-\w+\s+|--\S+\s+)*-\w*[rR]\w*\s+(?:-\S+\s+)*["']?([^\s;&|"']+)/g;
const DISK =
  /\b(mkfs(\.\w+)?\s+\S*\/dev\/|dd\s[^;&|]*\bof=\/dev\/(sd|nvme|hd|vd|disk)|format\s+[cC]:|shred\s[^;&|]*\/dev\/)|:\(\)\s*\{\s*:\|:&\s*\};:/;
const MAX_HOPS = 4;

/** A path as far as the source says it, home folders as `~`; null where it does not say all. */
function statedPath(names: PythonNames, expression: SyntaxNode, hops = 0): string | null {
  const node = plainValue(expression);
  if (hops > MAX_HOPS) return null;
  const of = (each: SyntaxNode | null | undefined) =>
    each === null || each === undefined ? null : statedPath(names, each, hops + 1);
  const folded = foldText(names, node);
  if (folded !== null) return folded;
  if (HOME_CALL.test(textOf(names.tree, node).replace(/\s/g, ""))) return "~";
  if (node.type === "identifier" || node.type === "attribute") {
    const { values } = valuesOf(names, node);
    return values.length === 1 ? of(values[0]) : null;
  }
  if (node.type === "binary_operator" && child(node, "operator")?.type === "/") {
    const [left, right] = [of(child(node, "left")), of(child(node, "right"))];
    return left === null || right === null ? null : `${left}/${right}`;
  }
  if (node.type !== "call") return null;
  const callee = textOf(names.tree, child(node, "function")!);
  const given = child(node, "arguments")?.children.filter(({ type }) => !/^[(),]$/.test(type)) ??
    [];
  if (/(^|\.)(str|Path|expanduser|abspath|realpath|fspath)$/.test(callee) && given.length === 1) {
    return of(given[0]);
  }
  if (!/(^|\.)(join|Path)$/.test(callee)) return null;
  const parts = given.map(of);
  return parts.includes(null) ? null : parts.join("/");
}

function isOfUser(path: string | null): boolean {
  if (path === null) return false;
  const plain = path.replaceAll("\\", "/").replace(/\/{2,}/g, "/");
  return OF_USER.test(plain.length > 1 ? plain.replace(/\/$/, "") : plain);
}

function removed({ callee, given }: ModuleCall, names: PythonNames): boolean {
  const name = callee?.name ?? "";
  const [first] = given.positional;
  if (/^(shutil\.rmtree|send2trash(\.send2trash)?)$/.test(name)) {
    return first !== undefined && isOfUser(statedPath(names, first));
  }
  const kind = sinkOf(name);
  if (first === undefined || (kind !== "shell" && kind !== "process")) return false;
  const words = first.type === "list"
    ? first.children.filter(({ type }) => !/^[\[\],]$/.test(type)).map((each) =>
      statedPath(names, each)
    )
    : [statedPath(names, first)];
  if (words.includes(null)) return false;
  const line = words.join(" ").slice(0, 2000);
  return DISK.test(line) || [...line.matchAll(RM)].some((found) => isOfUser(found[1]!));
}

const WALKS = /^(os\.(walk|scandir|listdir)|os\.fwalk|glob\.i?glob)$/;
const ENCRYPTS = /\.(encrypt|encryptor|update)\(|\bAES\.new\(|Fernet\(|ChaCha20/;
const WRITES = /\.write(_bytes|_text)?\(|\.(rename|replace)\(/;
const DELETES = /\b(os\.(remove|unlink|rmdir)|shutil\.rmtree)\(|\.(unlink|rmdir)\(/;
/** A choice among files is no destruction of all. */
const CHOOSES = /\b(st_mtime|getmtime|st_size|getsize|age|older|days|exclude|dry_run|confirm)\b/;

/** A loop over everything in a home folder that deletes it, or writes it anew encrypted. */
function looped(names: PythonNames, loop: SyntaxNode): boolean {
  const over = child(loop, "right");
  if (over?.type !== "call") return false;
  const callee = child(over, "function");
  if (callee === null) return false;
  const isMethod = callee.type === "attribute" &&
    /^(rglob|glob|walk|iterdir)$/.test(textOf(names.tree, child(callee, "attribute")!));
  const folder = isMethod && !WALKS.test(textOf(names.tree, callee))
    ? child(callee, "object")
    : WALKS.test(textOf(names.tree, callee))
    ? child(over, "arguments")?.children.find(({ type }) => !/^[(),]$/.test(type)) ?? null
    : null;
  if (folder === null || !isOfUser(statedPath(names, folder))) return false;
  const text = textOf(names.tree, loop).slice(0, 5000);
  if (CHOOSES.test(text)) return false;
  const all = !/\.(endswith|suffix|match|fnmatch)\b|glob\(["'](?!\*(\*?\/?\*|\.\*)?["'])/.test(
    text,
  );
  return (WRITES.test(text) && ENCRYPTS.test(text)) || (all && DELETES.test(text));
}

/** Findings of a module. */
export function pythonDestroys(names: PythonNames, nodes: ModuleNodes): RawFinding[] {
  return [
    ...nodes.calls.filter((each) => removed(each, names)).map(({ node }) =>
      report(DESTROYED, names.tree, node, "A home folder or a disk is deleted")
    ),
    ...nodes.of("for_statement").filter((each) => looped(names, each)).map((node) =>
      report(DESTROYED, names.tree, node, "Every file of a home folder is deleted or encrypted")
    ),
  ];
}
