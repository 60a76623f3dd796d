/**
 * Whether a name is that of a credential.
 *
 * @module
 */

/** `password`: any text; `token`: a random text; `key`: one that only may be a credential. */
export type NameKind = "password" | "token" | "key";

function wordSet(words: string): ReadonlySet<string> {
  return new Set(words.split(" "));
}

const PASSWORD = wordSet(
  "password passwd passphrase pwd pass passwort pw",
);
const TOKEN = wordSet(
  "secret secrets creds token apikey apitoken accesskey authkey credential credentials secretkey " +
    "privatekey authtoken pat authorization",
);
/** Words that make a key a credential. */
const KEY_OF = wordSet(
  "api access secret private auth encryption signing master account service client app " +
    "application consumer license admin subscription deploy ssh signature webhook session " +
    "server integration licence jwt hmac aes crypto rest oauth bot user",
);
/** Words that make a key, or a token, something else. */
const NOT_OF = wordSet(
  "public pub primary foreign sort partition cache row column object map dict index unique " +
    "group bucket kms idempotency translation i18n message routing registry hot shortcut " +
    "schema sequence config query localstorage publishable anon max min num total is has use " +
    "enable enabled disable parent dedup sitekey site pad eos bos unk mask cls sep start stop " +
    "end node tree json data field default hash csrf jsonwebtoken next page continuation " +
    "cancel cancellation syntax keyboard press react element input range authenticity non " +
    "invalid to fake mock dummy sample wrong bogus commit revision sha sha1 sha256 md5 contract " +
    "mint tx transaction program nft erc20 trc20 sheet spreadsheet folder drive file document " +
    "pagination keyword hashed",
);
/** Last words that make the whole name something about a credential. */
const ABOUT = wordSet(
  "url uri urls endpoint path file filename name names id ids length len size count type " +
    "types format prefix suffix header headers field fields param params env var limit limits " +
    "expires expiry expiration ttl at version hash algorithm alg pattern regex label title " +
    "description message error errors policy placeholder hint selector button event class " +
    "style column usage scope scopes issuer audience validator provider manager handler " +
    "factory service store cache bytes budget max min tokens keys method mode required source " +
    "location dir directory ref reference arn list set map code codes state status text " +
    "key_id kind index position pos spec test fingerprint checksum digest sha256 salt " +
    "strength rules rule reset confirm confirmation prompt help doc docs number pair points " +
    "color word words re board frame stroke press pressed down up value_type host port user " +
    "username email domain region results result vault template schema example examples classification info " +
    "details response request client address addresses contract in out",
);

/** The words of a name in lower case: parts between separators, and humps. */
function wordsOf(name: string): string[] {
  return name.replace(/([a-z0-9])([A-Z])/g, "$1 $2").replace(/([A-Z]+)([A-Z][a-z])/g, "$1 $2")
    .toLowerCase().split(/[^a-z0-9]+/).filter((word) => word !== "");
}

/** What kind of credential `name` names, or null for none. */
export function judgeName(name: string): NameKind | null {
  if (/csrf|xsrf|websocket/i.test(name)) return null;
  const words = wordsOf(name);
  const last = words.at(-1);
  if (last === undefined) return null;
  if (ABOUT.has(last) && !(words.length === 1 && TOKEN.has(last))) return null;
  if (words.some((word) => PASSWORD.has(word) || /(?:password|passwd|passwort)$/.test(word))) {
    return "password";
  }
  if (words.some((word) => NOT_OF.has(word))) return null;
  if (words.some((word) => TOKEN.has(word) || /(?:secret|token|apikey)$/.test(word))) {
    return "token";
  }
  if (last === "auth" || words.some((word) => word === "bearer")) return "token";
  if (!/key$/.test(last) || words.length < 2) return null;
  return words.some((word) => KEY_OF.has(word)) ? "token" : last === "key" ? "key" : null;
}
