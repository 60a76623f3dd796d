/**
 * Names of functions as the table of sinks has them.
 *
 * @module
 */
import { byText } from "../../by_text.ts";

/** Modules whose star import brings functions that matter. */
export const STARRED = [
  "os",
  "posix",
  "subprocess",
  "pickle",
  "shutil",
  "builtins",
  "pty",
  "code",
  "importlib",
  "marshal",
];

/** A module by way of another that imports it: `shutil.os.system`, `random._os.system`. */
const BORROWED =
  /^(?!asyncio\.subprocess\.\w+$)[A-Za-z_](?:\w|\.(?!_?(?:os|subprocess|builtins|pty|sys)\.)){0,80}\._?(os|subprocess|builtins|pty|sys)\.(?=\w+$)/;

/** Classes and modules that are used as those of the standard library. */
const SAME: readonly (readonly [as: RegExp, usual: string])[] = [
  [/^(psutil\.Popen|tornado\.process\.Subprocess)$/, "subprocess.Popen"],
  [/^subprocess32\.(?=\w+$)/, "subprocess."],
];

/** A dotted name as sinks have it: built-ins bare, modules by the names that people know. */
export const usual: (name: string) => string = byText((name) => {
  const plain = name.replace(/^\w+\.__self__(?=\.)/, "builtins").replace(BORROWED, "$1.")
    .replace(/^(builtins|__builtins__)\.(?!$)/, "").replace(/^(posix|nt)\.(?!path)/, "os.")
    .replace(
      /^(_frozen_importlib_external|importlib\._bootstrap_external)\.(?=\w*Loader$|FileFinder$)/,
      "importlib.machinery.",
    )
    .replace(/(\.__call__)+$/, "");
  return SAME.reduce((text, [as, meant]) => text.replace(as, meant), plain);
});

/** A module's usual name, also by way of another or of an object: `shutil.os`, `self._os`, `posix`. */
export function usualModule(meaning: string): string {
  const plain = usual(`${meaning}._`);
  return plain === "_" ? "builtins" : plain.replace(/\._$/, "");
}
