/**
 * Calls that may send what they are given, and the calls that say where to.
 *
 * @module
 */
import { byText } from "../../by_text.ts";
import { valuesOf } from "../../python/values/assigned.ts";
import { calleeOf } from "../../python/calls/callee.ts";
import { nodeTypes } from "../../syntax/node_types.ts";
import { textOf } from "../../syntax/source_tree.ts";
import { type Destination, destinationsIn } from "./destinations.ts";
import { ancestor, child, named, type SyntaxNode, walk } from "../../syntax/tree.ts";
import type { ObservedCall } from "../flow/observed.ts";

const LOOKS_UP =
  /(^|\.)(gethostbyname|gethostbyname_ex|getaddrinfo|resolve|gethostbyaddr|create_connection|getnameinfo)$/;
/** Names of functions that do nothing else. */
const SENDS =
  /(^|\.)(post|put|patch|request|stream|sendall|sendto|sendmail|send_message|send_bytes|send_text|send_json|send_str|putrequest|urlopen|urlretrieve|Request|fetch|ws_connect|websocket_connect|pyfetch|add_header|putheader|build_request|add_unredirected_header|open_connection|create_connection|storbinary|chat_postMessage)$/;
/** Names that also mean other things: only of the objects of libraries that send, or with an address. */
const MAY_SEND =
  /(^|\.)(get|delete|head|options|send|publish|write|writelines|communicate|connect|endheaders|storlines|upload|upload_file|put_object|perform|navigate|goto|retrieve|login|setopt|open|run|call|check_output|check_call|Popen|getoutput|system|popen|create_subprocess_exec|create_subprocess_shell|query|execute|set_trace|emit|drain|get_json|download)$/;
/** Libraries whose functions and objects send. */
const LIBRARIES =
  /^(requests\w*|httpx|aiohttp|urllib|urllib3|http\.client|websockets?|niquests|curl_cffi|treq|pycurl|tornado|ftplib|smtplib|aiosmtplib|paramiko|socket|ssl|grpc|boto3|pyodide\.http|socketio|paho|pika|kafka|redis|nats|openai|anthropic|github|gradio_client|discord\w*|telebot|telegram|slack_sdk|suds|zeep|xmlrpc|asyncio|telnetlib\w*|dns|trio|anyio|subprocess|os|pexpect|js|webbrowser)(\.|$)/;
const CONNECTS = /(^|\.)(connect|connect_ex|set_tunnel|setopt|putrequest)$/;
const STREAMS = /(^|\.)open_connection$/;
/** Calls whose words are a program's arguments, or names of files. */
const ON_THIS_MACHINE =
  /^(subprocess|os|pexpect)\.|^asyncio(\.subprocess)?\.create_subprocess_|(^|\.)(run_process|open_process)$/;
/** Programs to which a word by itself may be a host. */
const TALKS =
  /^(\/\S{1,60}\/)?(nc|ncat|netcat|socat|telnet|ssh|sshpass|scp|sftp|rsync|l?ftp|tftp|curl|wget|https?|xh|aria2c|nslookup|dig|host|drill|ping6?|traceroute|openssl|websocat|mosquitto_pub|mailx?|sendmail|swaks|msmtp|nmap|whois|finger|logger|redis-cli|psql|mysql|mongosh?|kubectl|docker)(\.exe)?$/i;
/** So many words may stand before a program's name: `sudo`, `timeout 5`, `env`. */
const WORDS_BEFORE = 4;
const CALLS = nodeTypes("call");
const ADDRESS_KEYS =
  /^(url|base_url|host|hostname|endpoint|address|uri|server|server_url|api_base|dsn|proxy|proxies|server_hostname|endpoint_url|webhook_url)$/;

const nameOf = ({ names, callee, node }: ObservedCall): string =>
  callee?.name ?? textOf(names.tree, child(node, "function") ?? node).slice(0, 300);

/** Whether a call looks up a host by its name. */
export function isLookUp(call: ObservedCall): boolean {
  return LOOKS_UP.test(nameOf(call));
}

