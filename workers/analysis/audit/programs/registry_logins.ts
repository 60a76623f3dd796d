/**
 * Commands that sign in to a registry of images with the token that AWS gave for it:
 * `docker login -u {user} -p {password} {registry}`. AWS encodes such tokens, so that who signs in has
 * to decode them; what comes out is a user's name and a password.
 *
 * @module
 */
import { calleeOf } from "../../python/calls/callee.ts";
import { argumentsOf, type PythonNames } from "../../python/names.ts";
import { moduleValues, plainValue, valuesOf } from "../../python/values/assigned.ts";
import { stringValue } from "../../python/values/literals.ts";
import { textOf } from "../../syntax/source_tree.ts";
import { child, named, type SyntaxNode } from "../../syntax/tree.ts";
import { partOf } from "../flow/files/file_keys.ts";
import { methodOf } from "../flow/label_forms.ts";
import { shellLines } from "./shell_words.ts";

const SIGNS_IN =
  /^((docker|podman|nerdctl|finch|buildah|skopeo|oras) login|helm registry login|crane auth login)( |$)/;
const MAX_HOPS = 8;

/** What all values of a name, or the expression itself, are. */
function meant(names: PythonNames, node: SyntaxNode): SyntaxNode[] {
  const plain = plainValue(node);
  if (!/^(identifier|attribute)$/.test(plain.type)) return [plain];
  const { values, open } = valuesOf(names, plain);
  if (!open && values.length > 0) return values.map(plainValue);
  const part = plain.type === "identifier" && values.length === 0 ? partOf(names, plain) : null;
  return part === null ? [] : [part];
}

const LOADS = /(^|[._])(lazy_import|lazy_load|LazyLoader|import_module|import_optional\w*)$/;

/** Whether a module calls AWS' library by its name, imported at once or when it is needed. */
function knowsAws(names: PythonNames): boolean {
  if (names.functions.has("boto3") || /\bclass\s+boto3\b/.test(names.tree.text)) return false;
  const { values, open } = moduleValues(names, "boto3");
  const isLoaded = values.every((each) => {
    const callee = each.type === "call" ? child(each, "function")! : null;
    const [first] = callee === null ? [] : argumentsOf(names.tree, each).positional;
    return callee !== null && first !== undefined &&
      LOADS.test(textOf(names.tree, callee)) && stringValue(names.tree.text, first) === "boto3";
  });
  const isImported = names.imports.some(({ module, level }) => level === 0 && module === "boto3");
  return isImported ? values.length === 0 : !open && values.length > 0 && isLoaded;
}

/** `boto3.client("ecr")`, which asks AWS and nobody else. */
function isClient(names: PythonNames, node: SyntaxNode): boolean {
  const made = meant(names, node);
  return knowsAws(names) && made.length > 0 && made.every((each) => {
    const callee = each.type === "call" ? child(each, "function") : null;
    const name = callee === null ? "" : calleeOf(names, callee)?.name ?? "";
    if (!/^boto3\.((session\.)?Session\(\)\.)?client$/.test(name)) return false;
    const { positional, keywords } = argumentsOf(names.tree, each);
    const [service] = positional;
    return positional.length === 1 && stringValue(names.tree.text, service!) === "ecr" &&
      [...keywords.keys()].every((key) => key === "region_name") &&
      named(child(each, "arguments")!).every(({ type }) => !/splat/.test(type));
  });
}

/** `client.get_authorization_token()["authorizationData"][0]["authorizationToken"]`. */
function isToken(names: PythonNames, node: SyntaxNode): boolean {
  const isEntry = node.type === "subscript" &&
    stringValue(names.tree.text, child(node, "subscript")!) === "authorizationToken";
  if (!isEntry) return false;
  let holder = child(node, "value")!;
  for (let hops = 0; hops < MAX_HOPS; hops++) {
    const [value, ...more] = meant(names, holder);
    if (value === undefined || more.length > 0) return false;
    const callee = value.type === "call" ? child(value, "function")! : null;
    if (callee !== null && methodOf(names, callee) === ".get_authorization_token") {
      return isClient(names, child(callee, "object")!);
    }
    if (value.type !== "subscript") return false;
    holder = child(value, "value")!;
  }
  return false;
}

/** Whether an expression is such a token, decoded, or a part of one. */
function isOfToken(names: PythonNames, node: SyntaxNode, hops = 0): boolean {
  const values = meant(names, node);
  return hops < MAX_HOPS && values.length > 0 && values.every((value) => {
    if (value.type === "subscript") return isOfToken(names, child(value, "value")!, hops + 1);
    const callee = value.type === "call" ? child(value, "function")! : null;
    if (callee === null) return false;
    if (calleeOf(names, callee)?.name === "base64.b64decode") {
      const [given] = argumentsOf(names.tree, value).positional;
      return given !== undefined && meant(names, given).every((each) => isToken(names, each));
    }
    return /^\.(decode|split|partition|strip)$/.test(methodOf(names, callee)) &&
      isOfToken(names, child(callee, "object")!, hops + 1);
  });
}

/** Whether all that is decoded in a shell's text is what signs in to a registry there. */
export function isRegistryLogin(
  names: PythonNames,
  text: SyntaxNode,
  isDecoded: (part: SyntaxNode) => boolean,
): boolean {
  const [line, ...more] = shellLines(names, text);
  if (line === undefined || more.length > 0) return false;
  const stated = line.map((each) => each.stated ? each.text : "\0").join(" ");
  return SIGNS_IN.test(stated) &&
    line.every((each) => each.stated || !isDecoded(each.node) || isOfToken(names, each.node));
}
