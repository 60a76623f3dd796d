/**
 * Functions of Python that do something with the world, by what they do.
 *
 * @module
 */

import { byText } from "../../by_text.ts";
import { starterOf } from "./starters.ts";

/** The danger that a call brings when hostile input gets into it. */
export type SinkKind =
  | "shell"
  | "process"
  | "code"
  | "import"
  | "template"
  | "pickle"
  | "sql"
  | "query"
  | "regex"
  | "format"
  | "file"
  | "request";

const EXACT: Record<string, SinkKind> = {
  "os.system": "shell",
  "os.popen": "shell",
  "subprocess.getoutput": "shell",
  "subprocess.getstatusoutput": "shell",
  "asyncio.create_subprocess_shell": "shell",
  "asyncio.subprocess.create_subprocess_shell": "shell",
  "subprocess.run": "process",
  "subprocess.call": "process",
  "subprocess.check_call": "process",
  "subprocess.check_output": "process",
  "subprocess.Popen": "process",
  "asyncio.create_subprocess_exec": "process",
  "asyncio.subprocess.create_subprocess_exec": "process",
  "pty.spawn": "process",
  "os.popen2": "shell",
  "os.popen3": "shell",
  "_posixsubprocess.fork_exec": "process",
  "pexpect.spawn": "process",
  "pexpect.run": "process",
  "ptyprocess.PtyProcess.spawn": "process",
  "ptyprocess.PtyProcessUnicode.spawn": "process",
  "winpty.PtyProcess.spawn": "process",
  eval: "code",
  exec: "code",
  compile: "code",
  "code.interact": "code",
  "code.InteractiveInterpreter.runsource": "code",
  "code.InteractiveInterpreter.runcode": "code",
  "codeop.compile_command": "code",
  "timeit.timeit": "code",
  "timeit.repeat": "code",
  "timeit.Timer": "code",
  "cProfile.run": "code",
  "cProfile.runctx": "code",
  "profile.run": "code",
  "profile.runctx": "code",
  "pdb.run": "code",
  "pdb.runeval": "code",
  "bdb.Bdb.run": "code",
  "js.eval": "code",
  "pyodide.code.run_js": "code",
  "pyodide.code.eval_code": "code",
  "pyodide.code.eval_code_async": "code",
  "pyodide_js.runPython": "code",
  "types.FunctionType": "code",
  "typing.ForwardRef": "code",
  "annotationlib.ForwardRef": "code",
  "gettext.c2py": "code",
  "sys.remote_exec": "code",
  "pandas.eval": "code",
  "logging.config.dictConfig": "code",
  "logging.config.fileConfig": "code",
  "pydoc.locate": "import",
  "pkgutil.resolve_name": "import",
  "importlib.__import__": "import",
  "logging.config._resolve": "import",
  "logging.config._importer": "import",
  "unittest.mock._importer": "import",
  "zope.dottedname.resolve.resolve": "import",
  "twisted.python.reflect.namedAny": "import",
  "kombu.utils.imports.symbol_by_name": "import",
  "traitlets.utils.importstring.import_item": "import",
  "hydra.utils.instantiate": "import",
  "hydra.utils.call": "import",
  "hydra.utils.get_method": "import",
  "hydra.utils.get_object": "import",
  "pkg_resources.EntryPoint.parse": "import",
  "importlib.metadata.EntryPoint": "import",
  "importlib.import_module": "import",
  __import__: "import",
  "jinja2.Template": "template",
  "mako.template.Template": "template",
  "django.template.Template": "template",
  "tornado.template.Template": "template",
  "Cheetah.Template.Template": "template",
  "chevron.render": "template",
  "pystache.render": "template",
  "pickle.load": "pickle",
  "pickle.loads": "pickle",
  "cPickle.loads": "pickle",
  "pickle.Unpickler": "pickle",
  "pickle._loads": "pickle",
  "pickle._load": "pickle",
  "pickle._Unpickler": "pickle",
  "_pickle.load": "pickle",
  "_pickle.loads": "pickle",
  "_pickle.Unpickler": "pickle",
  "dill.Unpickler": "pickle",
  "dill.loads": "pickle",
  "dill.load": "pickle",
  "cloudpickle.loads": "pickle",
  "cloudpickle.load": "pickle",
  "joblib.load": "pickle",
  "marshal.loads": "pickle",
  "marshal.load": "pickle",
  "jsonpickle.decode": "pickle",
  "pandas.read_pickle": "pickle",
  "shelve.open": "pickle",
  "multiprocessing.connection.Client": "pickle",
  "yaml.unsafe_load": "pickle",
  "yaml.full_load": "pickle",
  "yaml.unsafe_load_all": "pickle",
  "yaml.UnsafeLoader": "pickle",
  "yaml.CUnsafeLoader": "pickle",
  open: "file",
  "io.open": "file",
  "codecs.open": "file",
  "aiofiles.open": "file",
  "os.open": "file",
  "os.remove": "file",
  "os.unlink": "file",
  "os.rename": "file",
  "os.replace": "file",
  "os.rmdir": "file",
  "os.removedirs": "file",
  "os.mkdir": "file",
  "os.makedirs": "file",
  "os.listdir": "file",
  "os.scandir": "file",
  "os.walk": "file",
  "os.chmod": "file",
  "os.symlink": "file",
  "shutil.rmtree": "file",
  "shutil.copy": "file",
  "shutil.copy2": "file",
  "shutil.copyfile": "file",
  "shutil.copytree": "file",
  "shutil.move": "file",
  "shutil.unpack_archive": "file",
  "importlib.util.spec_from_file_location": "import",
  "importlib.machinery.SourceFileLoader": "import",
  "runpy.run_path": "import",
  "runpy.run_module": "import",
  "string.Template": "format",
  "zipfile.ZipFile": "file",
  "tarfile.open": "file",
  "gzip.open": "file",
  "bz2.open": "file",
  "lzma.open": "file",
  "re.compile": "regex",
  "re.search": "regex",
  "re.match": "regex",
  "re.fullmatch": "regex",
  "re.sub": "regex",
  "re.split": "regex",
  "re.findall": "regex",
  "re.finditer": "regex",
  "pandas.read_sql": "sql",
  "pandas.read_sql_query": "sql",
  "urllib.request.urlopen": "request",
  "urllib.request.urlretrieve": "request",
  "urllib.request.Request": "request",
  "aiohttp.request": "request",
};