/** Whether a keyword of a call says where something is sent to. */
export function isAddress(keyword: string): boolean {
  return ADDRESS_KEYS.test(keyword);
}

const isAddressed = ({ given }: ObservedCall): boolean =>
  [...given.keywords.keys()].some(isAddress);

/** Whether a function of this name may send: in any case, with an address, or never. */
const sending = byText((name): "any" | "addressed" | "never" =>
  SENDS.test(name) || MAY_SEND.test(name) || LOOKS_UP.test(name)
    ? "any"
    : LIBRARIES.test(name)
    ? "addressed"
    : "never"
);

/** Whether a call may send by its name alone: most calls do not. */
export function looksLikeSending(call: ObservedCall): boolean {
  const when = sending(nameOf(call));
  return when === "any" || when === "addressed" && isAddressed(call);
}

/** The calls of blocks that open the object: `with connect(…) as c`. */
function opened({ names }: ObservedCall, object: SyntaxNode): SyntaxNode[] {
  const name = textOf(names.tree, object);
  for (let up = object.parent; up !== null; up = up.parent) {
    const clause = up.type === "with_statement"
      ? up.children.find(({ type }) => type === "with_clause")
      : undefined;
    for (const item of clause?.children ?? []) {
      const pattern = child(item, "value");
      const alias = pattern?.type === "as_pattern" ? child(pattern, "alias") : null;
      if (alias !== null && textOf(names.tree, alias) === name) {
        return pattern!.children.slice(0, 1);
      }
    }
  }
  return [];
}

/** Calls that tell an object where to: `s.connect(("host", 80))`, the connection of a stream. */
export function connected(
  { names, node }: ObservedCall,
  object: SyntaxNode,
): SyntaxNode[] {
  const body = ancestor(node, "function_definition") ?? names.tree.root;
  const start = `${textOf(names.tree, object)}.`;
  return [...walk(body, CALLS)].filter((call) => {
    const callee = child(call, "function");
    const text = callee === null ? "" : textOf(names.tree, callee).slice(0, 200);
    return text.startsWith(start) && CONNECTS.test(text) || STREAMS.test(text);
  });
}

/** The calls that made the object of a method. */
export function makersOf(call: ObservedCall, holder: SyntaxNode): SyntaxNode[] {
  const { names } = call;
  let object: SyntaxNode | null = holder;
  while (object !== null && object.type === "attribute") {
    const { values } = valuesOf(names, object);
    if (values.length > 0) return values.filter(({ type }) => type === "call");
    object = child(object, "object");
  }
  if (object === null || object.type === "call") return object === null ? [] : [object];
  if (object.type !== "identifier") return [];
  const made = names.calls.get(textOf(names.tree, object));
  const found = [...valuesOf(names, object).values, ...made === undefined ? [] : [made]];
  return [...found, ...opened(call, object)]
    .map((each) => each.type === "await" ? named(each)[0] ?? each : each)
    .filter(({ type }) => type === "call");
}

/** Whether a call may send what it is given, its object having been made by `makers`. */
export function maySend(call: ObservedCall, makers: readonly SyntaxNode[]): boolean {
  const { names, given } = call;
  const name = nameOf(call);
  if (SENDS.test(name) || LOOKS_UP.test(name) || LIBRARIES.test(name)) return true;
  const [first] = given.positional;
  const text = first === undefined ? "" : textOf(names.tree, first).slice(0, 20);
  if (/^[rbf]*["']{1,3}(https?|wss?):/.test(text) || isAddressed(call)) return true;
  return makers.some((maker) =>
    LIBRARIES.test(calleeOf(names, child(maker, "function") ?? maker)?.name ?? "")
  );
}

/** Where the texts that a call is given say it sends something: its words, beginning with the first. */
export function destinationsGiven(call: ObservedCall, texts: readonly string[]): Destination[] {
  const isProgram = ON_THIS_MACHINE.test(nameOf(call));
  const talks = !isProgram || texts.slice(0, WORDS_BEFORE).some((text) => TALKS.test(text));
  return destinationsIn(texts, { addressesOnly: !talks });
}
