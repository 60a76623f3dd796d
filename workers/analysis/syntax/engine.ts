/**
 * Tree-sitter's engine, and a cursor over its trees that is called as the engine exports it: the
 * package's own cursor copies its state into WebAssembly memory and back for each question, of which
 * there are half a dozen for each node.
 *
 * @module
 */
import { readFile } from "node:fs/promises";
import { Parser, type Tree } from "web-tree-sitter";

/**
 * The one cursor, over the tree that it last entered. Its state lies in the engine's transfer buffer:
 * nothing else may be asked of the engine before it leaves.
 */
export interface EngineCursor {
  /** Goes to the root of a tree. */
  enter(tree: Tree): void;
  /** Gives back what `enter` took; to be called once after it. */
  leave(): void;
  /** Number of the node's type in the grammar. */
  type(): number;
  /** Number of the field that holds the node, or 0. */
  field(): number;
  /** UTF-16 positions in the text. */
  start(): number;
  end(): number;
  /** These say whether there was such a node to go to. */
  toFirstChild(): boolean;
  toNextSibling(): boolean;
  toParent(): boolean;
}

/** What the engine exports, each function with the address of the tree. */
type EngineExports = Record<
  `ts_tree_${
    | "root_node"
    | `cursor_${
      | "new"
      | "delete"
      | "current_node_type_id"
      | "current_field_id"
      | "start_index"
      | "end_index"
      | "goto_first_child"
      | "goto_next_sibling"
      | "goto_parent"}`}_wasm`,
  (tree: number) => number
>;

let engine: Promise<EngineCursor> | undefined;

function cursorOf(exports: EngineExports): EngineCursor {
  const {
    ts_tree_root_node_wasm: root,
    ts_tree_cursor_new_wasm: begin,
    ts_tree_cursor_delete_wasm: remove,
    ts_tree_cursor_current_node_type_id_wasm: type,
    ts_tree_cursor_current_field_id_wasm: field,
    ts_tree_cursor_start_index_wasm: start,
    ts_tree_cursor_end_index_wasm: end,
    ts_tree_cursor_goto_first_child_wasm: toFirstChild,
    ts_tree_cursor_goto_next_sibling_wasm: toNextSibling,
    ts_tree_cursor_goto_parent_wasm: toParent,
  } = exports;
  let address = 0;
  return {
    enter(tree) {
      address = (tree as unknown as { 0: number })[0];
      // The root is left in the transfer buffer, where the new cursor takes it from.
      root(address);
      begin(address);
    },
    leave: () => void remove(address),
    type: () => type(address),
    field: () => field(address),
    start: () => start(address),
    end: () => end(address),
    toFirstChild: () => toFirstChild(address) === 1,
    toNextSibling: () => toNextSibling(address) === 1,
    toParent: () => toParent(address) === 1,
  };
}

async function load(): Promise<EngineCursor> {
  const file = new URL(import.meta.resolve("web-tree-sitter/web-tree-sitter.wasm"));
  const module = await WebAssembly.compile(new Uint8Array(await readFile(file)));
  let exports: EngineExports | undefined;
  await Parser.init({
    // Emscripten's hook for whoever makes the instance.
    instantiateWasm(
      imports: WebAssembly.Imports,
      made: (instance: WebAssembly.Instance, module: WebAssembly.Module) => void,
    ) {
      const instance = new WebAssembly.Instance(module, imports);
      exports = instance.exports as unknown as EngineExports;
      made(instance, module);
      return exports;
    },
  });
  return cursorOf(exports!);
}

/** Loads the engine when it is first asked for; parsers can be made after that. */
export function loadEngine(): Promise<EngineCursor> {
  return engine ??= load();
}
