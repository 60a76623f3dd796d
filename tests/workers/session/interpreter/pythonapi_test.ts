import { assertEquals } from "@std/assert";
import { callTool, openTestHosts, server, sessionInput } from "../../../helpers/interpreter.ts";

/** Calls the tool `run` of a server. */
async function run(body: string): Promise<string> {
  await using hosts = await openTestHosts();
  const session = await hosts.open(sessionInput(server(body)));
  const said = session.load.kind === "loaded"
    ? await callTool(session, "run")
    : JSON.stringify(session.load);
  await session.close();
  return said;
}

Deno.test("code that asks ctypes.pythonapi for functions that the interpreter does not export gets them", async () => {
  const body = `
import ctypes, threading
api = ctypes.pythonapi
make = api.PyCapsule_New
make.restype, make.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
name_of = api.PyCapsule_GetName
name_of.restype, name_of.argtypes = ctypes.c_char_p, [ctypes.py_object]
@tool
def run() -> str:
    capsule = make(16, b"module.name", None)
    nobody = api.PyThreadState_SetAsyncExc(ctypes.c_ulong(1), ctypes.py_object(KeyError))
    view = api.PyMemoryView_FromMemory
    view.restype, view.argtypes = ctypes.py_object, [ctypes.c_char_p, ctypes.c_ssize_t, ctypes.c_int]
    # Also one that the interpreter's own table has.
    api.PyFrame_FastToLocals
    level = ctypes.c_int.in_dll(api, "Py_OptimizeFlag").value
    return f"{type(capsule).__name__} {name_of(capsule)} {nobody} {bytes(view(b'abc', 3, 0x100))} {level}"
`;
  assertEquals(await run(body), "PyCapsule b'module.name' 0 b'abc' 0");
});

Deno.test("ctypes.pythonapi has nothing that runs text or bytecode, and says so of what does not exist", async () => {
  const body = `
import ctypes
@tool
def run() -> str:
    asked = (
        "PyRun_String", "Py_CompileString", "PyEval_EvalCode", "PyEval_EvalCodeEx",
        "PyMarshal_ReadObjectFromString", "PyImport_ExecCodeModule", "PyRun_SimpleFileExFlags",
        "_PyEval_EvalFrameDefault", "Py_CompileStringExFlags", "berth_lend", "PyNothing_OfThisName",
    )
    return " ".join(name for name in asked if hasattr(ctypes.pythonapi, name)) or "none"
`;
  assertEquals(await run(body), "none");
});
