import type { Selectable } from 'kysely'
import { isAssignable } from '#contract/money/statements.ts'
import type { DB } from '../../../platform/db/rows.ts'
import type { ImportLine } from './read-lines.ts'

type Stored = Pick<
  Selectable<DB['statement_line']>,
  'state' | 'problem' | 'reference' | 'tx_id' | 'amount' | 'currency' | 'address' | 'received_at'
>
type Read = Pick<ImportLine, 'reference' | 'txId' | 'amount' | 'currency' | 'address' | 'date'>

/**
 * Whether a later import may change a stored line: only while no one has resolved it, and only if the import reads the
 * same values. Otherwise, an officer could hide a returned payment, or change what a colleague will record, by
 * importing the file with another mapping. A line can be recorded only if its stored problem and amount let it be
 * assigned.
 */
export const canBecome = (stored: Stored, line: Read, state: 'open' | 'applied'): boolean =>
  stored.state === 'open' && isSameReading(stored, line) && (state === 'open' || isAssignable(stored))

/** Whether the line was stored with the values that it is read with now. */
export const isSameReading = (stored: Stored, line: Read): boolean =>
  stored.reference === line.reference &&
  stored.tx_id === line.txId &&
  stored.amount === line.amount &&
  stored.currency === line.currency &&
  stored.address === line.address &&
  stored.received_at?.getTime() === line.date?.getTime()
