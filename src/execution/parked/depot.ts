/**
 * Parked sessions outside the memory of their node: sealed, bounded, in the database, until a node
 * that can go on with one takes it.
 *
 * @module
 */
import type { Logger } from "../../log.ts";
import { MAX_PARKED_BYTES } from "../../../workers/session/limits.ts";
import { storeBounds } from "./bounds.ts";
import { imageNotHere } from "../failures.ts";
import type { SharedImages, SharedImagesDeps } from "./images.ts";
import type { Sealer } from "./sealer.ts";
import { packSession, type SealedSession, unpackSession } from "./state.ts";
import type { ParkedStore, PutOutcome, StoredRow, Taker } from "./store.ts";

/** What a parked session needs of the node that it goes on in. */
export interface NodeRuntime {
  /** Names the interpreter, its snapshot and the profile. */
  id: string;
  /** Digest of an image of this node; null when it is gone. */
  digestOf(image: string): string | null;
  /** The image of this node with a digest; null when there is none. */
  imageWith(digest: string): string | null;
  /** Whether nodes made it, each for itself; false for those of setup, which are the interpreter's. */
  isMade(image: string): boolean;
  /** Those that it made or has from others; null where it has none but setup's. */
  made: SharedImagesDeps["images"] | null;
}

export interface DepotDeps {
  store: ParkedStore;
  sealer: Sealer;
  runtime: NodeRuntime;
  /** Images for other nodes; null where there can be none. */
  images: SharedImages | null;
  /** Most bytes of all stored sessions. */
  maxBytes: number;
  log: Logger;
}

/** A session that is to be stored, and whose it is. */
export interface Leaving {
  row: Pick<
    StoredRow,
    "id" | "instance" | "server" | "archiveSha256" | "userId" | "client" | "expiresAt"
  >;
  /** Name of the image that it began with. */
  image: string | null;
  session: SealedSession;
}

/** A session that goes on here. */
export interface Arrived extends SealedSession {
  image: string | null;
}

/** Keeps parked sessions in the database. */
export interface Depot {
  find(id: string, now: Date): Promise<StoredRow | null>;
  /**
   * Why this node cannot go on with it; null when it can, with an image of another node if need be.
   * `later`: it may, when it has room for that.
   */
  whyNot(row: StoredRow): Promise<"key" | "runtime" | "image" | "later" | null>;
  /** `image`: what it began with is not here any more. */
  put(leaving: Leaving): Promise<PutOutcome | "image">;
  /**
   * The session, which from now on is only here; null: somebody was first, or it is damaged.
   *
   * @throws {AppError} When its image has gone since {@link Depot.whyNot}; nothing is taken then.
   */
  take(row: StoredRow, taker: Taker, now: Date): Promise<Arrived | null>;
  drop(row: Pick<StoredRow, "id" | "instance">): Promise<void>;
  /** Removes the sessions of a server, but for those with this archive. */
  dropServer(server: string, archiveSha256: string | null): Promise<void>;
  prune(now: Date): Promise<void>;
}

/** Rises with every change of what is sealed. */
const FORMAT = 2;
/** Above the largest that is sealed: its text, and what belongs to the seal. */
const MOST_BYTES = MAX_PARKED_BYTES + 16 * 1024 * 1024;

/** All that says whose a session is, and where it can go on: sealed with it. */
function contextOf(row: StoredRow): string {
  return JSON.stringify([
    "parked session",
    FORMAT,
    row.id,
    row.instance,
    row.server,
    row.archiveSha256,
    row.userId,
    row.client,
    row.runtime,
    row.image,
    row.expiresAt.getTime(),
  ]);
}

/** The largest row that is read. */
export const STORED_MAX_BYTES = MOST_BYTES;

/** A depot over `deps.store`. */
export function createDepot(deps: DepotDeps): Depot {
  const { store, sealer, runtime, images, maxBytes, log } = deps;
  const bounds = storeBounds(maxBytes);

  return {
    find: store.find,
    drop: store.drop,
    dropServer: store.dropServer,

    async prune(now) {
      await store.prune(now);
      await images?.prune(now);
    },

    async whyNot({ runtime: id, keyId, image, client }) {
      if (id !== runtime.id) return "runtime";
      if (!sealer.has(keyId)) return "key";
      if (image === null) return null;
      const name = runtime.imageWith(image);
      // One that is damaged may come whole from the database.
      const isHere = name !== null && (!runtime.isMade(name) || await runtime.made?.use(name));
      if (isHere) return null;
      const outcome = await images?.get(image, client) ?? "absent";
      return outcome === "here" ? null : outcome === "later" ? "later" : "image";
    },

    async put({ row: whose, image, session }) {
      const digest = image === null ? null : runtime.digestOf(image);
      if (image !== null && digest === null) return "image";
      if (digest !== null && images !== null && runtime.isMade(image!)) {
        const outcome = await images.put(digest, whose.client);
        if (outcome !== "stored") return outcome;
      }
      const row = { ...whose, runtime: runtime.id, image: digest, keyId: sealer.keyId };
      const plain = packSession(session);
      try {
        const sealed = await sealer.seal(plain, contextOf(row));
        return await store.put(row, sealed, bounds);
      } finally {
        plain.fill(0);
      }
    },

    async take(row, taker, now) {
      const image = row.image === null ? null : runtime.imageWith(row.image);
      if (row.image !== null && image === null) throw imageNotHere();
      const taken = await store.take(row, taker, now);
      if (taken.kind === "gone") return null;
      const plain = await sealer.open(taken.sealed, contextOf(row), row.keyId);
      const fields = { server: row.server, session: row.instance };
      if (plain === null) {
        log.error("session.stored_damaged", fields);
        return null;
      }
      try {
        return { ...unpackSession(plain), image };
      } catch {
        // The error's text may show a piece of what is secret.
        log.error("session.stored_by_another_version", fields);
        return null;
      } finally {
        plain.fill(0);
      }
    },
  };
}
