/**
 * Paths under which text in strings of Python modules is analysed.
 *
 * @module
 */

/** No path of an archive has it. */
const SEPARATOR = "\n";

/** The path under which the text of a load is analysed. */
export function embeddedPath(file: string, node: number, index: number): string {
  return `${file}${SEPARATOR}${node}.${index}`;
}

/** The file of the repository that a path stands for. */
export function hostOf(path: string): string {
  const at = path.indexOf(SEPARATOR);
  return at < 0 ? path : path.slice(0, at);
}

/** How deep in other text a path is. */
export function embeddedDepth(path: string): number {
  return path.split(SEPARATOR).length - 1;
}
