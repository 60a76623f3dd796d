/**
 * What the supervisor of session hosts is made with.
 *
 * @module
 */
import type { Logger } from "../../log.ts";
import type { ReadUsage } from "../../sandbox/usage.ts";
import type { Walls } from "../../sandbox/walls.ts";
import type { MadeImages } from "../images/maker.ts";
import type { ImageCatalogue } from "./images.ts";

export interface SessionHostsOptions {
  /** What setup prepared: folder of the interpreter, and of the hosts' code cache; absolute. */
  interpreter: { folder: string; cache: string; catalogue: ImageCatalogue };
  /** Whether servers may have packages, and so the images that hold some. */
  withPackages: boolean;
  /** Images that this node makes beside those of setup; absent: none. */
  made?: MadeImages | undefined;
  /** Keeps files of servers' own packages until the function that it returns is called. */
  holdPackages?: (files: readonly string[]) => () => void;
  /** Most megabytes of linear memory of one session. */
  memoryMb: number;
  /** Sessions of one user of one server in one host process. */
  sessionsPerHost: number;
  /** Booted sessions that wait, each in a host of its own. */
  warmSessions: number;
  /** Sessions of this node at once. */
  maxSessions: number;
  /** Milliseconds from the start of a session's interpreter to the kill of a host that has none. */
  bootTimeoutMs?: number | undefined;
  /** Milliseconds an entrypoint may run. */
  loadDeadlineMs: number;
  /** Milliseconds from the interrupt of a call that is out of time to the kill of its host. */
  interruptGraceMs?: number | undefined;
  /** Milliseconds that a session beside others has to end before its host is killed. */
  closeGraceMs?: number | undefined;
  /** What the system puts around the hosts: {@link raiseHostWalls}. */
  walls: Walls;
  log: Logger;
  /** What the hosts use, for tests; default: what the system says. */
  readUsage?: ReadUsage | undefined;
  /** Main module of the hosts, for tests. */
  hostModule?: URL;
}
