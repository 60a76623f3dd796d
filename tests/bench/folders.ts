/**
 * Folders as analysers get them.
 *
 * @module
 */

/** The regular files below `folder` by relative path, sorted. */
export function filesBelow(folder: string, prefix = ""): Map<string, Uint8Array> {
  const files: [string, Uint8Array][] = [];
  for (const entry of Deno.readDirSync(`${folder}/${prefix}`)) {
    const path = `${prefix}${entry.name}`;
    if (entry.isDirectory) files.push(...filesBelow(folder, `${path}/`));
    else if (entry.isFile) files.push([path, Deno.readFileSync(`${folder}/${path}`)]);
  }
  return new Map(files.sort(([a], [b]) => a < b ? -1 : 1));
}
