import { recordAudit } from '../audit/audit.queries.ts'
import { transaction } from '../db/database.ts'
import type { Tx } from '../db/database.ts'
import type { MemberContext } from '../http/handler.ts'
import { Refused, refusedField } from '../refused.ts'
import {
  isRefusedByTransaction,
  isTransactionUsed,
  type OrderChange,
  type OrderRow,
} from './order.queries.ts'
import { readTxId } from './payment.rules.ts'
import { transactionKey } from './transaction-key.ts'

type Named = Pick<OrderRow, 'pay_chain' | 'pay_method'> & (OrderRow | { id: null })
/** What finance says where a transaction pays two orders. */
type Shared = { isConfirmed: boolean | undefined; reason: string | undefined }

const used = () => new Refused('conflict', { fields: [{ path: 'txId', code: 'tx_used' }] })

/**
 * The transaction of an order, in the spelling of its chain. One that another order has is refused, unless finance
 * confirms with a reason that both are paid by it.
 */
export async function claimTransaction(
  db: Tx,
  order: Named,
  given: string,
  shared?: Shared,
): Promise<Required<Pick<OrderChange, 'txId' | 'sharesTransaction'>>> {
  const txId = readTxId(order, given)
  if (txId === undefined) throw refusedField('txId', 'tx_id')
  if (order.id !== null && order.tx_key === transactionKey(txId))
    return { txId: order.tx_id, sharesTransaction: order.is_tx_shared }
  if (!(await isTransactionUsed(db, txId, order.id))) return { txId, sharesTransaction: false }
  if (!shared?.isConfirmed) throw used()
  if (!shared.reason) throw refusedField('reason', 'required')
  return { txId, sharesTransaction: true }
}

/** Runs what may claim a transaction. That one was refused is recorded: somebody may be using another’s payment. */
export async function recordingRefusedClaims<T>(
  { db, caller }: Pick<MemberContext, 'db' | 'caller'>,
  orderId: string | null,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const refused = isRefusedByTransaction(error) ? used() : error
    const isClaim = refused instanceof Refused && refused.fields.some(({ code }) => code === 'tx_used')
    if (isClaim)
      await transaction(db, (db) =>
        recordAudit(db, {
          actorId: caller.memberId,
          action: 'order-transaction-refused',
          subjectKind: 'order',
          subjectId: orderId,
          detail: {},
        }),
      )
    throw refused
  }
}
