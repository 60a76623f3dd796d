/**
 * Credentials that their issuers publish in documentation and that everybody copies. Kept as
 * digests, so that this file is no find itself.
 *
 * @module
 */
import { createHash } from "node:crypto";

/** The first 16 hexadecimal digits of the SHA-256 digest of each. */
const DIGESTS: ReadonlySet<string> = new Set([
  // Keys of the published examples of Firebase.
  "27a9a42931dff7eb",
  "49f777db995e8260",
  "a6c814bc555ae62c",
  "8731261cb72d8626",
  "37f8f09bdf12c2f2",
  "eb540d2b6ee2a0a4",
  "2037abcaffb2b777",
  "3a8b61d0f636b007",
  "4c98242dcadc8b29",
  "ea9bb1082cf95663",
  "3f370c9dd8225c63",
  "a19f89ab3555eac1",
  "e4a5542bb7fd7b67",
  "dc0fcf046c61640c",
  "f56e323494a6ffc2",
  "0b476bdf9acf2123",
  // Passwords of the reference of nuget.config.
  "dba72c00f41f4e4c",
  "a0702bc91d699f60",
  // The search key of a documentation site that many copied.
  "2f21fd9c81678e39",
  // The client of a vendor's examples.
  "7f39f45767958338",
  // Values of RFC 6455 and RFC 7617.
  "15cef4b629cc2d07",
  "24b6d840b1dffbed",
  "cf4d418ed3de92d7",
  "7b95c91398cb469d",
  // Tokens of frameworks' documentation.
  "b9904b8ed45bc574",
  "5cc1e9113bbaa704",
]);

/** Whether `value` is a sample key from public documentation. */
export function isPublished(value: string): boolean {
  return DIGESTS.has(createHash("sha256").update(value).digest("hex").slice(0, 16));
}
