import { Refused } from '../refused.ts'
import type { Caller } from './caller.ts'

/**
 * A row looked up by its id, still without an ownership check: a handler of a call that is open to the owner or to staff
 * can get the row only through `openFor`.
 */
export class Owned<Row extends { member_id: string }> {
  readonly #row: Row | undefined

  constructor(row: Row | undefined) {
    this.#row = row
  }

  /** The row, for its owner alone. */
  ofOwner(caller: Caller): Row | undefined {
    return this.#row?.member_id === caller.memberId ? this.#row : undefined
  }

  /**
   * The row, for its owner and for staff with the level of the call. To everybody else it is `forbidden` whether it
   * exists or not, so that the answer reveals nothing about others.
   */
  openFor(caller: Caller): Row {
    if (this.#row?.member_id !== caller.memberId) caller.requireStaff()
    if (!this.#row) throw new Refused('not_found')
    return this.#row
  }
}
