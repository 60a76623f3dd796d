/**
 * Pickles in what programs read objects from: archives of models and arrays, compressed files,
 * databases, texts. Each form is a server whose audit has a finding that fails the scan; the same
 * files with nothing but values in them fail none.
 *
 * @module
 */
import { assert, assertEquals } from "@std/assert";
import { deflateSync, gzipSync, zstdCompressSync } from "node:zlib";
import { runAudit } from "../../src/scan/stages/audit.ts";
import { withStage } from "../helpers/analysis.ts";
import { analyse } from "../../workers/analysis/audit/mod.ts";
import { analyseHere } from "../helpers/analysis.ts";
import { zipOf } from "../scan/advisories/zip_writer.ts";
import { rarOf } from "../workers/analysis/packed_archives.ts";
import { fails, type Repository, scan } from "./scanned_servers.ts";
import { startingServer } from "./starting_servers.ts";

const bytesOf = (text: string) => Uint8Array.from(text, (each) => each.charCodeAt(0));
const short = (text: string) => `\x8c${String.fromCharCode(text.length)}${text}\x94`;

/** A pickle of protocol 4 that has `module.name` called with a text. */
function calling(module: string, name: string): Uint8Array {
  return bytesOf(`\x80\x04${short(module)}${short(name)}\x93\x94${short("id")}\x85R.`);
}

const HOSTILE = calling("posix", "system");
/** `collections.OrderedDict(a=datetime.datetime(…))`, which words of shells are in. */
const HONEST = bytesOf(
  `\x80\x04${short("collections")}${short("OrderedDict")}\x93\x94)R\x94${short("os")}${
    short("system")
  }s.`,
);

function joined(...parts: Uint8Array[]): Uint8Array {
  return Uint8Array.from(parts.flatMap((each) => [...each]));
}

/** An array of objects as NumPy saves it. */
function arrayOf(pickle: Uint8Array): Uint8Array {
  const head = `${"{'descr': '|O', 'fortran_order': False, 'shape': (1,), }".padEnd(117)}\n`;
  const size = String.fromCharCode(head.length);
  return joined(bytesOf(`\x93NUMPY\x01\x00${size}\x00${head}`), pickle);
}

/** How a file is read, and how it holds a pickle. */
type Form = [what: string, path: string, read: string, hold: (pickle: Uint8Array) => Uint8Array];

const JOBLIB = "import joblib\nM = joblib.load('m.gz')";
const PANDAS = "import pandas as pd\nM = pd.read_pickle('d.bin')";
const PICKLE = "import pickle\nM = pickle.load(open('m.pkl', 'rb'))";
const FORMS: Form[] = [
  [
    "a model of torch",
    "m.pt",
    "import torch\nM = torch.load('m.pt')",
    (pickle) => zipOf([["m/data.pkl", pickle], ["m/data/0", "0".repeat(64)], ["m/version", "3"]]),
  ],
  ["an array", "d.npy", "import numpy as np\nM = np.load('d.npy', allow_pickle=True)", arrayOf],
  [
    "an archive of arrays",
    "d.npz",
    "import numpy as np\nM = np.load('d.npz', allow_pickle=True)",
    (pickle) => zipOf([["arr_0.npy", arrayOf(pickle)]]),
  ],
  ["a plain file", "m.gz", JOBLIB, (pickle) => pickle],
  ["a file of zlib", "m.gz", JOBLIB, deflateSync],
  ["a file of gzip", "m.gz", JOBLIB, gzipSync],
  ["a file of Zstandard", "d.bin", PANDAS, zstdCompressSync],
  ["a file in a zip archive", "d.bin", PANDAS, (pickle) => zipOf([["d", pickle]])],
  ["a file in a RAR archive", "m.pkl", PICKLE, (pickle) => rarOf("d", pickle)],
  [
    "a shelf",
    "s.dat",
    "import shelve\nM = shelve.open('s')",
    (pickle) => joined(new Uint8Array(512), pickle),
  ],
  [
    "a database",
    "s.db",
    "import pickle, sqlite3\nM = pickle.loads(sqlite3.connect('s.db').execute('select v from d').fetchone()[0])",
    (pickle) => joined(bytesOf("SQLite format 3\0"), new Uint8Array(4080), pickle),
  ],
  [
    "a picture",
    "logo.png",
    "import pickle\nM = pickle.load(open('logo.png', 'rb'))",
    (pickle) => joined(bytesOf("\x89PNG\r\n\x1a\n"), pickle),
  ],
  [
    "a text of Base64",
    "x.txt",
    "import base64, pickle\nM = pickle.loads(base64.b64decode(open('x.txt').read()))",
    (pickle) => bytesOf(pickle.toBase64()),
  ],
  [
    "a value of JSON",
    "x.json",
    "import pickle\nM = pickle.loads(bytes.fromhex(json.load(open('x.json'))['d']))",
    (pickle) => bytesOf(`{"d": "${pickle.toHex()}"}`),
  ],
  ["a file behind another pickle", "m.pkl", PICKLE, (pickle) => joined(HONEST, pickle)],
  [
    "a test's file",
    "tests/x.pkl",
    "import pickle\nM = pickle.load(open('tests/x.pkl', 'rb'))",
    (pickle) => pickle,
  ],
];

