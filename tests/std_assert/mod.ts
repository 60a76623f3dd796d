/**
 * A stand-in for `@std/assert`, linked in `deno.json` where its registry cannot be reached.
 * It has the functions that Berth's tests use, on `node:assert`. Delete the `links` line to use
 * the real package: no test changes.
 *
 * @module
 */
import nodeAssert from "node:assert";

/** What every failed assertion throws. */
export class AssertionError extends Error {
  /** @param message What was expected and what came. */
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "AssertionError";
  }
}

// deno-lint-ignore no-explicit-any
type Constructor<T> = abstract new (...args: any[]) => T;

function show(value: unknown): string {
  return Deno.inspect(value, { depth: 8, strAbbreviateSize: 2000 });
}

function rethrow(error: unknown, message?: string): never {
  const text = error instanceof Error ? error.message : String(error);
  throw new AssertionError(message === undefined ? text : `${text}: ${message}`);
}

/** Fails unless `expression` is truthy. */
export function assert(expression: unknown, message = ""): asserts expression {
  if (!expression) throw new AssertionError(message || "Expected a truthy value");
}

/** Fails unless `expression` is falsy. */
export function assertFalse(expression: unknown, message = ""): void {
  if (expression) throw new AssertionError(message || "Expected a falsy value");
}

/** Fails unless both values are deeply equal. */
export function assertEquals<T>(actual: T, expected: T, message?: string): void {
  try {
    nodeAssert.deepStrictEqual(actual, expected);
  } catch (error) {
    rethrow(error, message);
  }
}

/** Fails if both values are deeply equal. */
export function assertNotEquals<T>(actual: T, expected: T, message?: string): void {
  try {
    nodeAssert.notDeepStrictEqual(actual, expected);
  } catch (error) {
    rethrow(error, message);
  }
}

/** Fails unless both are the same value by `Object.is`. */
export function assertStrictEquals<T>(
  actual: unknown,
  expected: T,
  message?: string,
): asserts actual is T {
  if (!Object.is(actual, expected)) {
    throw new AssertionError(message ?? `Expected ${show(expected)}, got ${show(actual)}`);
  }
}

/** Fails for null and undefined. */
export function assertExists<T>(actual: T, message?: string): asserts actual is NonNullable<T> {
  if (actual === undefined || actual === null) {
    throw new AssertionError(message ?? "Expected a value, got null or undefined");
  }
}

/** Fails unless `actual` is an instance of `type`. */
export function assertInstanceOf<T>(
  actual: unknown,
  type: Constructor<T>,
  message?: string,
): asserts actual is T {
  if (!(actual instanceof type)) {
    throw new AssertionError(
      message ?? `Expected an instance of ${type.name}, got ${show(actual)}`,
    );
  }
}

/** Fails unless `actual` contains `expected`. */
export function assertStringIncludes(actual: string, expected: string, message?: string): void {
  if (!actual.includes(expected)) {
    throw new AssertionError(message ?? `Expected ${show(actual)} to contain ${show(expected)}`);
  }
}

/** Fails unless `actual` matches `expected`. */
export function assertMatch(actual: string, expected: RegExp, message?: string): void {
  if (!expected.test(actual)) {
    throw new AssertionError(message ?? `Expected ${show(actual)} to match ${expected}`);
  }
}

/** Fails if `actual` matches `expected`. */
export function assertNotMatch(actual: string, expected: RegExp, message?: string): void {
  if (expected.test(actual)) {
    throw new AssertionError(message ?? `Expected ${show(actual)} not to match ${expected}`);
  }
}

/** Fails unless `actual` is greater than `expected`. */
export function assertGreater<T>(actual: T, expected: T, message?: string): void {
  if (!(actual > expected)) {
    throw new AssertionError(message ?? `Expected ${show(actual)} > ${show(expected)}`);
  }
}

/** Fails unless `actual` is less than `expected`. */
export function assertLess<T>(actual: T, expected: T, message?: string): void {
  if (!(actual < expected)) {
    throw new AssertionError(message ?? `Expected ${show(actual)} < ${show(expected)}`);
  }
}

/** Fails unless `actual` holds everything that `expected` holds, at any depth. */
export function assertObjectMatch(
  // deno-lint-ignore no-explicit-any
  actual: Record<PropertyKey, any>,
  expected: Record<PropertyKey, unknown>,
  message?: string,
): void {
  if (!contains(actual, expected)) {
    throw new AssertionError(message ?? `Expected ${show(actual)} to contain ${show(expected)}`);
  }
}

function contains(actual: unknown, expected: unknown): boolean {
  if (typeof expected !== "object" || expected === null) return Object.is(actual, expected);
  if (typeof actual !== "object" || actual === null) return false;
  if (Array.isArray(expected) !== Array.isArray(actual)) return false;
  if (Array.isArray(expected) && expected.length !== (actual as unknown[]).length) return false;
  return Object.entries(expected).every(([key, value]) =>
    contains((actual as Record<string, unknown>)[key], value)
  );
}

function checkError<E extends Error>(
  error: unknown,
  type: Constructor<E> | undefined,
  includes: string | undefined,
): E {
  if (!(error instanceof Error)) {
    throw new AssertionError(`Expected an Error to be thrown, got ${show(error)}`);
  }
  if (type !== undefined) assertInstanceOf(error, type);
  if (includes !== undefined) assertStringIncludes(error.message, includes);
  return error as E;
}

/** Fails unless `body` throws; returns what it threw. */
export function assertThrows<E extends Error = Error>(
  body: () => unknown,
  type?: Constructor<E>,
  includes?: string,
): E {
  try {
    body();
  } catch (error) {
    return checkError(error, type, includes);
  }
  throw new AssertionError("Expected the function to throw");
}

/** Fails unless the promise of `body` is rejected; resolves to what it was rejected with. */
export async function assertRejects<E extends Error = Error>(
  body: () => PromiseLike<unknown>,
  type?: Constructor<E>,
  includes?: string,
): Promise<E> {
  let promise: PromiseLike<unknown>;
  try {
    promise = body();
  } catch (error) {
    throw new AssertionError("Expected a rejected promise, but the function threw", {
      cause: error,
    });
  }
  try {
    await promise;
  } catch (error) {
    return checkError(error, type, includes);
  }
  throw new AssertionError("Expected the promise to be rejected");
}

/** Fails always. */
export function fail(message = "Failed"): never {
  throw new AssertionError(message);
}
