/**
 * How the forms of tokens are written.
 *
 * @module
 */

import type { Severity } from "../finding.ts";

/** One form of token. */
export interface Format {
  kind: string;
  title: string;
  /** Texts of which one must occur, so that most files are not searched for this form. */
  hints: readonly string[];
  /** Global; the group named `secret`, else the whole match, is the credential. */
  pattern: RegExp;
  /** Least entropy, for forms that words may have too. */
  entropy?: number;
  /** Characters at the beginning that every token of this form has and that look made up. */
  fixed?: number;
  /** Nothing else has this form: runs and sequences in it do not make it a placeholder. */
  exact?: boolean;
  /** How bad a leak is; critical unless said. */
  severity?: Severity;
  /** Further facts that a match must have. */
  check?: (value: string) => boolean;
}

/** A pattern of a whole token: nothing that could be part of it before or after. */
export function token(body: string, flags = ""): RegExp {
  return new RegExp(`(?<![\\w-])(?:${body})(?![\\w-])`, `g${flags}`);
}

/** A pattern of a value that is told from others only by a service's name shortly before it. */
export function near(service: string, body: string): RegExp {
  return new RegExp(
    `(?:${service})[\\w.-]{0,30}[\\s"'\`)\\]\\\\]{0,4}(?:string\\s{0,3})?(?:=>|[:?.]{0,3}=|:|>|,)` +
      `[\\s"'\`=\\\\]{0,8}(?<secret>${body})(?![\\w-])`,
    "gi",
  );
}
