/**
 * Files that are credentials by what they are, whatever their content.
 *
 * @module
 */

/** What a file's name says. */
export interface KeyFile {
  kind: string;
  title: string;
}

const STORES = /\.(?:p12|pfx|jks|keystore|bcfks|kdbx?|ppk)$/i;
const SSH = /^id_(?:rsa|dsa|ecdsa|ed25519)(?:_sk)?$/;

/** Whether the file at `path` is a store of keys or an SSH key. */
export function keyFileOf(path: string): KeyFile | null {
  const name = path.slice(path.lastIndexOf("/") + 1);
  if (STORES.test(name)) return { kind: "key-store", title: "Store of private keys" };
  if (SSH.test(name)) return { kind: "private-key", title: "SSH private key" };
  return null;
}

/** Whether lines of the file are `NAME=value` without quotes. */
export function isSettingsFile(path: string): boolean {
  const name = path.slice(path.lastIndexOf("/") + 1).toLowerCase();
  return /^\.env(?:\.|$)|\.env$|\.(?:ini|cfg|conf|properties|ya?ml|toml|envrc|tfvars)$|^\.(?:npmrc|pypirc|netrc|pgpass|htpasswd)$|^credentials$/
    .test(name);
}

/** Whether the file starts containers on the machine of whoever works on the program. */
export function isComposeFile(path: string): boolean {
  return /(?:^|\/)(?:docker-)?compose[^/]*\.ya?ml$/i.test(path);
}

/** Whether the file is a filled-in example by its name. */
export function isExampleFile(path: string): boolean {
  return /(?:^|[._-])(?:postman_collection|example|sample|template|tmpl|dist)(?:[._-]|$)/i
    .test(path.slice(path.lastIndexOf("/") + 1));
}

/** Whether the file tells about the program, by its name. */
export function isAbout(path: string): boolean {
  const name = path.slice(path.lastIndexOf("/") + 1);
  return /\.(?:md|mdx|rst|adoc)$|^(?:readme|changelog|changes|history|news|pkg-info|metadata|contributing)(?:\.|$)/i
    .test(name);
}

/** Whether the file is there to try the program, by its name or a folder's. */
export function isForTests(path: string): boolean {
  return /(?:^|[/_.-])(?:tests?|testing|e2e|dummy|fakes?|mocks?|fixtures?|snakeoil)(?:[/_.-]|server\/)|^t\/|\/t\//i
    .test(path);
}

/** Whether a folder around the file says that what is in it is made up. */
export function isMadeUp(path: string): boolean {
  return /(?:^|[/_.-])(?:fakes?|dumm(?:y|ies)|mock(?:s|ed)?|bogus|decoys?|honey[-_]?(?:pots?|tokens?)|made[-_]?up)(?:[_.-][^/]*)?\//i
    .test(path);
}

/** Files full of checksums: of packages, and of what scanners of secrets were told to leave alone. */
export function isChecksumFile(path: string): boolean {
  return /(?:^|\/)(?:\.secrets\.baseline|[^/]*secrets?[._-]baseline[^/]*|\.gitleaks(?:ignore|-baseline[^/]*)|\.gitguardian\.ya?ml|\.trufflehog[^/]*|package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|go\.sum|[^/]*\.lock|[^/]*\.sum|[^/]*\.map|[^/]*\.svg|[^/]*\.min\.[cm]?js)$/i
    .test(path);
}
