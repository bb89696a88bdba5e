import { CallFailed } from '../call/call.ts'

/** Thrown if someone else has changed the record, so that nothing was done. Contains the current state. */
export class Stale<Now> extends Error {
  readonly now: Now

  constructor(now: Now) {
    super('changed meanwhile')
    this.now = now
  }
}

/** Rejects with the current state if a request failed because of it, and not because of one of its fields. */
export async function whenStale<Done, Now>(work: Promise<Done>, load: () => Promise<Now>): Promise<Done> {
  try {
    return await work
  } catch (failure) {
    const isStale =
      failure instanceof CallFailed && failure.code === 'conflict' && failure.errors.length === 0
    throw isStale ? new Stale(await load()) : failure
  }
}
