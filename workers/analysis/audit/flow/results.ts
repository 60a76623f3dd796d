/**
 * What functions of Python leave of their arguments in their results.
 *
 * @module
 */
import { madeNames } from "../../python/calls/made.ts";
import type { PythonNames } from "../../python/names.ts";
import { textOf } from "../../syntax/source_tree.ts";
import { child, type SyntaxNode } from "../../syntax/tree.ts";

/** Results that are no longer the caller's text: numbers, truth, quoted or checked words. */
export const CLEAN =
  /^(int|float|bool|len|ord|hash|abs|round|sum|isinstance|id|type|range|uuid\.UUID|os\.path\.exists|os\.path\.isfile|os\.path\.isdir|hashlib\.\w+|hmac\.\w+|datetime\..*|date\.fromisoformat|ipaddress\..*)$/;
/** The same, but that a secret stays one. */
export const QUOTED =
  /^(shlex\.quote|pipes\.quote|re\.escape|os\.path\.basename|secure_filename|werkzeug\.utils\.secure_filename|urllib\.parse\.quote|urllib\.parse\.quote_plus)$/;
/** Methods of the same kind. */
export const CLEAN_METHOD =
  /\.(isalnum|isdigit|isnumeric|isidentifier|startswith|endswith|exists|is_file|is_dir|count|index|find|hexdigest|digest)$/;
/** Calls that undo an encoding. */
export const DECODE =
  /^(base64\.(b64decode|b32decode|b16decode|b85decode|a85decode|urlsafe_b64decode|decodebytes)|bytes\.fromhex|binascii\.(unhexlify|a2b_base64)|codecs\.decode|zlib\.decompress|bz2\.decompress|lzma\.decompress|gzip\.decompress|marshal\.loads)$/;
/** Calls whose result is what somebody else answers. */
const FETCH =
  /^(requests\.(get|post|put|request|[sS]ession\(\)\.(get|post|put|request))|httpx\.((Async)?Client\(\)\.)?(get|post|put|request|stream|send)|aiohttp\.(ClientSession\(\)\.)?(get|post|put|request)|urllib3\.(PoolManager\(\)\.)?(request|urlopen)|urllib\.request\.(urlopen|build_opener\(\)\.open)|http\.client\.HTTPS?Connection\(\)\.getresponse|socket\.(socket|create_connection)\(\)\.recv\w*|websockets?\.\w+\(\)\.recv)$/;
const FETCHES = /^(get|post|put|request|stream|send|open|urlopen|getresponse|recv\w*)$/;
/** Calls whose result still holds all of their arguments. */
export const SHAPES =
  /^(dict|str|list|tuple|set|frozenset|repr|ascii|bytes|bytearray|memoryview|sorted|reversed|zip|enumerate|iter|next|filter|format|vars|json\.(dumps|loads?)|pprint\.pformat|base64\.\w+|binascii\.\w+|codecs\.(encode|decode)|quopri\.\w+|uu\.\w+|urllib\.parse\.(urlencode|quote\w*)|(zlib|gzip|bz2|lzma|brotli|zstandard|lz4\.frame)\.compress|copy\.(copy|deepcopy)|io\.(StringIO|BytesIO)|pickle\.dumps|marshal\.dumps|struct\.pack|(orjson|ujson|simplejson|rapidjson|yaml|toml|tomllib|tomli|tomli_w|msgpack|cbor2|bson)\.\w+|netrc\.netrc|configparser\.\w+|types\.SimpleNamespace|collections\.\w+|itertools\.\w+|textwrap\.\w+|map|urllib\.request\.Request|httpx\.Request|requests\.Request|aiohttp\.FormData|email\.message\.EmailMessage|MIMEText|email\.mime\.text\.MIMEText|xml\.sax\.saxutils\.escape|html\.escape|contextlib\.closing|csv\.\w+)$|\.(format|format_map|join|encode|decode|copy|items|values|read|readlines|read_text|read_bytes|strip|splitlines|update|append|encrypt|fromkeys|replace|translate|zfill|ljust|rjust|center|model_dump_json|dumps?|read_string)$/;

/** Whether a call asks another machine, also by an object that is made for it. */
export function isFetch(names: PythonNames, callee: SyntaxNode, name: string): boolean {
  if (FETCH.test(name)) return true;
  const method = callee.type === "attribute" ? child(callee, "attribute") : null;
  return method !== null && FETCHES.test(textOf(names.tree, method)) &&
    madeNames(names, callee, 0).some((each) => FETCH.test(each));
}
