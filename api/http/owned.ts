import { Refused } from '../refused.ts'
import type { Caller } from './caller.ts'

/**
 * A row of some member's, as it was looked up by its id: whoever handles a call "of one's own, or of staff" gets no
 * further than this before it is known whose business the row is.
 */
export class Owned<Row extends { member_id: string }> {
  readonly #row: Row | undefined

  constructor(row: Row | undefined) {
    this.#row = row
  }

  /**
   * The row, for its owner and for staff with the level of the call. To everybody else it is `forbidden` whether it
   * exists or not: the answer tells nobody about others.
   */
  openFor(caller: Caller): Row {
    if (this.#row?.member_id !== caller.memberId) caller.requireStaff()
    if (!this.#row) throw new Refused('not_found')
    return this.#row
  }
}
