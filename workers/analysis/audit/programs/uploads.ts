/**
 * Files that programs which copy between machines take elsewhere: `scp FILE HOST:`, `aws s3 cp FILE
 * s3://…`, `rclone copy FOLDER REMOTE:`, `gh gist create FILE`.
 *
 * @module
 */
import type { PythonNames } from "../../python/names.ts";
import { labelOfPath, sensitiveFile } from "../flow/sensitive_files.ts";
import { type Argument, startedBy, WRAPPERS } from "./command_lines.ts";

/** How a program is told what to copy and where to. */
interface Copier {
  program: RegExp;
  /** The words between the program and what it copies. */
  command?: RegExp;
  /** What the last word is where it is elsewhere; left out where all words are what is sent. */
  to?: RegExp;
  /** Options before what is sent; left out where plain words are. */
  option?: RegExp;
}

const REMOTE = /^(?![A-Za-z]:[\\/])([\w.-]+\/)?[^/\s]+:|^rsync:\/\//;
const BUCKET = /^(s3|gs|b2|r2|oss|cos):\/\//;
const COPIERS: readonly Copier[] = [
  { program: /^(scp|pscp|rsync)$/, to: REMOTE },
  { program: /^rclone$/, command: /^(copy|copyto|sync|move|moveto|bisync)$/, to: REMOTE },
  { program: /^kubectl$|^oc$/, command: /^(cp|rsync)$/, to: REMOTE },
  { program: /^aws$/, command: /^(cp|mv|sync)$/, to: BUCKET },
  { program: /^aws$/, command: /^put-object$/, option: /^--body$/ },
  { program: /^(gsutil|gcloud)$/, command: /^(cp|mv|rsync)$/, to: BUCKET },
  { program: /^gcloud$/, command: /^scp$/, to: REMOTE },
  { program: /^az$/, command: /^upload(-batch)?$/, option: /^(-f|--file|-s|--source)$/ },
  { program: /^azcopy$/, command: /^(copy|cp|sync)$/, to: /^https?:\/\// },
  { program: /^s3cmd$/, command: /^(put|sync)$/, to: BUCKET },
  { program: /^mc$/, command: /^(cp|mv|mirror)$/, to: /^[\w-]+\/[^/]/ },
  { program: /^gh$/, command: /^(create|upload)$/ },
  { program: /^(croc|wormhole)$/, command: /^send$/ },
  { program: /^(mutt|neomutt|mailx?|s-nail)$/, option: /^-[aA]$/ },
  { program: /^swaks$/, option: /^--?(attach|body|attach-body)$/ },
  { program: /^git$/, command: /^send-email$/ },
  { program: /^(tftp|lftp|sftp|ftp)$/, option: /^(m?put|put)$/ },
];
/** Options whose value is no file that is sent: keys to sign in with, settings, what is left out. */
const VALUED =
  /^(-[ceFiJloPST]|--(rsh|exclude|include|exclude-from|include-from|config|profile|region|password-file|rsync-path|log-file|filter|port|size-only|identity-file|account-name|container-name|context|namespace|container|endpoint-url))$/;
const MAX_WORDS = 40;

/** The folders of users, and those of the whole machine: keys are in them. */
const HOME =
  /^["']?(~[\w.-]*|\$HOME|\$\{HOME\}|%USERPROFILE%|\$env:USERPROFILE|\/(root|home(\/[^/*]+)?|Users(\/[^/*]+)?|etc)?|[A-Za-z]:\\(Users(\\[^\\]+)?)?)[\\/]?(\*|\.)?["']?$/;

/** Folders that hold nothing but settings with keys. */
const KEY_FOLDER =
  /^(~|\/root|\/home\/[^/]+|\/Users\/[^/]+)\/\.(aws|kube|docker|azure|config|config\/gcloud|gnupg|mozilla|claude|codex)\/?\*?$/;

/** Whether a path of a command is that of keys, or of a folder that holds all of a user. */
export function holdsKeys(path: string): boolean {
  const plain = path.replace(/^["']?(\$HOME|\$\{HOME\})/, "~");
  return HOME.test(path) || KEY_FOLDER.test(plain) || labelOfPath(plain) !== null;
}

/** A file that leaves, and where to, for people. */
export interface Upload {
  file: string;
  to: string;
}

function isTaken(names: PythonNames, { node, text, stated }: Argument): boolean {
  if (text !== null) return holdsKeys(text);
  return !stated && sensitiveFile(names, node) !== null;
}

function ofCopier(
  names: PythonNames,
  { command, to, option }: Copier,
  rest: readonly Argument[],
): Upload | null {
  const at = command === undefined
    ? -1
    : rest.slice(0, 6).findIndex(({ text }) => command.test(text ?? ""));
  if (command !== undefined && at < 0) return null;
  const words = rest.slice(at + 1, at + 1 + MAX_WORDS);
  const isValue = (index: number) => VALUED.test(words[index - 1]?.text ?? "");
  const plain = option === undefined
    ? words.filter(({ text }, index) => !isValue(index) && !text?.startsWith("-"))
    : words.filter((_, index) => option.test(words[index - 1]?.text ?? ""));
  const last = to === undefined ? undefined : plain.pop();
  if (to !== undefined && !to.test(last?.text ?? "")) return null;
  const file = plain.find((each) => isTaken(names, each));
  return file === undefined
    ? null
    : { file: file.text ?? "a file with keys", to: last?.text ?? "others" };
}

/** What a command line copies of a user's keys to elsewhere. */
export function uploadedBy(names: PythonNames, argv: readonly Argument[]): Upload | null {
  for (let at = 0; at < Math.min(argv.length, 8); at++) {
    const program = startedBy(names, argv[at]!);
    if (program === null) return null;
    const found = COPIERS.filter((each) => each.program.test(program))
      .map((each) => ofCopier(names, each, argv.slice(at + 1)))
      .find((each) => each !== null);
    if (found !== undefined) return found;
    if (at === 0 && !WRAPPERS.test(program) && program !== "sshpass") return null;
  }
  return null;
}