function server([, path, read, hold]: Form, pickle: Uint8Array): Repository {
  const body = `${read}\ndef t(X: str): return str(M)`;
  return { "server.py": startingServer(body), [path]: hold(pickle) };
}

for (const form of FORMS) {
  Deno.test(`a pickle that calls a shell, in ${form[0]}, fails the scan`, async () => {
    assert(fails(await scan(server(form, HOSTILE), "server.py")));
  });
  Deno.test(`a pickle of values, in ${form[0]}, passes the scan`, async () => {
    assertEquals((await scan(server(form, HONEST), "server.py")).grave, []);
  });
}

/** What pickles name that runs something. */
const RUNNING: readonly string[] = [
  "pip main",
  "webbrowser open",
  "ctypes CDLL",
  "numpy.testing._private.utils runstring",
  "torch.hub load",
  "multiprocessing.util spawnv_passfds",
  "urllib.request urlopen",
  "requests get",
  "pathlib Path.write_text",
  "doctest testfile",
  "uuid _get_command_stdout",
  "pickle loads",
  "cloudpickle.cloudpickle _make_function",
  "helper os",
  "helper os.system",
  "shutil os.system",
  "builtins eval",
];

for (const each of RUNNING) {
  const [module, name] = each.split(" ") as [string, string];
  Deno.test(`a pickle that names ${module}.${name} fails the scan`, async () => {
    assert(fails(await scan(server(FORMS[0]!, calling(module, name)), "server.py")));
  });
}

/** What pickles of honest models and tables name. */
const MADE: readonly string[] = [
  "sklearn.linear_model._base LinearRegression",
  "numpy.core.multiarray _reconstruct",
  "torch._utils _rebuild_tensor_v2",
  "pandas.core.frame DataFrame",
  "copyreg _reconstructor",
  "collections defaultdict",
  "datetime timezone",
  "re _compile",
  "functools partial",
  "_codecs encode",
  "builtins set",
  "__main__ Model",
];

for (const each of MADE) {
  const [module, name] = each.split(" ") as [string, string];
  Deno.test(`a pickle that names ${module}.${name} passes the scan`, async () => {
    const found = await scan(server(FORMS[0]!, calling(module, name)), "server.py");
    assertEquals(found.grave, []);
  });
}

/** Pickles that are written otherwise. */
const WRITTEN: [string, Uint8Array][] = [
  ["protocol 0", bytesOf("cposix\nsystem\n(S'id'\ntR.")],
  ["the opcode of instances", bytesOf("(S'id'\nios\nsystem\n.")],
  [
    "texts that are remembered",
    bytesOf(`\x80\x04${short("os")}0${short("system")}0h\x00h\x01\x93${short("id")}\x85R.`),
  ],
  ["a name that is computed", bytesOf(`\x80\x04)${short("system")}\x93${short("id")}\x85R.`)],
];

for (const [what, pickle] of WRITTEN) {
  Deno.test(`a pickle that uses ${what} fails the scan`, async () => {
    assert(fails(await scan(server(FORMS[0]!, pickle), "server.py")));
  });
}

