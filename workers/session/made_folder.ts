/**
 * Where the images of an interpreter are that its node made: the node writes them, hosts read them.
 *
 * @module
 */

/**
 * The folder beside the interpreter's own (`interpreter`, absolute), which setup checks and replaces
 * as a whole.
 */
export function madeFolderOf(interpreter: string): string {
  const at = interpreter.lastIndexOf("/");
  return `${interpreter.slice(0, at)}/made${interpreter.slice(at)}`;
}
