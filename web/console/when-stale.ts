import { CallFailed } from '../call/call.ts'

/** Someone else has changed the record: nothing was done. Carries the current state. */
export class Stale<Now> extends Error {
  readonly now: Now

  constructor(now: Now) {
    super('changed meanwhile')
    this.now = now
  }
}

/** Rejects with the current state if a call was refused because of it, and not because of one of its fields. */
export async function whenStale<Done, Now>(work: Promise<Done>, load: () => Promise<Now>): Promise<Done> {
  try {
    return await work
  } catch (failure) {
    const isStale =
      failure instanceof CallFailed && failure.code === 'conflict' && failure.errors.length === 0
    throw isStale ? new Stale(await load()) : failure
  }
}
