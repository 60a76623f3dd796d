/**
 * The interpreters of a session host, each in its slot, and the messages between them and the main
 * process. Most are forwarded as they are.
 *
 * @module
 */
import { type Beginning, createBeginning } from "./beginning.ts";
import {
  type InterpreterFiles,
  loadInterpreter,
  memoryOf,
  packageFile,
} from "./interpreter_files.ts";
import { type Interpreter, startInterpreter } from "./interpreter.ts";
import {
  type CommandHandlers,
  dispatch,
  type FROM_INTERPRETER,
  type FromHost,
  type FromInterpreter,
  goesDown,
  goesUp,
  type HostHandlers,
  type MessageOf,
  type TO_HOST,
  type ToHost,
} from "./messages.ts";
import { compressed, type LoadZlib, wakeInterpreter } from "./parking.ts";
import { type Rehearsal, rehearse } from "./rehearsal.ts";

/** The interpreters of one host process, by slot. */
export interface Interpreters {
  /** Does what the main process asks for. */
  obey(message: ToHost, body: Uint8Array): Promise<void>;
}

/** Hands a package over: each once, so that asking cannot be used to fill the host. */
async function givePackage(
  files: Promise<InterpreterFiles>,
  find: () => Interpreter | undefined,
  { request, name }: { request: number; name: string },
): Promise<void> {
  const loaded = await files;
  const interpreter = find();
  if (interpreter === undefined) return;
  const path = packageFile(loaded, name, interpreter.own);
  const found = path !== undefined && !interpreter.given.has(name);
  if (found) interpreter.given.add(name);
  const body = found ? await Deno.readFile(path) : new Uint8Array(0);
  find()?.post({ type: "package_done", request, found }, body);
}

/** Hands a server over, with the image that its interpreter goes on with. */
async function openServer(
  files: Promise<InterpreterFiles>,
  find: () => Interpreter | undefined,
  { message, body }: { message: Omit<MessageOf<typeof TO_HOST, "open">, "slot">; body: Uint8Array },
): Promise<void> {
  const { image, packages, ...rest } = message;
  const interpreter = find();
  if (interpreter !== undefined) interpreter.own = packages;
  const parts = await (await files).images.take(image, packages);
  find()?.post({ ...rest, image: parts }, body);
}

/** What an interpreter boots from. */
async function partsOf(files: Promise<InterpreterFiles>, { memory }: Interpreter) {
  return { ...await (await files).read(), ...memory };
}

function rehearseWith(
  folder: string,
  files: Promise<InterpreterFiles>,
  image: string | null,
): Rehearsal {
  const lend = async () => await (await files).images.lend(image);
  return rehearse(folder, (interpreter) => partsOf(files, interpreter), lend);
}

function noFiles(): Promise<InterpreterFiles> {
  const files = Promise.reject(new Error("No interpreter was given"));
  files.catch(() => {});
  return files;
}

/** The interpreters in their slots; `hear` takes what they say. */
function createSlots(
  send: (message: FromHost, body?: Uint8Array) => void,
  zlib: LoadZlib,
  hear: (slot: number, message: FromInterpreter, body: Uint8Array) => void,
) {
  let folder = "";
  const running = new Map<number, Interpreter>();
  /** Slots whose worker gets another task to prepare. */
  const followed = new Set<number>();

  function stop(slot: number, reason: "closed" | "crashed", message: string): void {
    if (!running.has(slot)) return;
    drop(slot);
    send({ type: "ended", slot, reason, message: message.slice(0, 2000) });
  }

  function drop(slot: number): void {
    running.get(slot)?.terminate();
    running.delete(slot);
  }

  function start(slot: number, task: "run" | "prepare"): Interpreter {
    const interpreter = startInterpreter(task, folder, {
      onMessage: (message, body) => hear(slot, message, body),
      onBroken: (message) => stop(slot, "crashed", message),
    });
    running.set(slot, interpreter);
    return interpreter;
  }

  const failed = (slot: number, what: string) => (error: unknown) =>
    stop(slot, "crashed", `${what}: ${error}`);

  return {
    running,
    stop,
    drop,
    /** Ends the interpreter for an error. */
    failed,
    /** Takes note of where the files are that interpreters boot from. */
    readFrom: (given: string) => void (folder = given),
    /** The one that does a task of preparing; `stays`: it gets another one after that. */
    preparing(slot: number, stays: boolean): Interpreter {
      if (stays) followed.add(slot);
      else followed.delete(slot);
      return running.get(slot) ?? start(slot, "prepare");
    },
    prepared(slot: number): void {
      if (!followed.has(slot)) drop(slot);
    },
    /** Starts one that runs a server, and boots it. */
    async boot(slot: number, files: Promise<InterpreterFiles>): Promise<void> {
      const parts = await partsOf(files, start(slot, "run"));
      running.get(slot)?.post({ type: "boot", parts }, undefined, memoryOf(parts));
    },
    /** Ends an interpreter that was parked: what it still does must not happen twice. */
    async keep(
      slot: number,
      message: MessageOf<typeof FROM_INTERPRETER, "parked">,
      body: Uint8Array,
    ): Promise<void> {
      running.get(slot)?.terminate();
      try {
        send({ slot, ...message }, await compressed(zlib, body));
        stop(slot, "closed", "");
      } catch (error) {
        failed(slot, "The session could not be parked")(error);
      }
    },
  };
}

