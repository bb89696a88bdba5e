import { Refused } from '../refused.ts'
import type { Caller } from './caller.ts'

/**
 * A row looked up by its ID, without an ownership check yet. A handler of a call for owners and staff can get
 * the row only through `openFor`.
 */
export class Owned<Row extends { member_id: string }> {
  readonly #row: Row | undefined

  constructor(row: Row | undefined) {
    this.#row = row
  }

  /** Returns the row to its owner only. */
  ofOwner(caller: Caller): Row | undefined {
    return this.#row?.member_id === caller.memberId ? this.#row : undefined
  }

  /**
   * Returns the row to its owner and to staff with the level of the call. For everyone else it is `forbidden`
   * whether or not it exists, so that the answer reveals nothing about others.
   */
  openFor(caller: Caller): Row {
    if (this.#row?.member_id !== caller.memberId) caller.requireStaff()
    if (!this.#row) throw new Refused('not_found')
    return this.#row
  }
}
