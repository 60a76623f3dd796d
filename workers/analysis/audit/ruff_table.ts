/**
 * ruff's security rules with severity and weakness category. Severities are bandit's, except where
 * a comment says why a scan that gates a registry should be calmer.
 *
 * @module
 */
import type { Severity } from "../finding.ts";

/** How a rule counts; a function decides by message and source line. */
export interface RuleWeight {
  severity: Severity | ((message: string, line: string) => Severity);
  cwe: number;
}

const seemsSafe = (message: string): Severity => /seems safe/.test(message) ? "low" : "high";

/** World-writable is grave, everything else that is too open is not. */
function byMask(message: string): Severity {
  const mask = /0o([0-7]+)/.exec(message)?.[1];
  return mask !== undefined && (parseInt(mask, 8) & 0o2) !== 0 ? "high" : "medium";
}

// bandit calls every MD5 grave; most are cache keys and checksums.
const byWhatIsHashed = (_: string, line: string): Severity =>
  /passw|secret|token|credential|signature/i.test(line) ? "high" : "medium";

function byKeySize(message: string, line: string): Severity {
  const size = Number(/\b(\d{3,5})\b/.exec(line.replace(/65537/g, ""))?.[1] ?? NaN);
  return size < 1024 && !/elliptic|EC key/i.test(message) ? "high" : "medium";
}

/** The table. Imports alone (S40x, S41x) are at most medium: nothing has happened yet. */
export const RULES: Record<string, RuleWeight> = {
  S102: { severity: "medium", cwe: 78 },
  S103: { severity: byMask, cwe: 732 },
  S104: { severity: "medium", cwe: 605 },
  S105: { severity: "low", cwe: 259 },
  S106: { severity: "low", cwe: 259 },
  S107: { severity: "low", cwe: 259 },
  S108: { severity: "medium", cwe: 377 },
  S110: { severity: "low", cwe: 703 },
  S112: { severity: "low", cwe: 703 },
  S113: { severity: "medium", cwe: 400 },
  S201: { severity: "high", cwe: 94 },
  S202: { severity: "medium", cwe: 22 },
  S301: { severity: "medium", cwe: 502 },
  S302: { severity: "medium", cwe: 502 },
  S303: { severity: "medium", cwe: 327 },
  S304: { severity: "high", cwe: 327 },
  S305: { severity: "medium", cwe: 327 },
  S306: { severity: "medium", cwe: 377 },
  S307: { severity: "medium", cwe: 78 },
  S308: { severity: "medium", cwe: 79 },
  // A Request alone opens nothing.
  S310: {
    severity: (_, line) => /urlopen|urlretrieve|URLopener/.test(line) ? "medium" : "low",
    cwe: 22,
  },
  S311: { severity: "low", cwe: 330 },
  S312: { severity: "high", cwe: 319 },
  S313: { severity: "medium", cwe: 20 },
  S314: { severity: "medium", cwe: 20 },
  S315: { severity: "medium", cwe: 20 },
  S316: { severity: "medium", cwe: 20 },
  S317: { severity: "medium", cwe: 20 },
  S318: { severity: "medium", cwe: 20 },
  S319: { severity: "medium", cwe: 20 },
  // FTP over TLS, and the module's parsers, send nothing in the clear.
  S321: { severity: (_, line) => /ftplib\.(?!FTP\b)\w+/.test(line) ? "low" : "high", cwe: 319 },
  S323: { severity: "medium", cwe: 295 },
  S324: { severity: byWhatIsHashed, cwe: 327 },
  S401: { severity: "medium", cwe: 319 },
  S402: { severity: "medium", cwe: 319 },
  S403: { severity: "low", cwe: 502 },
  S404: { severity: "low", cwe: 78 },
  S405: { severity: "low", cwe: 20 },
  S406: { severity: "low", cwe: 20 },
  S407: { severity: "low", cwe: 20 },
  S408: { severity: "low", cwe: 20 },
  S409: { severity: "low", cwe: 20 },
  S411: { severity: "medium", cwe: 20 },
  S412: { severity: "medium", cwe: 284 },
  // The maintained PyCryptodome has the same module name as the abandoned PyCrypto.
  S413: { severity: "medium", cwe: 327 },
  S415: { severity: "medium", cwe: 319 },
  S501: { severity: "high", cwe: 295 },
  S502: { severity: "high", cwe: 327 },
  S503: { severity: "medium", cwe: 327 },
  S504: { severity: "low", cwe: 327 },
  S505: { severity: byKeySize, cwe: 326 },
  S506: { severity: "medium", cwe: 20 },
  S507: { severity: "high", cwe: 295 },
  S508: { severity: "medium", cwe: 319 },
  S509: { severity: "medium", cwe: 319 },
  S601: { severity: "medium", cwe: 78 },
  S602: { severity: seemsSafe, cwe: 78 },
  S603: { severity: "low", cwe: 78 },
  S604: { severity: "medium", cwe: 78 },
  S605: { severity: seemsSafe, cwe: 78 },
  S606: { severity: "low", cwe: 78 },
  S607: { severity: "low", cwe: 78 },
  S608: { severity: "medium", cwe: 89 },
  S609: { severity: "high", cwe: 155 },
  S610: { severity: "medium", cwe: 89 },
  S611: { severity: "medium", cwe: 89 },
  S612: { severity: "medium", cwe: 94 },
  // Templates of an MCP server are rarely web pages.
  S701: { severity: "medium", cwe: 94 },
  S702: { severity: "medium", cwe: 80 },
  S704: { severity: "medium", cwe: 79 },
  PLE2502: { severity: "high", cwe: 838 },
};

/** The names that ruff's preview mode reports in place of codes. */
export const PREVIEW_NAMES: ReadonlyMap<string, string> = new Map([
  ["bad-file-permissions", "S103"],
  ["suspicious-telnetlib-import", "S401"],
  ["suspicious-ftplib-import", "S402"],
  ["suspicious-pickle-import", "S403"],
  ["suspicious-subprocess-import", "S404"],
  ["suspicious-xml-etree-import", "S405"],
  ["suspicious-xml-sax-import", "S406"],
  ["suspicious-xml-expat-import", "S407"],
  ["suspicious-xml-minidom-import", "S408"],
  ["suspicious-xml-pulldom-import", "S409"],
  ["suspicious-xmlrpc-import", "S411"],
  ["suspicious-httpoxy-import", "S412"],
  ["suspicious-pycrypto-import", "S413"],
  ["suspicious-pyghmi-import", "S415"],
]);
