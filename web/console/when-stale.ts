import { CallFailed } from '../call/call.ts'

/** Somebody else has changed what was acted on: nothing was done, and this is how it is now. */
export class Stale<Now> extends Error {
  readonly now: Now

  constructor(now: Now) {
    super('changed meanwhile')
    this.now = now
  }
}

/** Rejects with what is so now where a call was refused because of it, and not because of one of its fields. */
export async function whenStale<Done, Now>(work: Promise<Done>, load: () => Promise<Now>): Promise<Done> {
  try {
    return await work
  } catch (failure) {
    const isStale =
      failure instanceof CallFailed && failure.code === 'conflict' && failure.errors.length === 0
    throw isStale ? new Stale(await load()) : failure
  }
}
