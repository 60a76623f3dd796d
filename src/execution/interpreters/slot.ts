/**
 * The place of one interpreter in a host: what the interpreter's code side and the host's process
 * side know of each other.
 *
 * @module
 */
import type { FromHost, ToHost } from "../../../workers/session/messages.ts";
import type { EndReason } from "./types.ts";

export type SlotMessage = Extract<FromHost, { slot: number }>;
type WithoutSlot<T> = T extends { slot: number } ? Omit<T, "slot"> : never;
/** A message to a slot; which one is known. */
export type SlotCommand = WithoutSlot<ToHost>;

/** What uses a slot. Throwing ends its host for breaking the protocol. */
export interface SlotOwner {
  /** Whether code may run in the interpreter now: not while every call waits for the client. */
  readonly working: boolean;
  onMessage(message: SlotMessage, body: Uint8Array): void;
  /** The interpreter is no more. Called once. */
  onGone(reason: EndReason, message: string): void;
}

/** A booted interpreter, not yet or no longer in use. */
export interface Slot {
  /** Process id of its host. */
  readonly pid: number;
  /** Whether its host has no other interpreter. */
  readonly isAlone: boolean;
  /** Takes the interpreter into use. */
  attach(owner: SlotOwner): void;
  /** `onRead` is called when the host has taken the bytes, or will not any more. */
  send(command: SlotCommand, body?: readonly Uint8Array[], onRead?: () => void): void;
  /** Ends the host process because of this interpreter; its neighbours end as `crashed`. */
  killHost(reason: EndReason, message: string): Promise<void>;
}

/** What the client is told when an interpreter sends messages that Berth's own code never sends. */
export const PROTOCOL_BROKEN = "The session was ended: it violated the sandbox protocol";
