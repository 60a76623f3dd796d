/**
 * What it means that a pickle names a function or a class: whoever reads it has it called with what
 * the pickle holds.
 *
 * @module
 */
import { isDangerous } from "../../python/calls/sinks.ts";
import { usual } from "../../python/calls/usual_name.ts";

/** Modules of the standard library that only hold values, or functions which only make them. */
const VALUES =
  /^(collections|datetime|_?pydatetime|decimal|_decimal|_pydecimal|fractions|uuid|enum|array|ipaddress|zoneinfo|copy_?reg|pathlib|re|sre_\w+|random|itertools|numbers|dataclasses|math|cmath|statistics|string|typing|email|argparse|abc|weakref|struct|_struct|heapq|_heapq|bisect|calendar|time|locale|graphlib|secrets|hashlib|queue|threading|_thread|contextvars|xml\.etree\.ElementTree|_elementtree)$/;
/** What other modules have of that kind. */
const VALUE =
  /^(types\.(SimpleNamespace|MappingProxyType|GenericAlias|NoneType|ModuleType)|_?codecs\.(encode|lookup)|functools\.(partial|lru_cache|cached_property|total_ordering)|_?operator\.(itemgetter|attrgetter|add|mul|sub|or_|and_|getitem)|_?io\.(BytesIO|StringIO)|logging\.(Logger|RootLogger|getLogger|_\w+)|http\.(HTTPStatus|cookies\.\w+|cookiejar\.\w+)|urllib\.parse\.\w+|ast\.[A-Z]\w+|concurrent\.futures\.\w+|asyncio\.\w+Error|socket\.(AddressFamily|SocketKind)|ssl\.\w+|traceback\.\w+|unittest\.mock\.\w+|json\.(decoder|encoder)\.\w+)$/;
const BUILT_IN =
  /^(set|frozenset|list|dict|tuple|int|long|float|complex|bool|str|unicode|basestring|bytes|bytearray|buffer|range|xrange|slice|object|type|super|property|staticmethod|classmethod|zip|enumerate|reversed|len|sum|min|max|abs|sorted|print|round|hash|id|iter|next|all|any|repr|memoryview|Ellipsis|NotImplemented|NoneType|\w+(Error|Exception|Warning|Exit|Interrupt|Iteration))$/;
/** Modules of the standard library that a pickle has no honest use for. */
const STANDARD =
  /^_?(os|posix|posixpath|nt|ntpath|subprocess|builtins|__builtin__|sys|runpy|pty|importlib|frozen_importlib\w*|code|codeop|shutil|socket|posixsubprocess|commands|timeit|pdb|bdb|types|codecs|functools|operator|io|logging|http|urllib\d?|asyncio|ctypes|multiprocessing|webbrowser|pydoc|profile|cProfile|platform|distutils|site|zipimport|zipfile|tarfile|ensurepip|idlelib|pickle|cPickle|pickletools|marshal|tempfile|doctest|lib2to3|venv|smtplib|ftplib|telnetlib|poplib|imaplib|nntplib|xmlrpc|socketserver|ssl|trace|tracemalloc|atexit|signal|sched|shelve|dbm|sqlite3|gc|inspect|linecache|mmap|fileinput|glob|pkgutil|pkg_resources|modulefinder|py_compile|compileall|symtable|dis|test|unittest|tkinter|turtle|curses|readline|rlcompleter|cmd|shlex|getpass|resource|syslog|winreg|msvcrt|pwd|grp|fcntl|select|selectors|concurrent|imp|ast|json|traceback|warnings|contextlib|aifc|crypt|pipes|wsgiref|cgi|cgitb|gettext|hmac|mailcap|netrc|nturl2path|optparse|plistlib|xml|zipapp|bz2|lzma|gzip|zlib|testcapi|opcode|tokenize|string|sysconfig)$/;
/** Functions of libraries that run, fetch or load, and what makes functions of code. */
const LIBRARIES =
  /^(pip|setuptools|requests|httpx|aiohttp|urllib3|paramiko|fabric|invoke|sh|plumbum|pexpect|psutil|yaml|jinja2|mako|IPython|keyring|boto3|docker)(\.|$)|^(numpy|np)\.(testing|distutils|f2py|load|lib\.npyio|ctypeslib|loadtxt|fromfile|memmap)\b|^torch\.(hub|load|save|serialization|jit\.(?!_)\w+|package|distributed|multiprocessing|_dynamo|_inductor|utils\.(cpp_extension|collect_env|bottleneck|model_zoo|data\.datapipes))\b|^pandas\.(read_\w+|eval|io|core\.computation|compat\.pickle_compat)\b|^(joblib|sklearn\.externals\.joblib)\.(load|numpy_pickle\.load|_parallel_backends|parallel)\b|^(dill|cloudpickle)(\.\w+)*\.(loads?|_eval_repr|_create_code|_create_function|_import_module|_make_function|_make_skel_func|_builtin_type|subimport|_fill_function|_cell_set|_load_type|_get_attr|_getattribute)$|^(keras|tensorflow)\.(.*\.)?(load\w*|py_function|read_file|write_file|import_module)$|^sympy\.(sympify|parsing|lambdify|utilities\.lambdify)|^(scipy\.io|matplotlib\.(cbook|pyplot))\.\w*load\w*$|^statsmodels\.iolib\.smpickle/;
/** Names that say what they do wherever they are. */
const ANYWHERE =
  /(^|\.)(system|popen|Popen|eval|exec|execfile|__import__|import_module|getattr|__getattribute__|__globals__|__builtins__|__subclasses__|check_output|check_call|getoutput|getstatusoutput|run_code|run_path|run_module|startfile|spawn[lv]p?e?|exec[lv]p?e?|posix_spawnp?)$/;

/** Whether a pickle that names this makes something run, or reaches out, where it is read. */
export function runsByPickle(dotted: string): boolean {
  const name = usual(dotted.replace(/^__builtin__\./, "builtins."));
  const own = /^(?:__builtin__|builtins)\.(.+)$/.exec(dotted)?.[1];
  if (own !== undefined) return !BUILT_IN.test(own);
  if (isDangerous(name) || ANYWHERE.test(name) || LIBRARIES.test(dotted)) return true;
  const at = dotted.lastIndexOf(".");
  if (/\._?(os|sys|subprocess|builtins|importlib|shutil|ctypes|pty)$/.test(dotted)) return true;
  // `shutil.os.system`, `pathlib.Path.write_text`: a dot in the name looks into a class or a module.
  const module = dotted.slice(0, at);
  if (VALUE.test(dotted)) return false;
  if (VALUES.test(module)) {
    return /\._(?!compile$|reconstruct\w*$|array_reconstructor$)\w+$/.test(dotted);
  }
  const [first] = dotted.split(".");
  return STANDARD.test(first!) || VALUES.test(first!) && !/^(collections|email|xml)\./.test(dotted);
}
