/**
 * What a command means that takes the name of a server or a folder.
 *
 * @module
 */

/** Whether `target` is a path, or `.`; a name means a server, whatever is here. */
export function isPath(target: string): boolean {
  return /[/\\]|^\.\.?$/.test(target);
}
