/**
 * Functions of libraries that evaluate a text they are given: as Python, as a formula that Python
 * evaluates, in another language's interpreter, as data that makes objects.
 *
 * @module
 */
/** What the text of a caller may do in an evaluator. */
export type Reach =
  /** All that Python may. */
  | "full"
  /** Objects of any class are made of the data, which is as much. */
  | "objects"
  /** What the library lets through; such checks were got around before. */
  | "checked";

/** A function that evaluates. */
export interface Evaluator {
  pattern: RegExp;
  reach: Reach;
  /** Positions and keywords of what is evaluated; by default the first argument. `object`: the receiver. */
  at?: readonly (number | string)[];
  /** Whether a call with these keywords evaluates at all. */
  when?: (keyword: (name: string, at?: number) => string) => boolean;
  /** Any value but text is taken as it is. */
  plainText?: boolean;
  /**
   * Attributes of what it is given are evaluated too: annotations, docstrings. `only`: nothing else,
   * as it takes no text but functions, whose results are no annotations.
   */
  attributes?: true | "only";
  /** What no honest literal has in the evaluator's own language. */
  hostile?: RegExp;
}

const allowsPickle = (at: number) => (keyword: (name: string, at?: number) => string) =>
  keyword("allow_pickle", at) !== "" && keyword("allow_pickle", at) !== "False";
const FRAMES =
  "(pandas|geopandas|modin\\.pandas|dask\\.dataframe|xarray|cudf)\\.[\\w.()]*|(^|[._])(df|dfs|dataframe|data_frame|gdf)\\d*(\\[\\])?|(^|\\.)DATAFRAMES?";
