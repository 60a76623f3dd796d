/**
 * ruff's security rules with severity, weakness category and remedy. Severities are bandit's, except where
 * a comment says why a scan that gates a registry should be calmer.
 *
 * @module
 */
import type { Severity } from "../../finding.ts";
import type { Weakness } from "../../weaknesses.ts";

/** How a rule counts; a function decides by message and source line. */
export interface RuleWeight {
  severity: Severity | ((message: string, line: string) => Severity);
  cwe: Weakness;
  /** What to do. */
  fix: string;
}

const seemsSafe = (message: string): Severity => /seems safe/.test(message) ? "low" : "high";

// bandit rates every MD5 high; most are cache keys and checksums.
const byWhatIsHashed = (_: string, line: string): Severity =>
  /passw|secret|token|credential|signature/i.test(line) ? "high" : "medium";

function byKeySize(message: string, line: string): Severity {
  const size = Number(/\b(\d{3,5})\b/.exec(line.replace(/65537/g, ""))?.[1] ?? NaN);
  return size < 1024 && !/elliptic|EC key/i.test(message) ? "high" : "medium";
}

/** The table. Imports alone (S40x, S41x) are at most medium: nothing has happened yet. */
export const RULES: Record<string, RuleWeight> = {
  S102: {
    severity: "medium",
    cwe: 78,
    fix: "Call the code directly, or parse the expected values instead of running text",
  },
  S103: {
    // bandit rates what anybody may write high; most of it is about to be deleted, or a program's own.
    severity: "medium",
    cwe: 732,
    fix: "Give rights to the owner only (0o600 for files, 0o700 for programs and folders)",
  },
  S104: {
    severity: "medium",
    cwe: 605,
    fix: "Bind 127.0.0.1, and let a setting open it to other addresses",
  },
  S105: {
    severity: "low",
    cwe: 259,
    fix: "Read the password from the environment or a secret store",
  },
  S106: {
    severity: "low",
    cwe: 259,
    fix: "Read the password from the environment or a secret store and pass that",
  },
  S107: {
    severity: "low",
    cwe: 259,
    fix: "Remove the default: let callers pass the password or read it from the environment",
  },
  S108: {
    severity: "medium",
    cwe: 377,
    fix: "Let the tempfile module choose an unpredictable name",
  },
  S110: {
    severity: "low",
    cwe: 703,
    fix: "Handle the exception or log it; catch only the expected types",
  },
  S112: {
    severity: "low",
    cwe: 703,
    fix: "Log the exception before continuing; catch only the expected types",
  },
  S113: { severity: "medium", cwe: 400, fix: "Give the request a timeout in seconds" },
  S201: {
    severity: "high",
    cwe: 94,
    fix: "Switch debug off, or enable it with a setting that production does not use",
  },
  S202: {
    severity: "medium",
    cwe: 22,
    fix: "Pass filter='data' to extractall, which keeps entries inside the folder",
  },
  S301: {
    severity: "medium",
    cwe: 502,
    fix: "Use JSON, or check a signature before unpickling",
  },
  S302: { severity: "medium", cwe: 502, fix: "Use JSON instead of marshalled objects" },
  S303: {
    severity: "medium",
    cwe: 327,
    fix: "Use SHA-256 or better; pass usedforsecurity=False if it is only a checksum",
  },
  S304: { severity: "high", cwe: 327, fix: "Use AES-GCM or ChaCha20-Poly1305" },
  S305: { severity: "medium", cwe: 327, fix: "Use an authenticated mode such as GCM" },
  S306: {
    severity: "medium",
    cwe: 377,
    fix: "Use tempfile.NamedTemporaryFile or mkstemp, which create the file at once",
  },
  S307: {
    severity: "medium",
    cwe: 78,
    fix: "Use ast.literal_eval for literals, or parse the expected values",
  },
  S308: {
    severity: "medium",
    cwe: 79,
    fix: "Let the template engine escape the value, or build it with format_html",
  },
  // A Request alone opens nothing.
  S310: {
    severity: (_, line) => /urlopen|urlretrieve|URLopener/.test(line) ? "medium" : "low",
    cwe: 22,
    fix: "Allow only http and https before opening the URL",
  },
  S311: {
    severity: "low",
    cwe: 330,
    fix: "Use the secrets module if guessing the value could help an attacker",
  },
  S312: { severity: "high", cwe: 319, fix: "Use SSH instead of Telnet" },
  S313: { severity: "medium", cwe: 20, fix: "Parse with defusedxml.cElementTree" },
  S314: { severity: "medium", cwe: 20, fix: "Parse with defusedxml.ElementTree" },
  S315: { severity: "medium", cwe: 20, fix: "Parse with defusedxml.expatreader" },
  S316: { severity: "medium", cwe: 20, fix: "Parse with defusedxml.expatbuilder" },
  S317: { severity: "medium", cwe: 20, fix: "Parse with defusedxml.sax" },
  S318: { severity: "medium", cwe: 20, fix: "Parse with defusedxml.minidom" },
  S319: { severity: "medium", cwe: 20, fix: "Parse with defusedxml.pulldom" },
  // FTP over TLS, and the module's parsers, send nothing in the clear.
  S321: {
    severity: (_, line) => /ftplib\.(?!FTP\b)\w+/.test(line) ? "low" : "high",
    cwe: 319,
    fix: "Use SFTP, or FTP over TLS (ftplib.FTP_TLS)",
  },
  S323: {
    severity: "medium",
    cwe: 295,
    fix: "Use ssl.create_default_context(), which checks certificates",
  },
  S324: {
    severity: byWhatIsHashed,
    cwe: 327,
    fix: "Use SHA-256 or better; pass usedforsecurity=False if it is only a checksum",
  },
  S401: { severity: "medium", cwe: 319, fix: "Use SSH instead of Telnet" },
  S402: { severity: "medium", cwe: 319, fix: "Use SFTP, or FTP over TLS (ftplib.FTP_TLS)" },
  S403: { severity: "low", cwe: 502, fix: "Use JSON if the data may come from others" },
  S404: {
    severity: "low",
    cwe: 78,
    fix: "Do it in Python if you can. Otherwise, pass fixed programs and lists of arguments",
  },
  S405: { severity: "low", cwe: 20, fix: "Import defusedxml.ElementTree instead" },
  S406: { severity: "low", cwe: 20, fix: "Import defusedxml.sax instead" },
  S407: { severity: "low", cwe: 20, fix: "Import defusedxml.expatbuilder instead" },
  S408: { severity: "low", cwe: 20, fix: "Import defusedxml.minidom instead" },
  S409: { severity: "low", cwe: 20, fix: "Import defusedxml.pulldom instead" },
  S411: { severity: "medium", cwe: 20, fix: "Use JSON, or defusedxml.xmlrpc" },
  S412: { severity: "medium", cwe: 284, fix: "Serve over WSGI or ASGI instead of CGI" },
  // The maintained PyCryptodome has the same module name as the abandoned PyCrypto.
  S413: {
    severity: "medium",
    cwe: 327,
    fix: "Use the cryptography package, or PyCryptodome under its own name (Cryptodome)",
  },
  S415: {
    severity: "medium",
    cwe: 319,
    fix: "Use a current protocol instead of IPMI, or keep IPMI in a separate network",
  },
  S501: {
    severity: "high",
    cwe: 295,
    fix: "Leave verify on. For a private authority, pass the path of its certificate",
  },
  S502: {
    severity: "high",
    cwe: 327,
    fix: "Use ssl.create_default_context(), which negotiates TLS 1.2 or newer",
  },
  S503: {
    severity: "medium",
    cwe: 327,
    fix: "Remove the default, or make it ssl.PROTOCOL_TLS_CLIENT or PROTOCOL_TLS_SERVER",
  },
  S504: {
    severity: "low",
    cwe: 327,
    fix: "Set the version: ssl.PROTOCOL_TLS_CLIENT or PROTOCOL_TLS_SERVER",
  },
  S505: {
    severity: byKeySize,
    cwe: 326,
    fix: "Use at least 2048 bits for RSA and DSA, 224 for elliptic curves",
  },
  S506: { severity: "medium", cwe: 20, fix: "Use yaml.safe_load" },
  S507: {
    severity: "high",
    cwe: 295,
    fix: "Load the keys of known hosts and reject others (RejectPolicy)",
  },
  S508: { severity: "medium", cwe: 319, fix: "Use SNMPv3" },
  S509: {
    severity: "medium",
    cwe: 319,
    fix: "Use SNMPv3 with authentication and privacy (authPriv)",
  },
  S601: {
    severity: "medium",
    cwe: 78,
    fix: "Run fixed commands only, and quote values with shlex.quote",
  },
  S602: { severity: seemsSafe, cwe: 78, fix: "Pass a list of arguments without shell=True" },
  S603: {
    severity: "low",
    cwe: 78,
    fix: "Make sure that callers cannot choose the program or its arguments",
  },
  S604: { severity: "medium", cwe: 78, fix: "Pass a list of arguments without shell=True" },
  S605: { severity: seemsSafe, cwe: 78, fix: "Use subprocess.run with a list of arguments" },
  S606: {
    severity: "low",
    cwe: 78,
    fix: "Use subprocess.run with a fixed program and a list of arguments",
  },
  S607: {
    severity: "low",
    cwe: 78,
    fix: "Use the program's full path, or look it up with shutil.which at startup",
  },
  S608: {
    severity: "medium",
    cwe: 89,
    fix: "Pass values as parameters of the query, and choose names from a fixed list",
  },
  S609: {
    severity: "high",
    cwe: 155,
    fix: "List the files in Python (glob) and put -- before them",
  },
  S610: {
    severity: "medium",
    cwe: 89,
    fix: "Use the ORM's expressions, and pass values with params",
  },
  S611: {
    severity: "medium",
    cwe: 89,
    fix: "Use the ORM's expressions, or pass values with params",
  },
  S612: {
    severity: "medium",
    cwe: 94,
    fix: "Do not listen, or check incoming configuration with the verify argument",
  },
  // Templates of an MCP server are rarely web pages.
  S701: {
    severity: "medium",
    cwe: 94,
    fix: "Pass autoescape=True, or select_autoescape() for templates of several kinds",
  },
  S702: {
    severity: "medium",
    cwe: 80,
    fix: "Pass default_filters=['h'], or use an engine that escapes automatically",
  },
  S704: {
    severity: "medium",
    cwe: 79,
    fix: "Escape the value: pass it as an argument to Markup(...).format",
  },
  PLE2502: { severity: "high", cwe: 838, fix: "Remove the characters, or write them as escapes" },
};
