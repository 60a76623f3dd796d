/**
 * Wiring of sessions that nodes share: parked ones leave their node, and live ones have one.
 *
 * @module
 */
import { basename } from "node:path";
import { PARKED_FORMAT } from "../../workers/session/parked_parts.ts";
import type { Config } from "../config.ts";
import { connectTo, type Sql } from "../database/client.ts";
import { systemClock } from "../execution/clock.ts";
import { createNode, type SharingNode } from "../execution/nodes/node.ts";
import { nodeStore } from "../execution/nodes/store.ts";
import type { ImageStore } from "../execution/images/types.ts";
import { storeBounds } from "../execution/parked/bounds.ts";
import { imageRows } from "../execution/parked/image_rows.ts";
import { createSharedImages, STORED_IMAGE_MAX_BYTES } from "../execution/parked/images.ts";
import {
  createDepot,
  type Depot,
  type NodeRuntime,
  STORED_MAX_BYTES,
} from "../execution/parked/depot.ts";
import { createSealer } from "../execution/parked/sealer.ts";
import { parkedStore } from "../execution/parked/store.ts";
import type { Logger } from "../log.ts";
import { readImageInputs } from "../setup/interpreter.ts";

const BYTES_PER_MB = 2 ** 20;

/** What parked sessions need to go on in this node: its interpreter in `folder`, and its images. */
export async function runtimeOf(
  { INTERPRETER_PROFILE: profile }: Pick<Config, "INTERPRETER_PROFILE">,
  folder: string,
  made: (NonNullable<NodeRuntime["made"]> & Pick<ImageStore, "digest">) | null,
): Promise<NodeRuntime> {
  const { base, images } = await readImageInputs(folder);
  const digestOf = (name: string) =>
    Object.hasOwn(images, name) ? images[name]! : made?.digest(name) ?? null;
  return {
    id: [basename(folder), base, profile, PARKED_FORMAT].join(" "),
    digestOf,
    imageWith: (digest) =>
      Object.keys(images).find((name) => images[name] === digest) ?? made?.named(digest) ?? null,
    isMade: (image) => !Object.hasOwn(images, image),
    made,
  };
}

/** Where sessions go that leave this node; undefined where the operator wants none to. */
export async function depotOf(
  { SECRETS_KEY: secrets, PARKED_STORE_MB: storeMb, DATABASE_URL: url }: Pick<
    Config,
    "SECRETS_KEY" | "PARKED_STORE_MB" | "DATABASE_URL"
  >,
  { sql, runtime, log }: { sql: Sql; runtime: NodeRuntime; log: Logger },
): Promise<Depot | undefined> {
  const [newest, ...older] = secrets?.keys ?? [];
  if (newest === undefined || storeMb === 0) return undefined;
  const sealer = await createSealer([newest, ...older]);
  const maxBytes = storeMb * BYTES_PER_MB;
  // The embedded database is one node's alone, which has its images in its folder.
  const images = url === undefined ? null : runtime.made;
  return createDepot({
    store: parkedStore(sql, STORED_MAX_BYTES),
    sealer,
    runtime,
    images: images && createSharedImages({
      rows: imageRows(sql, STORED_IMAGE_MAX_BYTES),
      sealer,
      images,
      bounds: storeBounds(maxBytes),
      clock: systemClock,
      log,
    }),
    maxBytes,
    log,
  });
}

/** This node as one of several; undefined where `NODE_URL` names no address for the others. */
export async function nodeOf(
  { NODE_URL: url, NODE_LEASE_SECONDS: seconds, DATABASE_URL, DATA_DIR: dataDir }: Config,
  log: Logger,
  onLapse: () => Promise<void>,
): Promise<SharingNode | undefined> {
  if (url === undefined) return undefined;
  return await createNode({
    connect: () => nodeStore(connectTo({ url: DATABASE_URL, dataDir, log, lists: false }, null)),
    clock: systemClock,
    wall: Date.now,
    log,
    newId: () => crypto.randomUUID(),
    url,
    leaseMs: seconds * 1000,
    onLapse,
    fetch,
  });
}