const RUNS_PROGRAMS =
  /\b(system2?|shell|shell_exec|unix|dos|process_create|reticulate|py_run_\w+)\s*\(/;

/** What C has no reason to do in a server's extension: start programs, open connections, load code. */
const RUNS_OF_C =
  /\b(system|popen|exec[lv]p?e?|posix_spawnp?|fork|vfork|WinExec|CreateProcess\w*|ShellExecute\w*|dlopen|LoadLibrary\w*|socket|connect|mprotect|PyRun_\w+|Py_CompileString\w*|syscall|ptrace)\s*\(|\b__asm__\b|\basm\s*(volatile)?\s*\(/;

/** Every evaluator, by the dotted name under which it is called; `()` stands for what a call made. */
export const EVALUATORS: readonly Evaluator[] = [
  {
    pattern:
      /^sympy\.([\w.]+\.)?(sympify|S|kernS|parse_expr|eval_expr|lambdify|mathematica|parse_maxima|autowrap|ufuncify)$/,
    reach: "full",
    at: [0, 1, "a", "s", "expr"],
  },
  {
    pattern:
      /^sympy\.(?!(Symbol|symbols|Dummy|Function|Integer|Float|Rational|latex|pretty|pprint|srepr|Wild|var|parsing|printing|isprime|factorint)\b)(\w+\.)*\w+$/,
    reach: "full",
    plainText: true,
    at: [0, 1, 2],
  },
  { pattern: /^sage\.([\w.]+\.)?(sage_eval|sageobj|preparse)$/, reach: "full" },
  {
    pattern: /^numexpr\.([\w.]+\.)?(evaluate|validate|NumExpr)$/,
    reach: "full",
    at: [0, "ex"],
    when: (keyword) => keyword("sanitize") === "False",
  },
  { pattern: /^numexpr\.([\w.]+\.)?(evaluate|validate|NumExpr)$/, reach: "checked", at: [0, "ex"] },
  {
    pattern: /^(pandas|modin\.pandas|xarray)\.([\w.]+\.)?eval$/,
    reach: "full",
    at: [0, "expr"],
  },
  { pattern: new RegExp(`(${FRAMES})\\.(query|eval)$`, "i"), reach: "full", at: [0, "expr", "*"] },
  {
    pattern:
      /^(patsy\.\w+|formulaic\.\w+|(statsmodels\.)?formula\.api\.\w+|statsmodels\.formula\.[\w.]+)$/,
    reach: "full",
    at: [0, "formula", "formula_like"],
  },
  { pattern: /^asteval\.Interpreter\(\)(\.(eval|parse|run|__call__))?$/, reach: "checked" },
  {
    pattern:
      /^(evalidate\.\w+|RestrictedPython\.[\w.]*compile_\w+|smolagents\.[\w.]*PythonExecutor\(\))$/,
    reach: "checked",
  },
  { pattern: /^jsonpath\.jsonpath$/, reach: "full", at: [1, "expr"] },
  {
    pattern: /^js2py\.\w+$|^js2py\.EvalJs\(\)\.(eval|execute)$/,
    reach: "full",
    hostile: /\bpyimport\b/,
  },
  {
    pattern: /^execjs\.(\w+\.)*(eval|exec_|compile)$|^execjs\.[\w.]*get\(\)\.(eval|compile|exec_)$/,
    reach: "full",
  },
  {
    pattern: /^lupa\.([\w.]+\.)?LuaRuntime\(\)\.(execute|eval|compile)$/,
    reach: "full",
    hostile: /\bpython\s*[.[]/,
  },
  {
    pattern:
      /^(dukpy\.\w+|(py_mini_racer\.)?([\w.]+\.)?(MiniRacer|StrictMiniRacer)\(\)\.(eval|execute|call)|pyduktape2?\.DuktapeContext\(\)\.\w+|quickjs\.(Context|Function)\(\)\.\w+|STPyV8\.JSContext\(\)\.eval)$/,
    reach: "checked",
  },
  {
    pattern: /^rpy2\.robjects\.(r|reval)$|^rpy2\.rinterface\.\w*eval\w*$|^rpy2\.robjects\.r\(\)$/,
    reach: "full",
    hostile: RUNS_PROGRAMS,
  },
  {
    pattern: /^(oct2py\.(Oct2Py\(\)|octave)|matlab\.engine\.\w+\(\))\.(eval|evalc|feval)$/,
    reach: "full",
    hostile: RUNS_PROGRAMS,
  },
  {
    pattern: /^pyswip\.Prolog(\(\))?\.(query|assertz|consult)$/,
    reach: "full",
    hostile: RUNS_PROGRAMS,
  },
  {
    pattern: /^clingo\.([\w.]+\.)?Control\(\)\.add$/,
    reach: "full",
    at: [0, 1, 2],
    hostile: /#script/,
  },
  {
    pattern:
      /^(numpy\.f2py\.compile|cffi\.FFI\(\)\.(verify|set_source)|Cython\.([\w.]+\.)?(inline|cython_inline)|(scipy\.)?weave\.inline|pyximport\.\w+|torch\.utils\.cpp_extension\.load(_inline)?|cppyy\.cppdef)$/,
    reach: "full",
    at: [0, 1, "source", "cpp_sources", "preamble"],
    hostile: RUNS_OF_C,
  },
  { pattern: /^execnet\.[\w.]+\(\)\.remote_exec$|\.remote_exec$/, reach: "full" },
  {
    pattern:
      /^(langchain\w*\.)([\w.]+\.)?Python(Ast)?REPL(Tool)?\(\)\.(run|invoke|arun|ainvoke)$|(^|\.)Python(Ast)?REPL(Tool)?\(\)\.(run|invoke|arun|ainvoke)$/,
    reach: "full",
  },
  {
    pattern:
      /^IPython\.[\w.()]+\.(run_cell|run_cell_async|run_code|ex|ev|run_line_magic|run_cell_magic|system|getoutput)$|^jupyter_client\.[\w.()]+\.(execute|execute_interactive|run_cell)$|^jupyter_client\.run_kernel\b.*\.execute$/,
    reach: "full",
    at: [0, 1, "raw_cell", "code", "line"],
  },
  {
    pattern:
      /^(nbclient\.([\w.]+\.)?NotebookClient|nbconvert\.preprocessors\.([\w.]+\.)?ExecutePreprocessor)\(\)\.(execute|async_execute|preprocess)$/,
    reach: "full",
    at: ["object", 0],
  },
  { pattern: /^(nbclient\.execute|papermill\.execute_notebook)$/, reach: "full" },
  {
    pattern:
      /^doctest\.(testfile|run_docstring_examples|script_from_examples|debug_src|debug_script|DocTestParser\(\)\.(get_doctest|get_examples|parse))$/,
    reach: "full",
    attributes: true,
  },
  { pattern: /^pygments\.[\w.]*load_(lexer|formatter)_from_file$/, reach: "full" },
  {
    pattern:
      /^(bdb\.Bdb|pdb\.Pdb|cProfile\.Profile|profile\.Profile|trace\.Trace)\(\)\.(run|runctx|runeval)$/,
    reach: "full",
  },
  {
    pattern: /^(cookiecutter\.([\w.]+\.)?cookiecutter|copier\.(run_(copy|update|recopy)|copy))$/,
    reach: "full",
    at: [0, "template", "src_path"],
  },
  {
    // Statements, and what is run before them.
    pattern: /^timeit\.(timeit|repeat|Timer)$/,
    reach: "full",
    at: [0, 1, "stmt", "setup"],
  },
  {
    pattern:
      /^(_interpreters|_xxsubinterpreters|_interpreters_c|interpreters|(test\.support|concurrent)\.interpreters)\.(run_string|exec|run_func)$|^(concurrent\.|test\.support\.)?interpreters\.create\(\)\.(exec|run|call|prepare_main)$/,
    reach: "full",
    at: [0, 1],
  },
  {
    pattern: /(^|\.)(run_in_subinterp(_with_config)?|run_in_interp)$/,
    reach: "full",
    at: [0, "code"],
  },
  {
    // They evaluate what annotations say, which a caller may have given.
    pattern: /^(inspect\.(signature|get_annotations)|annotationlib\.get_annotations)$/,
    reach: "full",
    when: (keyword) => keyword("eval_str") === "True",
    attributes: "only",
  },
  { pattern: /^typing(_extensions)?\.get_type_hints$/, reach: "full", attributes: "only" },
  {
    // Names of fields become source that is compiled; dataclasses and named tuples check theirs.
    pattern: /^(attr|attrs)\.make_class$/,
    reach: "full",
    at: [1, "attrs"],
  },
  {
    pattern: /^doctest\.(testmod|testsource|DocTestRunner\(\)\.run)$/,
    reach: "full",
    attributes: true,
  },
  { pattern: /^(cython|Cython(\.\w+)*)\.(cython_)?inline$/, reach: "full" },
  { pattern: /^six\.exec_$|^past\.builtins\.(execfile|exec)$/, reach: "full" },
  {
    pattern: /__annotations__\.(update|__setitem__|setdefault)$/,
    reach: "full",
    at: [0, 1, "*"],
  },
  { pattern: /^torch\.hub\.(load|list|help)$/, reach: "full", at: [0, "repo_or_dir", "github"] },
  {
    pattern: /^torch\.([\w.]+\.)?load$/,
    reach: "objects",
    at: [0, "f"],
    when: (keyword) => keyword("weights_only") === "False",
  },
  {
    pattern:
      /^(tensorflow\.)?(keras|tf\.keras)\.[\w.]*load_model$|^tensorflow\.keras\.[\w.]*load_model$/,
    reach: "objects",
    when: (keyword) => keyword("safe_mode") === "False",
  },
  {
    pattern: /^multiprocessing\.(managers\.)?(Base|Sync|SharedMemory)Manager$/,
    reach: "objects",
    at: [0, "address"],
  },
  { pattern: /^numpy\.load$/, reach: "objects", at: [0, "file"], when: allowsPickle(2) },
  {
    pattern: /^numpy\.lib\.(format\.(read_array|open_memmap)|npyio\.(load|NpzFile))$/,
    reach: "objects",
    when: allowsPickle(1),
  },
  {
    pattern: /^ruamel\.yaml\.(unsafe_load|load|load_all|round_trip_load_unsafe)$/,
    reach: "objects",
    when: (keyword) => !/Safe|Base|RoundTrip/.test(keyword("Loader", 1)),
  },
  { pattern: /^ruamel\.yaml\.YAML\((unsafe)\)\.load(_all)?$/, reach: "objects" },
  {
    pattern:
      /^(jsonpickle\.(loads|unpickler\.decode|Unpickler\(\)\.restore)|networkx\.read_gpickle|sklearn\.externals\.joblib\.load|pyarrow\.deserialize|compress_pickle\.loads?|pickle5\.loads?|_pickle\.loads?|zodbpickle\.loads?|multiprocessing\.reduction\.ForkingPickler\.loads|pandas\.compat\.pickle_compat\.loads?|lightgbm\.Booster\(\)\.\w*pickle\w*|srsly\.pickle_loads|plistlib_unsafe\.loads|numpy\.lib\.format\.read_magic_pickle|klepto\.\w+|cachelib\.\w+|sqlitedict\.decode|diskcache\.\w*Pickle\w*)$/,
    reach: "objects",
  },
];
