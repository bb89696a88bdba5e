import { DAY, HOUR, MINUTE } from '#contract/platform/durations.ts'
import { refundChainOf, endOfRefund, periodOf } from '#api/money/orders/withdrawals/withdrawal.rules.ts'
import type { WithdrawalApproval } from '#api/money/orders/withdrawals/withdrawal.queries.ts'
import { sampleHash, type SampleWorld } from './world.ts'
import { recorded, reported, type SampleOrderStep, type SampleOrderStory } from './order-story.ts'
import type { SampleOrderRow, SampleWithdrawal } from './order-rows.ts'

const asked = (after: number): SampleOrderStep => ({ kind: 'withdrawal_requested', after, by: 'member' })
const completed: SampleOrderStep = { kind: 'completed', after: 6 * HOUR, by: 'finance2' }
const refunded: readonly SampleOrderStep[] = [
  reported(HOUR),
  recorded(5 * HOUR),
  completed,
  asked(2 * DAY),
  { kind: 'withdrawal_accepted', after: 3 * DAY, by: 'finance2' },
  { kind: 'refunded', after: 4 * DAY, by: 'finance2' },
]

/** Orders whose members withdrew or get a refund, in every state of a withdrawal. */
export const sampleWithdrawalStories: readonly SampleOrderStory[] = [
  {
    name: 'withdrawn from, to be decided',
    count: 1,
    daysAgo: [2.2, 2.2],
    status: 'completed',
    steps: [reported(HOUR), recorded(5 * HOUR), completed, asked(30 * HOUR)],
    paid: '1',
    withdrawal: 'requested',
    delivery: 'open',
  },
  {
    name: 'withdrawn from, waits for the second',
    count: 1,
    daysAgo: [3.2, 3.2],
    status: 'pending',
    isLarge: true,
    steps: [
      reported(HOUR),
      recorded(5 * HOUR),
      asked(20 * HOUR),
      { kind: 'withdrawal_proposed', after: 40 * HOUR, by: 'finance2', reason: 'Sample: in time.' },
    ],
    paid: '1',
    withdrawal: 'requested',
  },
  {
    name: 'refund started by finance, overdue',
    count: 1,
    daysAgo: [19, 19],
    status: 'cancelled',
    steps: [
      reported(HOUR),
      recorded(5 * HOUR),
      {
        kind: 'refund_opened',
        after: 20 * HOUR,
        by: 'finance2',
        reason: 'Sample: the member can’t be reached.',
      },
      { kind: 'cancelled', after: 30 * HOUR, by: 'finance2' },
      { kind: 'withdrawal_accepted', after: 30 * HOUR, by: 'finance2' },
    ],
    paid: '1',
    withdrawal: 'accepted',
  },
  {
    name: 'withdrawn from and refunded',
    count: 1,
    daysAgo: [10, 10],
    status: 'completed',
    steps: refunded,
    paid: '1',
    withdrawal: 'refunded',
    delivery: 'refunded',
  },
  {
    name: 'refunded while in a payout run',
    count: 1,
    daysAgo: [10, 10],
    status: 'completed',
    steps: refunded,
    paid: '1',
    withdrawal: 'refunded',
    delivery: 'frozen',
  },
  {
    name: 'withdrawal refused',
    count: 1,
    daysAgo: [8, 8],
    status: 'completed',
    steps: [
      reported(HOUR),
      recorded(5 * HOUR),
      completed,
      asked(2 * DAY),
      {
        kind: 'withdrawal_refused',
        after: 3 * DAY,
        by: 'finance2',
        reason: 'Sample: bought for a company, which has no right of withdrawal.',
      },
    ],
    paid: '1',
    withdrawal: 'refused',
  },
  {
    name: 'withdrawn from, and never paid',
    count: 1,
    daysAgo: [9, 9],
    status: 'cancelled',
    steps: [
      reported(HOUR),
      asked(2 * HOUR),
      { kind: 'cancelled', after: 3 * DAY, by: 'finance2' },
      {
        kind: 'withdrawal_closed',
        after: 3 * DAY,
        by: 'finance2',
        reason: 'Sample: the reported transaction is on no chain.',
      },
    ],
    withdrawal: 'unpaid',
  },
  {
    name: 'withdrawn from before it was paid',
    count: 1,
    daysAgo: [5, 5],
    status: 'cancelled',
    steps: [{ kind: 'withdrawn', after: 40 * MINUTE, by: 'member' }],
    withdrawal: 'unpaid',
  },
]

type Sample = { story: SampleOrderStory; at: number; row: SampleOrderRow }

/** Returns the withdrawal that the steps of a sample order describe. */
export function sampleWithdrawalOf(
  { story, at, row }: Sample,
  operators: SampleWorld['operators'],
): SampleWithdrawal[] {
  if (!story.withdrawal) return []
  const timeOf = (...kinds: SampleOrderStep['kind'][]) => {
    const step = story.steps.find(({ kind }) => kinds.includes(kind))
    return step && new Date(at + step.after)
  }
  const requestedAt = timeOf('withdrawal_requested', 'refund_opened', 'withdrawn') ?? new Date(at)
  const decidedAt = timeOf('withdrawal_accepted', 'withdrawal_refused', 'withdrawal_closed')
  const refundedAt = timeOf('refunded')
  const proposedAt = timeOf('withdrawal_proposed')
  const said =
    story.steps.find(({ kind }) => kind === 'withdrawal_refused' || kind === 'withdrawal_closed')?.reason ??
    ''
  const voice: WithdrawalApproval = { act: 'accept', reason: 'Sample: in time.', refund: null }
  const period = periodOf(new Date(at), { days: 14, timeZone: 'UTC', tradedSince: null }, null)
  return [
    {
      order_id: row.id,
      state: story.withdrawal,
      requested_at: requestedAt,
      until_at: period!.until,
      refund_before: endOfRefund(requestedAt, 'UTC'),
      refund_address: story.withdrawal === 'unpaid' ? '' : addressFor(row),
      reason: said,
      updated_at: refundedAt ?? decidedAt ?? proposedAt ?? requestedAt,
      ...(decidedAt && { decided_at: decidedAt, decided_by: operators.finance2 }),
      ...(proposedAt && {
        proposed_at: proposedAt,
        proposed_by: operators.finance2,
        proposal: JSON.stringify(voice),
      }),
      ...(refundedAt && {
        refunded_at: refundedAt,
        refunded_by: operators.finance2,
        refund_amount: row.amount!,
        refund_currency: row.currency ?? '',
        refund_tx_id: `${row.pay_chain === 'ethereum' ? '0x' : ''}${sampleHash(`sample refund ${row.id}`)}`,
        refund_paid_on: refundedAt.toISOString().slice(0, 10),
      }),
    },
  ]
}

/** Addresses that nobody owns, from the examples of BIP-173 and EIP-55. */
const addressFor = (row: SampleOrderRow): string =>
  refundChainOf({ pay_chain: row.pay_chain ?? null, pay_method: row.pay_method ?? '' }) === 'bitcoin'
    ? 'bc1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qccfmv3'
    : '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb'
