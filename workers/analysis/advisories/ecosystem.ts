/**
 * Where packages come from, and how they are called there.
 *
 * @module
 */

/** Ecosystems whose manifests are read, by their OSV names. */
export type Ecosystem = "PyPI" | "npm" | "Go" | "crates.io";

/** A package name in its ecosystem's normal form (PEP 503 for Python). */
export function normalName(ecosystem: Ecosystem, name: string): string {
  return ecosystem === "PyPI" ? name.toLowerCase().replace(/[-_.]+/g, "-") : name;
}