/** Rehearsals: one in a host, after one of its interpreters has booted. */
function createRehearsals(rehearse: (image: string | null) => Rehearsal) {
  /** Slots whose boot it follows, and the image that it is with. */
  const waiting = new Map<number, string | null>();
  let rehearsal: Rehearsal | null = null;
  return {
    follow: (slot: number, image: string | null) => void waiting.set(slot, image),
    booted(slot: number): void {
      const image = waiting.get(slot);
      if (image !== undefined) rehearsal ??= rehearse(image);
    },
    over: async () => await rehearsal?.over,
    stop(): void {
      rehearsal?.stop();
      waiting.clear();
    },
  };
}

function beginningIn(
  slots: ReturnType<typeof createSlots>,
  files: () => Promise<InterpreterFiles>,
  ready: () => Promise<unknown>,
): Beginning {
  return createBeginning({
    ready,
    images: async () => (await files()).images,
    async reboot(slot) {
      slots.drop(slot);
      await slots.boot(slot, files());
    },
    begin: (slot, image) => slots.running.get(slot)?.post({ type: "begin", image }),
  });
}

/** No interpreters yet; `send` takes what is for the main process. */
export function createInterpreters(
  send: (message: FromHost, body?: Uint8Array) => void,
  zlib: LoadZlib,
): Interpreters {
  let folder = "";
  let files = noFiles();
  const rehearsals = createRehearsals((image) => rehearseWith(folder, files, image));
  const slots = createSlots(send, zlib, hear);
  const { running, stop } = slots;
  const beginning = beginningIn(slots, () => files, rehearsals.over);

  function hear(slot: number, message: FromInterpreter, body: Uint8Array): void {
    if (message.type === "booted" && beginning.booted(slot)) return;
    if (message.type === "booted") rehearsals.booted(slot);
    if (message.type === "parked") return void slots.keep(slot, message, body);
    if (message.type === "prepared") slots.prepared(slot);
    if (goesUp(message)) send({ slot, ...message }, body);
    else dispatch(heard, { slot, ...message }, body);
  }

  /** The interpreter has found its server. */
  function settle(): void {
    beginning.settle();
    rehearsals.stop();
  }

  const heard: HostHandlers = {
    package: ({ slot, request, name }) =>
      void givePackage(files, () => running.get(slot), { request, name })
        .catch(slots.failed(slot, "A package could not be read")),
    idle: ({ slot }) => stop(slot, "closed", ""),
    fatal: ({ slot, message }) => stop(slot, "crashed", message),
  };

  const commands: CommandHandlers = {
    // Interpreters may be started at once: they boot when the files are there.
    async init({ interpreter, memory_pages }) {
      slots.readFrom(folder = interpreter);
      files = loadInterpreter(folder, memory_pages);
      await files;
    },
    async boot({ slot, images: wanted, waits }) {
      if (waits) rehearsals.follow(slot, wanted[0] ?? null);
      await slots.boot(slot, files);
      (await files).images.makeReady(wanted);
    },
    begin: ({ slot, image }) =>
      beginning.begin(slot, image).catch(
        slots.failed(slot, "The interpreter could not be booted anew"),
      ),
    async open({ slot, ...message }, body) {
      settle();
      await beginning.fit(slot, message.image)
        .then(() => openServer(files, () => running.get(slot), { message, body }))
        .catch(slots.failed(slot, "The image could not be read"));
    },
    async wake({ slot, ...message }, body) {
      settle();
      await beginning.fit(slot)
        .then(() => wakeInterpreter({ files, zlib }, () => running.get(slot), message, body))
        .catch(slots.failed(slot, "The parked session could not be read"));
    },
    interrupt: ({ slot, call }) => running.get(slot)?.interrupt(call),
    async prepare({ slot, ...rest }, body) {
      const parts = await partsOf(files, slots.preparing(slot, rest.stays));
      running.get(slot)?.post({ ...rest, parts }, body, memoryOf(parts));
    },
  };

  return {
    async obey(message, body) {
      if (!goesDown(message)) return await dispatch(commands, message, body);
      const { slot, ...rest } = message;
      running.get(slot)?.post(rest, body);
    },
  };
}