const HTTP =
  /^(requests|httpx|requests\.api)\.(get|post|put|patch|delete|head|options|request|stream)$/;
const EXEC = /^os\.(exec|spawn|posix_spawn)[a-z]*$/;
const RUNNER =
  /^(code\.Interactive(Interpreter|Console)|codeop\.(Compile|CommandCompiler)|bdb\.Bdb|pdb\.Pdb|cProfile\.Profile|profile\.Profile|trace\.Trace)\(\)\.(runsource|runcode|push|run|runctx|runeval)$|(^IPython\b.*|InteractiveShell.*|get_ipython\(\))\.(run_cell|run_cell_async|ex|ev|system|getoutput)$|^tkinter\.(Tcl|Tk)\(\)\.eval$/;
const IMPORTER =
  /(^|\.)import_(string|from_string)$|^logging\.config\.\w+\(\)\.resolve$|\.loadTestsFromNames?$|\.load_extension$/;
const LOOP = /\.(subprocess_shell|subprocess_exec)$/;
const SQL = /\.(execute|executemany|executescript|execute_query|raw|read_sql|read_sql_query)$/;
const QUERY =
  /\.(search_s|search_ext_s|search_st|xpath|iterfind|find_one|find_many|aggregate|delete_one|delete_many|update_one|update_many|count_documents)$|(^|[._])(collection|coll|mongo\w*)(\(\))?\.find$/;
const TEMPLATE =
  /(^|[._])(env|environment|jinja\w*|templates?)\.(from_string|compile_expression)$|^jinja2\.[\w.]*Environment\(\)\.compile_expression$/i;
const SESSION =
  /(^|[._])(session|client|http|http_client|sess|s)(\(\))?\.(get|post|put|patch|delete|head|request)$/i;

/** What a called function does, or null. */
export const sinkOf: (name: string) => SinkKind | null = byText((name) => {
  if (Object.hasOwn(EXACT, name)) return EXACT[name]!;
  if (EXEC.test(name)) return "process";
  const starter = starterOf(name);
  if (starter !== null) return starter.kind;
  if (RUNNER.test(name)) return "code";
  if (IMPORTER.test(name)) return "import";
  if (LOOP.test(name)) return name.endsWith("shell") ? "shell" : "process";
  if (HTTP.test(name)) return "request";
  if (SQL.test(name)) return "sql";
  if (QUERY.test(name)) return "query";
  if (TEMPLATE.test(name)) return "template";
  return SESSION.test(name) ? "request" : null;
});

const DANGEROUS: ReadonlySet<SinkKind | null> = new Set([
  "shell",
  "process",
  "code",
  "pickle",
  "import",
]);

/** Whether a function runs programs or code. */
export function isDangerous(name: string): boolean {
  return DANGEROUS.has(sinkOf(name));
}

/** Methods of `pathlib.Path` that touch the file system. */
export const PATH_METHODS = new Set([
  "read_text",
  "read_bytes",
  "write_text",
  "write_bytes",
  "open",
  "unlink",
  "rmdir",
  "mkdir",
  "touch",
  "rename",
]);

/** Which position holds what a sink does something with: `spec_from_file_location(name, path)`. */
export function targetPosition(name: string): number {
  const starter = starterOf(name);
  if (starter !== null) return starter.at[0] ?? -1;
  if (
    /\.(spec_from_file_location|SourceFileLoader|subprocess_shell|EntryPoint|remote_exec)$/.test(
      name,
    )
  ) {
    return 1;
  }
  return /\.(search_s|search_ext_s|search_st)$/.test(name) ? 2 : 0;
}

/** Which position holds the address of a request: `request(method, url)` has it second. */
export function addressPosition(name: string): number {
  return /\.(request|stream)$/.test(name) ? 1 : 0;
}
