/**
 * Memory of a node for parked sessions: bounded, shared fairly, and given out before a session is
 * parked.
 *
 * @module
 */
import { MAX_PARKED_BYTES } from "../../../workers/session/limits.ts";
import { createBoots } from "../hosts/boots.ts";

/** Moves a parked session elsewhere; of `client` where one is named. @returns Whether it did. */
export type MakeRoom = (client: string | null) => Promise<boolean>;

/** Room that was given out for a session that is being parked. */
export interface Place {
  /** Most bytes that may be kept there; 0: there is no room. */
  readonly bytes: number;
  /** Gives back what is not kept, once. */
  keep(bytes: number): void;
}

/** Where parked sessions of a node are kept. */
export interface ParkedRoom {
  /** Bytes that are kept. */
  readonly bytes: number;
  /** Runs `body` when it is the turn of `client`. */
  inTurn(client: string, body: () => Promise<void>): Promise<void>;
  /** Room for a session of `client`, for which others make way if they can. */
  take(client: string): Promise<Place>;
  /** Counts what is kept, wherever it came from; negative: what is not any more. */
  count(client: string, bytes: number): void;
  /** Has `makeRoom` called where there is not enough. */
  whenFull(makeRoom: MakeRoom): void;
}

/** With less room it is not even tried. */
const LEAST_BYTES = 1024 * 1024;
/** Most sessions take less: with so much room none has to make way. */
const ENOUGH_BYTES = 8 * 1024 * 1024;
/** Of little room it is less: this share. */
const ENOUGH_SHARE = 1 / 16;
/** Share of the room that one client may have. */
const CLIENT_SHARE = 0.5;

/** An empty room; most of it is for other clients than any one. */
export function createParkedRoom(roomBytes: number): ParkedRoom {
  /** Bytes that are kept or given out, of each client. */
  const shares = new Map<string, number>();
  const enough = Math.min(ENOUGH_BYTES, Math.max(LEAST_BYTES, ENOUGH_SHARE * roomBytes));
  // One after the other, as what one takes of the room is not known before; but no client holds up the
  // others, nor does a session that is long about it.
  const turns = createBoots(1);
  let makeRoom: MakeRoom = () => Promise.resolve(false);
  let given = 0;
  let kept = 0;

  function add(client: string, bytes: number): void {
    const share = (shares.get(client) ?? 0) + bytes;
    if (share === 0) shares.delete(client);
    else shares.set(client, share);
  }

  function left(client: string): { all: number; own: number } {
    const own = CLIENT_SHARE * roomBytes - (shares.get(client) ?? 0);
    return { all: roomBytes - kept - given, own };
  }

  async function clear(client: string): Promise<void> {
    for (;;) {
      const { all, own } = left(client);
      if (Math.min(all, own) >= enough) return;
      if (!await makeRoom(own < enough ? client : null)) return;
    }
  }

  return {
    get bytes() {
      return kept;
    },
    inTurn: (client, body) => turns.run(client, body),
    async take(client) {
      await clear(client);
      const { all, own } = left(client);
      const free = Math.floor(Math.min(all, own, MAX_PARKED_BYTES));
      const bytes = free < LEAST_BYTES ? 0 : free;
      given += bytes;
      add(client, bytes);
      let isOpen = true;
      return {
        bytes,
        keep(size) {
          if (!isOpen) return;
          isOpen = false;
          given -= bytes;
          kept += size;
          add(client, size - bytes);
        },
      };
    },
    count(client, bytes) {
      kept += bytes;
      add(client, bytes);
    },
    whenFull: (body) => void (makeRoom = body),
  };
}
