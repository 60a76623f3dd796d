/**
 * Holds what a guide shows against what was answered.
 *
 * @module
 */
import { assertEquals } from "@std/assert";

/**
 * Fails unless `real` is what a guide shows: `…` stands for any text, and members that are not
 * shown are not compared.
 */
export function assertShown(shown: unknown, real: unknown, path = "$"): void {
  if (shown === "…") {
    assertEquals(typeof real, "string", path);
  } else if (Array.isArray(shown)) {
    shown.forEach((one, index) =>
      assertShown(one, (real as unknown[])?.[index], `${path}[${index}]`)
    );
  } else if (typeof shown === "object" && shown !== null) {
    for (const [name, value] of Object.entries(shown)) {
      assertShown(value, (real as Record<string, unknown>)?.[name], `${path}.${name}`);
    }
  } else {
    assertEquals(real, shown, path);
  }
}
