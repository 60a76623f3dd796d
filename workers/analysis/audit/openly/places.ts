/**
 * Calls that look at what the user sees, copies and says, at the variables of other functions, and at the
 * socket of a container engine.
 *
 * @module
 */
import { readNodes } from "../../python/reach/module_nodes.ts";
import type { ModuleCall, ModuleNodes } from "../../python/reach/module_nodes.ts";
import { sinkOf } from "../../python/calls/sinks.ts";
import type { PythonNames } from "../../python/names.ts";
import { foldText } from "../../python/values/folding.ts";
import { textOf } from "../../syntax/source_tree.ts";
import { child, named, type SyntaxNode } from "../../syntax/tree.ts";
import { textsOf } from "../keys/destinations.ts";
import type { OpenKind, OpenPlace } from "./kinds.ts";

/** A module without any of these words does nothing of the kind. */
const WORDS =
  /clip|paste|Clipboard|screen|Screen|ImageGrab|\bmss\b|VideoCapture|Microphone|sounddevice|scrot|grim|maim|xwd|x11grab|avfoundation|gdigrab|BitBlt|PrintWindow|CGWindow|CGDisplay|grabWindow|dxcam|selection_get|NSPasteboard|f_locals|getargvalues|get_referents|_current_frames|\bsock\b|docker_engine/;

const CLIPBOARD =
  /^(pyperclip|pyclip|clipboard|klembord|copykitten|xerox|richxerox)\.(\w*paste\w*|\w*copy\w*|get\w*|set\w*|clear)$|^win32clipboard\.\w+$|^pandas\.read_clipboard$|(^|\.)(to_clipboard|clipboard_get|clipboard_append|clipboard_clear|selection_get|grabclipboard|GetClipboardData|SetClipboardData|generalPasteboard|waitForPaste|waitForNewPaste)$|(^|\.)(QApplication|QGuiApplication|app)\.clipboard$|\bnavigator\.clipboard\.\w+$/;
const SCREEN =
  /(^|\.)ImageGrab\.grab$|^(pyautogui|pyscreeze)\.(screenshot|locate\w*|pixel\w*)$|^pyscreenshot\.(grab\w*)$|^mss\.(\w+\.)?(mss|MSS)(\(\))?(\.(grab|shot|save))?$|^(dxcam|d3dshot|bettercam)\.create$|(^|\.)(CGWindowListCreateImage|CGDisplayCreateImage|BitBlt|PrintWindow|grabWindow)$|^sounddevice\.(rec|InputStream|RawInputStream|playrec)$|(^|\.)Microphone$/;
const CAMERA = /^cv2\.VideoCapture$/;
const FRAMES = /^(inspect\.getargvalues|gc\.get_referents|sys\._current_frames)$/;

