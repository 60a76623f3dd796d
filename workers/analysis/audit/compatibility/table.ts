/**
 * What the restricted interpreter profile refuses (specification, "Limits"), and what to use
 * instead. The interpreter checks the same constructs by the same names before it runs a module.
 *
 * @module
 */

/** Hints by construct family. */
export const HINTS = {
  http: "use requests",
  class: "use functions, dictionaries, and lists",
  async: "use def with requests",
  files: "keep data in memory, or fetch it with requests",
  native: "compiled code does not run in the restricted profile: use the standard library or " +
    "requests, or run Berth with INTERPRETER_PROFILE=full",
  loader:
    "libraries of other systems cannot be loaded in the sandbox: use a package of Python or " +
    "one with a wheel for Pyodide",
  wheel: "sessions get a compiled package only if it is declared and has a wheel for Pyodide",
  late: "declare its package in requirements.txt or pyproject.toml, unless the report says why " +
    "it is unavailable",
} as const;

/** Libraries that are refused by name. */
export const HTTP_LIBRARIES = new Set(["httpx", "aiohttp"]);

/** Modules that load compiled code. */
export const NATIVE_LOADERS = new Set(["ctypes", "_ctypes", "cffi"]);

/** Packages that are published as binary wheels. */
export const BINARY_PACKAGES = new Set(
  (
    "numpy pandas scipy matplotlib PIL cv2 torch tensorflow sklearn lxml cryptography orjson " +
    "ormsgpack ujson psycopg2 psycopg pymongo grpc uvloop greenlet gevent zmq pyarrow polars duckdb " +
    "tiktoken tokenizers pydantic_core rpds regex bcrypt nacl lz4 zstandard brotli msgpack " +
    "pyodbc MySQLdb asyncpg psutil numba h5py shapely pyproj transformers faiss onnxruntime " +
    "pynput pyautogui win32api fitz"
  ).split(" "),
);

/** Modules of which every function touches files. */
export const FILE_MODULES = new Set(
  "shutil tempfile fileinput shelve dbm mmap linecache filecmp".split(" "),
);

const functions = (text: string) => new Set(text.split(" "));

/** Functions of other modules that touch files. */
export const FILE_FUNCTIONS: Record<string, ReadonlySet<string>> = {
  builtins: functions("open"),
  "importlib.resources": functions(
    "files as_file path contents read_text read_binary open_text open_binary",
  ),
  pkgutil: functions("get_data"),
  io: functions("open open_code FileIO"),
  _io: functions("open open_code FileIO"),
  codecs: functions("open"),
  tokenize: functions("open"),
  gzip: functions("open GzipFile"),
  bz2: functions("open BZ2File"),
  lzma: functions("open LZMAFile"),
  zipfile: functions("ZipFile"),
  tarfile: functions("open TarFile"),
  glob: functions("glob iglob"),
  os: functions(
    "open fdopen remove unlink rename renames replace mkdir makedirs rmdir removedirs link " +
      "symlink truncate listdir scandir walk fwalk chmod chown mkfifo mknod utime readlink sendfile",
  ),
  posix: functions("open remove unlink rename mkdir rmdir listdir scandir"),
  logging: functions("FileHandler"),
  "logging.handlers": functions(
    "RotatingFileHandler TimedRotatingFileHandler WatchedFileHandler",
  ),
  sqlite3: functions("connect"),
};

/** Methods that only paths have. */
export const PATH_ALWAYS = functions("read_text write_text read_bytes write_bytes");

/** Methods of paths that other objects have too. */
export const PATH_METHODS = functions(
  "open mkdir rmdir unlink touch rename replace iterdir glob rglob symlink_to hardlink_to chmod walk",
);

/** Methods of paths that give paths. */
export const PATH_STEPS = functions(
  "joinpath with_name with_suffix resolve absolute expanduser home cwd",
);

/** Classes whose instances are paths. */
export const PATH_CLASSES = functions("pathlib.Path pathlib.PosixPath pathlib.WindowsPath");

/** Functions that make a class. */
export const CLASS_MAKERS = functions(
  "types.new_class builtins.__build_class__ builtins.type.__new__ builtins.type.__call__",
);

/** Classes of classes: called with two arguments and more they make one. */
export const METACLASSES = functions("builtins.type abc.ABCMeta enum.EnumMeta enum.EnumType");
