/**
 * Interpreters that go on before their server is known, with the image that it will probably need.
 * One that has gone on with another is replaced.
 *
 * @module
 */
import type { ImageParts } from "./boot_parts.ts";
import type { Images } from "./images.ts";

/** What is done with the interpreters of a host. */
export interface BeginningDeps {
  /** Resolves when what makes going on faster has come to its end. */
  ready(): Promise<unknown>;
  images(): Promise<Pick<Images, "lend">>;
  /** Boots an interpreter in the slot, in place of the one that is there. */
  reboot(slot: number): Promise<void>;
  /** Has the slot's interpreter go on. */
  begin(slot: number, image: ImageParts | null): void;
}

/** Which interpreters have gone on, and with what. */
export interface Beginning {
  /** Has the slot's interpreter go on with `image`, unless its server comes first. */
  begin(slot: number, image: string | null): Promise<void>;
  /** The host's server is known: nothing goes on by guess any more. */
  settle(): void;
  /** Resolves when the slot's interpreter can go on with anything, or has gone on with `image`. */
  fit(slot: number, image?: string | null): Promise<void>;
  /** An interpreter has booted. @returns Whether that concerns nobody else. */
  booted(slot: number): boolean;
}

/** None has gone on yet. */
export function createBeginning(deps: BeginningDeps): Beginning {
  const begun = new Map<number, string | null>();
  const rebooting = new Map<number, Promise<void>>();
  const rebooted = new Map<number, () => void>();
  let isSettled = false;

  async function reboot(slot: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    rebooted.set(slot, resolve);
    await deps.reboot(slot);
    await promise;
  }

  async function fit(slot: number, image?: string | null): Promise<void> {
    await rebooting.get(slot);
    if (!begun.has(slot) || begun.get(slot) === image) return;
    begun.delete(slot);
    const done = reboot(slot);
    rebooting.set(slot, done);
    await done.finally(() => rebooting.delete(slot));
  }

  return {
    fit,
    async begin(slot, image) {
      await deps.ready();
      if (isSettled) return;
      await fit(slot, image);
      const { lend } = await deps.images();
      // Who needs an image that cannot be read will be told.
      const parts = await lend(image).catch(() => undefined);
      if (parts === undefined || isSettled || begun.has(slot)) return;
      begun.set(slot, image);
      deps.begin(slot, parts);
    },
    settle: () => void (isSettled = true),
    booted(slot) {
      const resolve = rebooted.get(slot);
      rebooted.delete(slot);
      resolve?.();
      return resolve !== undefined;
    },
  };
}
