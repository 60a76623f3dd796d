import { assertEquals, assertStrictEquals } from "@std/assert";
import { AppError, type ErrorCode, STATUS_OF_CODE } from "../src/errors.ts";

Deno.test("AppError has the status of its code and keeps its cause", () => {
  const cause = new Error("socket closed");
  for (const code of Object.keys(STATUS_OF_CODE) as ErrorCode[]) {
    const error = new AppError(code, "Cannot do it", { cause });
    assertEquals(error.status, STATUS_OF_CODE[code]);
    assertStrictEquals(error.cause, cause);
  }
});
