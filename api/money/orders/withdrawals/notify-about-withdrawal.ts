import { shownReference } from '../../../platform/text/order-reference.ts'
import { shortDecimal } from '#contract/platform/decimal.ts'
import { HOUR } from '#contract/platform/durations.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { formatDay, formatMoment } from '../../../platform/text/format-time.ts'
import { sendMail } from '../../../platform/mail/send-mail.ts'
import { listFinanceOfficers } from '../../../people/members/approver.queries.ts'
import { getMemberById } from '../../../people/members/member.queries.ts'
import { consume } from '../../../platform/rate-limits/rate-limit.ts'
import type { Services } from '../../../platform/services.ts'
import { consoleOrderLink, orderLink } from '../../../platform/site-links.ts'
import type { OrderRow } from '../order.queries.ts'
import { currencyOfOrder } from '../present-order.ts'
import { refundOf, shownWithdrawal } from './present-withdrawal.ts'
import type { StoredWithdrawal } from './withdrawal.queries.ts'

type Needed = Pick<Services, 'keys' | 'config'>

export type WithdrawalMail =
  | 'order-withdrawal-received'
  | 'order-refund-opened'
  | 'order-refund-opened-unconfirmed'
  | 'order-withdrawal-unpaid'
  | 'order-withdrawal-accepted'
  | 'order-withdrawal-refused'
  | 'order-withdrawal-closed'
  | 'order-refunded'

const unknown = '–'

/**
 * Emails the member in their language, unless their account was erased. The email is the receipt that the law requires.
 */
export async function notifyMemberAboutWithdrawal(
  db: Tx,
  { keys, config }: Needed,
  kind: WithdrawalMail,
  { order, stored, reason = '' }: { order: OrderRow; stored: StoredWithdrawal; reason?: string },
): Promise<void> {
  const owner = await getMemberById(db, order.member_id)
  if (owner.erased_at) return
  const refund = refundOf(stored)
  await sendMail(db, keys, owner, kind, {
    reference: shownReference(order.reference),
    withdrawal: shownWithdrawal(stored.reference),
    requested: formatMoment(stored.requested_at, owner.language),
    deadline: formatMoment(stored.refund_before, owner.language),
    // Bank payments are refunded to the same account, so the email has no such line.
    address: stored.refund_address,
    amount: refund
      ? `${refund.amount} ${refund.currency}`
      : order.amount === null
        ? unknown
        : `${shortDecimal(order.amount)} ${currencyOfOrder(order)}`,
    transaction: refund?.txId ?? unknown,
    date: refund ? formatDay(new Date(refund.paidOn), owner.language) : unknown,
    // The email leaves out this line if there is no reason.
    reason,
    link: orderLink(config, order.id),
  })
}

/**
 * Maximum emails per hour about one member's withdrawals, so that they can't flood a mailbox. The rest still appear in
 * the list.
 */
const requestsMailedPerHourMax = 5
/** Maximum emails per hour about one officer's proposals. */
const proposalsMailedPerHourMax = 20

const notifyOfficers = async (
  db: Tx,
  { keys, config }: Needed,
  order: OrderRow,
  {
    kind,
    limit,
    except,
  }: {
    kind: 'staff-withdrawal' | 'staff-withdrawal-second'
    limit: { key: string; max: number }
    except: readonly string[]
  },
): Promise<void> => {
  if ((await consume(db, keys, [{ ...limit, window: HOUR }])) !== undefined) return
  const values = { reference: shownReference(order.reference), link: consoleOrderLink(config, order.id) }
  for (const officer of await listFinanceOfficers(db, config))
    if (!except.includes(officer.id)) await sendMail(db, keys, officer, kind, values)
}

/** Emails the officers who may decide. Officers can't decide on their own orders. */
export const notifyFinanceAboutWithdrawal = (db: Tx, services: Needed, order: OrderRow): Promise<void> =>
  notifyOfficers(db, services, order, {
    kind: 'staff-withdrawal',
    limit: { key: `tell withdrawal ${order.member_id}`, max: requestsMailedPerHourMax },
    except: [order.member_id],
  })

export const notifySecondApproverOfWithdrawal = (
  db: Tx,
  services: Needed,
  order: OrderRow,
  proposer: string,
): Promise<void> =>
  notifyOfficers(db, services, order, {
    kind: 'staff-withdrawal-second',
    limit: { key: `tell second of withdrawal ${proposer}`, max: proposalsMailedPerHourMax },
    except: [order.member_id, proposer],
  })
