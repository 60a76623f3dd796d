/**
 * Programs that write one file from another: `cp A B`, `mv A B`, `dd if=A of=B`.
 *
 * @module
 */
import type { Argument } from "../../programs/command_lines.ts";

/** A copy: both names mean one content. */
export interface Copy {
  from: Argument;
  to: Argument;
}

const COPIES = /^(cp|mv|ln|install|rsync|gcp|copy|move|ren|xcopy|sudo|busybox|env)$/;
const VALUED = /^(-m|--mode|-o|--owner|-g|--group|-S|--suffix)$/;

/** The value of `if=` or `of=` of dd. */
export function operand(argv: readonly Argument[], name: "if" | "of"): Argument | undefined {
  const found = argv.find(({ text }) => text?.startsWith(`${name}=`));
  return found === undefined ? undefined : { ...found, text: found.text!.slice(3), stated: true };
}

/** What a command line copies. */
export function copiesOf(argv: readonly Argument[]): Copy[] {
  const [first, ...rest] = argv;
  const program = first?.text?.split(/[\\/]/).at(-1) ?? "";
  if (program === "dd") {
    const [from, to] = [operand(argv, "if"), operand(argv, "of")];
    return from === undefined || to === undefined ? [] : [{ from, to }];
  }
  if (!COPIES.test(program)) return [];
  const files = rest.filter(({ text }, at) =>
    text === null || !/^-/.test(text) && !VALUED.test(rest[at - 1]?.text ?? "")
  );
  const [to] = files.slice(-1);
  return to === undefined || files.length < 2
    ? []
    : files.slice(0, -1).map((from) => ({ from, to }));
}

/** What a command line unpacks, and where to. */
export function unpackedBy(argv: readonly Argument[]): { archive: Argument; folder: Argument }[] {
  const [first, ...rest] = argv;
  const program = first?.text?.split(/[\\/]/).at(-1) ?? "";
  const option = /^(bsd|g)?tar$/.test(program)
    ? /^(-C|--directory)$/
    : program === "unzip"
    ? /^-d$/
    : null;
  const at = option === null ? -1 : rest.findIndex(({ text }) => option.test(text ?? ""));
  const folder = rest[at + 1];
  const archive = rest.find((each, index) =>
    each !== folder && index !== at && (each.text === null || /\.\w+$/.test(each.text))
  );
  return at < 0 || folder === undefined || archive === undefined ? [] : [{ archive, folder }];
}