const CLIPBOARD_PROGRAM =
  /(^|[\s;&|("'`/\\])(pbpaste|pbcopy|xclip|xsel|wl-paste|wl-copy|clip\.exe|termux-clipboard-(get|set))(?=$|[\s;&|)"'`])|\b(Get|Set)-Clipboard\b|\bWindows\.Forms\.Clipboard\b/i;
const SCREEN_PROGRAM =
  /(^|[\s;&|("'`/\\])(screencapture|scrot|gnome-screenshot|grim|maim|xwd|spectacle|flameshot|imagesnap|fswebcam)(?=$|[\s;&|)"'`])|\bCopyFromScreen\b|\b(x11grab|gdigrab|avfoundation)\b|\bimport\s+-window\s+root\b|\bnircmd\S*\s+savescreenshot\b/i;
const SOCKET =
  /(^|[/:])(docker|podman|containerd|crio)(\/(docker|podman|containerd|crio))?\.sock\b|pipe[\\/]+docker_engine\b/;
const CONNECTS =
  /(^|\.)(connect(_ex)?|UnixConnector|\w*UnixHTTP\w*|\w*UnixSocket\w*|(Async)?HTTPTransport|DockerClient|APIClient|Docker|open_unix_connection|create_unix_connection|connect_unix|UnixAdapter|Session|ClientSession|Client|AsyncClient|get|post|put|request|urlopen)$/;

/** What programs that are started get as one text. */
function commandText(names: PythonNames, { callee, given }: ModuleCall): string | null {
  const kind = callee === null ? null : sinkOf(callee.name);
  if (kind !== "shell" && kind !== "process") return null;
  const all = [...given.positional, given.keywords.get("args"), given.keywords.get("cmd")]
    .filter((each) => each !== undefined);
  return all.flatMap((each) => textsOf(names, each)).join(" ").slice(0, 4000);
}

function ofCall(names: PythonNames, call: ModuleCall): [OpenKind, string] | null {
  const { callee, expression, given } = call;
  const written = textOf(names.tree, expression).slice(-200);
  const name = callee?.name ?? written;
  if (CLIPBOARD.test(name)) return ["clipboard", `${name} uses the user's clipboard`];
  if (SCREEN.test(name)) return ["screen", `${name} looks at the user's screen, or listens`];
  const [first] = given.positional;
  if (CAMERA.test(name) && first !== undefined && /^\d+$/.test(textOf(names.tree, first))) {
    return ["screen", `${name} looks through the user's camera`];
  }
  if (FRAMES.test(name)) return ["frames", `${name} gives what other functions hold`];
  const isLookup = name === "getattr" && given.positional[1] !== undefined &&
    foldText(names, given.positional[1]) === "f_locals";
  if (isLookup) return ["frames", "The variables of another function are read"];
  const command = commandText(names, call);
  if (command !== null) {
    if (CLIPBOARD_PROGRAM.test(command)) {
      return ["clipboard", "A program uses the user's clipboard"];
    }
    if (SCREEN_PROGRAM.test(command)) return ["screen", "A program takes a picture of the screen"];
    return SOCKET.test(command) ? ["docker", "A program talks to the container engine"] : null;
  }
  return opensEngine(names, call, name)
    ? ["docker", `${name} talks to the container engine`]
    : null;
}

/** Whether a call connects to the socket of a container engine. */
function opensEngine(names: PythonNames, { given }: ModuleCall, name: string): boolean {
  if (!/sock|docker_engine/.test(names.tree.text)) return false;
  const places = ["uds", "path", "base_url", "socket_path", "url"]
    .map((key) => given.keywords.get(key));
  if (!CONNECTS.test(name) && places.every((each) => each === undefined)) return false;
  return [...given.positional, ...places].some((each) =>
    each !== undefined && textsOf(names, each).some((text) => SOCKET.test(decoded(text)))
  );
}

/** `http+unix://%2Fvar%2Frun%2Fdocker.sock`. */
function decoded(text: string): string {
  return text.replace(/%2f/gi, "/");
}

/** `frame.f_back.f_locals`, but not `sys._getframe().f_locals`, which are its own. */
function foreignLocals(names: PythonNames, node: SyntaxNode): boolean {
  const attribute = child(node, "attribute");
  const object = child(node, "object");
  if (attribute === null || object === null) return false;
  if (textOf(names.tree, attribute) !== "f_locals") return false;
  const own = /^(sys\._getframe\(0?\)|(inspect\.)?currentframe\(\))$/;
  if (own.test(textOf(names.tree, object).replace(/\s/g, ""))) return false;
  const { parent } = node;
  const key = parent?.type === "subscript"
    ? child(parent, "subscript")
    : parent?.type === "attribute" && parent.parent?.type === "call"
    ? named(child(parent.parent, "arguments") ?? parent)[0] ?? null
    : null;
  // Marks by which libraries leave frames out of what they show.
  return key === null || !/^__\w+__$/.test(foldText(names, key) ?? "");
}

/** Where a module does something of these kinds. */
export function placesOf(names: PythonNames, nodes?: ModuleNodes): OpenPlace[] {
  const { tree } = names;
  if (!WORDS.test(tree.text) && ![...names.exported.values()].some((each) => WORDS.test(each))) {
    return [];
  }
  const { calls, of } = nodes ?? readNodes(names);
  const found: OpenPlace[] = [];
  for (const call of calls) {
    const what = ofCall(names, call);
    if (what !== null) found.push({ kind: what[0], tree, node: call.node, title: what[1] });
  }
  if (tree.text.includes("f_locals")) {
    for (const node of of("attribute")) {
      if (!foreignLocals(names, node)) continue;
      const title = "The variables of another function are read";
      found.push({ kind: "frames", tree, node, title });
    }
  }
  return found;
}
