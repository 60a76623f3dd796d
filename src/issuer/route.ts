/**
 * The issuer's own addresses.
 *
 * @module
 */
import type { IssuerRequest } from "./request.ts";

/** One address with what answers it. */
export interface IssuerRoute {
  method: "GET" | "POST";
  /** Below the issuer's path: `/interaction/:uid`; a part with a colon stands for any text. */
  path: string;
  handle(request: IssuerRequest, parameters: Record<string, string>): Promise<Response>;
}

/** The parameters of `path` when it has the form of `pattern`, else null. */
export function matchPath(pattern: string, path: string): Record<string, string> | null {
  const wanted = pattern.split("/");
  const given = path.split("/");
  if (wanted.length !== given.length) return null;
  const parameters: Record<string, string> = {};
  for (const [index, part] of wanted.entries()) {
    const value = given[index]!;
    if (part.startsWith(":")) {
      if (!/^[\w.-]{1,100}$/.test(value)) return null;
      parameters[part.slice(1)] = value;
    } else if (part !== value) return null;
  }
  return parameters;
}
