/**
 * The start of a server in an interpreter: with which image, and what is kept for as long as it runs.
 *
 * @module
 */
import { holdFiles, imageFor, noteServer } from "../images/sessions.ts";
import { startInterpreter } from "../interpreters/interpreter.ts";
import type { Slot } from "../interpreters/slot.ts";
import type { CodeInput, Interpreter } from "../interpreters/types.ts";
import { whenEnded } from "./open_spare.ts";
import type { SessionHostsOptions } from "./options.ts";

const INTERRUPT_GRACE_MS = 2000;
// Long, as its neighbours go with it: on a busy machine an honest session takes its time.
const CLOSE_GRACE_MS = 10_000;

/** Starts a server in a slot that `takeSlot` gives, which may need these images. */
export async function startServer(
  given: CodeInput,
  options: SessionHostsOptions,
  takeSlot: (images: readonly string[]) => Promise<Slot>,
): Promise<Interpreter> {
  const { log, loadDeadlineMs, interruptGraceMs, closeGraceMs, memoryMb, made } = options;
  const uses = holdFiles(options, given);
  const input = { ...given, onEnd: whenEnded(given, uses.end) };
  try {
    const image = await imageFor(options.interpreter.catalogue, made, input);
    uses.holdImage(image);
    const slot = await takeSlot(image === null ? [] : [image]);
    const interpreter = await startInterpreter(slot, input, {
      loadDeadlineMs,
      interruptGraceMs: interruptGraceMs ?? INTERRUPT_GRACE_MS,
      closeGraceMs: closeGraceMs ?? CLOSE_GRACE_MS,
      memoryMb,
      image,
      onCallbackError: (error) => log.error("session callback failed", { error }),
    });
    noteServer(made, input, interpreter.load);
    return interpreter;
  } catch (error) {
    uses.end();
    throw error;
  }
}