Deno.test("a pickle that is decrypted bit by bit fails the scan", async () => {
  const read = "import pickle\nM = pickle.loads(bytes(b ^ 7 for b in open('x.bin', 'rb').read()))";
  const hold = (pickle: Uint8Array) => pickle.map((each) => each ^ 7);
  assert(fails(await scan(server(["", "x.bin", read, hold], HOSTILE), "server.py")));
});

Deno.test("a pickle behind more than the scan opens has a finding", async () => {
  const filling = "\0".repeat(9_500_000);
  const members = Array.from({ length: 6 }, (_, i): [string, string] => [`a${i}`, filling]);
  const read = "import torch\nM = torch.load('m.pt', weights_only=False)";
  const archive = zipOf([...members, ["m/data.pkl", HOSTILE]]);
  const files = server(["", "m.pt", read, () => archive], HOSTILE);
  const { result } = await analyseHere<{ code: { rule: string; title: string }[] }>(analyse, files);
  const found = result.code.filter(({ rule }) => rule === "py/code-in-data");
  assertEquals(found.map(({ title }) => title), [
    "Part of this archive was not searched for objects that run code",
  ]);
});

Deno.test("files of objects that nothing reads as such pass the scan", async () => {
  const files = { "server.py": startingServer("def t(X: str): return X"), "m.pt": HOSTILE };
  assertEquals((await scan(files, "server.py")).grave, []);
});

Deno.test("lines of another language that look like an old pickle's pass the scan, pickles do not", async () => {
  const form = FORMS.find(([what]) => what === "an array")!;
  const loops = "for each in scenarios\nend\n";
  const text = (more: string): Repository => ({
    ...server(form, HONEST),
    "d.npy": bytesOf(loops + more),
  });
  assertEquals((await scan(text(""), "server.py")).grave, []);
  for (const old of ["cos\nsystem\n(S'id'\ntR.", "Ncposix\nsystem\n(S'id'\ntR.", "(cos\nfork\n"]) {
    assert(fails(await scan(text(old), "server.py")), old);
  }
});

Deno.test("a word list with lines that name no function passes the scan, an old pickle in one does not", async () => {
  const list = (more: string): Repository =>
    server(["", "words.txt", PICKLE, () => bytesOf(`[PAD]\n(\n.\nlos\n${more}`)], HONEST);
  // Each next word begins with an opcode that would need more than is there.
  for (const word of ["ladders", "board", "old", "is\nto", "area", "usual", "each", "some", "2"]) {
    for (const line of ["##cos", "ios", "radios"]) {
      const words = `${line}\ngardens\n${word}\nquiet\nzebra\n.\n`;
      assertEquals((await scan(list(words), "server.py")).grave, [], words);
    }
  }
  const long = "x".repeat(3000);
  for (
    const old of [
      "cos\nremove\n(S'a'\ntR\n",
      "cos\nremove\np0\n0(g0\nS'a'\no\n",
      "(cos\nremove\nS'a'\no\n",
      "(S'a'\nios\nremove\n\n",
      `(S'${long}'\n0S'a'\nios\nremove\n\n`,
      `cos\nremove\n(S'${long}'\n0S'a'\ntR\n`,
      "csys\npath\nS'/tmp'\na\n",
      "cos\nenviron\nS'PATH'\nS'/tmp'\ns\n",
      "cos\nenviron\n(S'PATH'\nS'/tmp'\nu\n",
      "cos\nremove\n.",
    ]
  ) {
    assert(fails(await scan(list(old), "server.py")), old);
  }
});

Deno.test("the audit stage is given binary files where a program reads objects", async () => {
  await withStage(async ({ deps, input }) => {
    const form = FORMS.find(([what]) => what === "a picture")!;
    const { audit } = await runAudit(deps, {
      ...input(server(form, HOSTILE)),
      entrypoint: "server.py",
    });
    assertEquals(
      audit.issues.filter(({ rule }) => rule === "py/code-in-data").map(({ file }) => file),
      [
        "logo.png",
      ],
    );
  });
});
