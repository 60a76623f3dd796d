import { assertEquals } from "@std/assert";
import { invalidToken } from "../../src/identity/failures.ts";
import { acceptTokens, type SessionDeps } from "../../src/web/session/tokens.ts";
import { callerOf } from "../helpers/registry.ts";

/** Tokens whose text is the user that they name, then the groups. */
function caller(text: string) {
  const [name, groups] = text.split(":");
  if (name === "opaque") return Promise.reject(invalidToken("It is none"));
  return Promise.resolve(
    callerOf(name!, groups === undefined ? {} : { groups: groups.split(",") }),
  );
}

const DEPS = {
  authenticate: caller,
  authenticateIdentity: caller,
  groups: { clear: () => Promise.resolve() },
} as unknown as SessionDeps;

Deno.test("groups of a sign-in are the access token's, or else the identity token's", async () => {
  const cases: [access: string, identity: string | undefined, groups: string[] | undefined][] = [
    ["jane:a", "jane:b", ["a"]],
    ["jane", "jane:b,c", ["b", "c"]],
    ["jane", "jane", undefined],
    ["jane", undefined, undefined],
    ["opaque", "jane:b", ["b"]],
    // Another user's groups, and those of a token that is not good, are nobody's.
    ["jane", "john:b", undefined],
    ["jane", "opaque:b", undefined],
  ];
  for (const [access_token, id_token, groups] of cases) {
    const answer = { access_token, ...(id_token === undefined ? {} : { id_token }) };
    const accepted = await acceptTokens(DEPS, answer);
    assertEquals(accepted.caller.groups, groups, `${access_token} ${id_token}`);
  }
  // Where no claim is configured, nobody is asked for another token.
  const { groups: _, ...without } = DEPS;
  const plain = { access_token: "jane", id_token: "jane:b" };
  assertEquals((await acceptTokens(without, plain)).caller.groups, undefined);
});
