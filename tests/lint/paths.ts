/**
 * Paths as the lint rules compare them.
 *
 * @module
 */
const ROOT = new URL("../../", import.meta.url).pathname;

/** The path of `file` below the project's root; as it is when it lies elsewhere. */
export function belowRoot(file: string): string {
  const normal = file.replaceAll("\\", "/");
  return normal.startsWith(ROOT) ? normal.slice(ROOT.length) : normal;
}

/** `source` as imported by `importer`, both below the project's root. */
export function resolve(importer: string, source: string): string {
  const parts = importer.split("/").slice(0, -1);
  for (const part of source.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== ".") parts.push(part);
  }
  return parts.join("/");
}
