import { DAY, HOUR, MINUTE } from '#contract/platform/durations.ts'
import { recorded, reported, type SampleOrderStep, type SampleOrderStory } from './order-story.ts'

const completed = (after: number, reason = ''): SampleOrderStep => ({
  kind: 'completed',
  after,
  by: 'finance2',
  reason,
})
const unpaid: SampleOrderStep = { kind: 'unpaid', after: 24 * HOUR, by: null }
const paidInTime = [reported(50 * MINUTE), recorded(6 * HOUR), completed(6 * HOUR + 2 * MINUTE)]

/**
 * Sixty orders: members place orders and report payments, finance records and completes them, and occasionally
 * something unusual happens.
 */
export const sampleOrderStories: readonly SampleOrderStory[] = [
  { name: 'completed', count: 11, daysAgo: [1, 40], status: 'completed', steps: paidInTime, paid: '1' },
  {
    name: 'completed late in the week',
    count: 4,
    daysAgo: [3, 30],
    status: 'completed',
    steps: [reported(20 * HOUR), recorded(44 * HOUR), completed(45 * HOUR)],
    paid: '1',
  },
  {
    name: 'paid by bank',
    count: 4,
    daysAgo: [6, 36],
    status: 'completed',
    isByBank: true,
    steps: [
      { kind: 'entered', after: 0, by: 'finance2', reason: '' },
      recorded(2 * DAY),
      completed(2 * DAY + 5 * MINUTE),
    ],
    paid: '1',
  },
  {
    name: 'announced payment never arrived',
    count: 1,
    daysAgo: [5, 12],
    status: 'cancelled',
    steps: [
      reported(23 * HOUR),
      { kind: 'payment_dropped', after: 25 * HOUR, by: null, names: 'own' },
      { kind: 'unpaid', after: 27 * HOUR, by: null },
    ],
  },
  {
    name: 'bank transfer under way',
    count: 1,
    daysAgo: [1, 1],
    status: 'pending',
    isByBank: true,
    steps: [{ kind: 'entered', after: 0, by: 'finance2', reason: '' }],
  },
  {
    name: 'completed by two',
    count: 2,
    daysAgo: [4, 20],
    status: 'completed',
    isLarge: true,
    steps: [
      reported(2 * HOUR),
      recorded(20 * HOUR),
      {
        kind: 'completion_proposed',
        after: 20 * HOUR + MINUTE,
        by: 'finance2',
        reason: 'Sample: seen on the chain, six confirmations.',
      },
      {
        kind: 'completed',
        after: 26 * HOUR,
        by: 'admin',
        reason: 'Sample: seen on the chain, six confirmations.',
      },
    ],
    paid: '1',
  },
  {
    name: 'paid a little less',
    count: 1,
    daysAgo: [11, 11],
    status: 'completed',
    steps: [
      reported(HOUR),
      recorded(9 * HOUR),
      completed(10 * HOUR, 'Sample: the exchange kept its fee; we take it as paid.'),
    ],
    paid: '0.998',
  },
  {
    name: 'corrected',
    count: 1,
    daysAgo: [13, 13],
    status: 'completed',
    steps: [
      ...paidInTime,
      {
        kind: 'correction_proposed',
        after: DAY,
        by: 'finance2',
        reason: 'Sample: the member gave the address of an exchange, which does not accept these tokens.',
      },
      {
        kind: 'corrected',
        after: DAY + 2 * HOUR,
        by: 'admin',
        reason: 'Sample: the member gave the address of an exchange, which does not accept these tokens.',
      },
    ],
    paid: '1',
  },
  {
    name: 'correction waits for the second',
    count: 1,
    daysAgo: [5, 5],
    status: 'completed',
    steps: [
      ...paidInTime,
      {
        kind: 'correction_proposed',
        after: 4 * DAY,
        by: 'finance2',
        reason: 'Sample: the member lost the wallet before the tokens were sent.',
      },
    ],
    paid: '1',
    flags: ['proposed'],
  },
  {
    name: 'first of one payment for two',
    count: 1,
    daysAgo: [15, 15],
    status: 'completed',
    steps: paidInTime,
    paid: '1',
  },
  {
    name: 'second of one payment for two',
    count: 1,
    daysAgo: [14.9, 14.9],
    status: 'completed',
    steps: [
      {
        kind: 'transaction_shared',
        after: 7 * HOUR,
        by: 'finance2',
        reason: 'Sample: one transaction with two outputs pays both orders.',
        names: 'others',
      },
      recorded(7 * HOUR + MINUTE),
      completed(8 * HOUR),
    ],
    paid: '1',
    flags: ['shared'],
    with: 'first of one payment for two',
  },
  {
    name: 'to be paid since its address is known',
    count: 1,
    daysAgo: [0.6, 0.6],
    status: 'pending',
    steps: [{ kind: 'payable', after: 5 * HOUR, by: null }],
    deadline: 29 * HOUR,
  },
  { name: 'to be paid', count: 3, daysAgo: [0.05, 0.8], status: 'pending', steps: [] },
  {
    name: 'to be paid, address given',
    count: 1,
    daysAgo: [0.3, 0.3],
    status: 'pending',
    steps: [{ kind: 'address_given', after: 15 * MINUTE, by: 'member' }],
  },
  {
    name: 'more time to pay',
    count: 1,
    daysAgo: [1.6, 1.6],
    status: 'pending',
    steps: [
      {
        kind: 'deadline_extended',
        after: 20 * HOUR,
        by: 'finance2',
        reason: 'Sample: the bank holds the transfer until Thursday.',
      },
    ],
    deadline: 5 * DAY,
  },
  { name: 'payment reported', count: 3, daysAgo: [0.4, 2.4], status: 'pending', steps: [reported(2 * HOUR)] },
  {
    name: 'payment reported long ago',
    count: 1,
    daysAgo: [8.5, 8.5],
    status: 'pending',
    steps: [
      reported(9 * HOUR),
      { kind: 'completion_proposed', after: 30 * HOUR, by: 'finance2', reason: 'Sample: received.' },
      { kind: 'completion_lapsed', after: 30 * HOUR + 3 * DAY, by: null },
    ],
  },
  {
    name: 'waits for the second',
    count: 1,
    daysAgo: [1.7, 1.7],
    status: 'pending',
    isLarge: true,
    steps: [
      reported(HOUR),
      recorded(20 * HOUR),
      {
        kind: 'completion_proposed',
        after: 21 * HOUR,
        by: 'finance2',
        reason: 'Sample: received in full, twelve confirmations.',
      },
    ],
    paid: '1',
    flags: ['proposed'],
  },
  {
    name: 'not completed by the second',
    count: 1,
    daysAgo: [2.6, 2.6],
    status: 'pending',
    isLarge: true,
    steps: [
      reported(HOUR),
      { kind: 'completion_proposed', after: 20 * HOUR, by: 'finance2', reason: 'Sample: received.' },
      { kind: 'completion_declined', after: 28 * HOUR, by: 'admin', reason: 'Sample: unconfirmed so far.' },
      {
        kind: 'line_dismissed',
        after: 40 * HOUR,
        by: 'finance2',
        reason: 'Sample: the bank repeated a line of an earlier statement.',
      },
      {
        kind: 'line_reopened',
        after: 41 * HOUR,
        by: 'finance2',
        reason: 'Sample: the amount is different after all.',
      },
    ],
  },
  {
    name: 'another transaction after the deadline',
    count: 1,
    daysAgo: [3.5, 3.5],
    status: 'pending',
    steps: [
      reported(5 * HOUR),
      { kind: 'transaction_taken', after: 30 * HOUR, by: 'finance2', names: 'own' },
      { kind: 'reported_late', after: 60 * HOUR, by: 'member', names: 'second' },
    ],
    flags: ['late'],
  },
  {
    name: 'paid after the cancellation',
    count: 2,
    daysAgo: [4, 9],
    status: 'cancelled',
    steps: [unpaid, { kind: 'reported_late', after: 40 * HOUR, by: 'member', names: 'own' }],
    flags: ['late'],
  },
  {
    name: 'disputed',
    count: 1,
    daysAgo: [2, 2],
    status: 'pending',
    steps: [reported(HOUR), { kind: 'disputed', after: 20 * HOUR, by: 'other', names: 'own' }],
    flags: ['disputed'],
  },
  {
    name: 'disputes',
    count: 1,
    daysAgo: [1.9, 1.9],
    status: 'pending',
    // Two and a half hours after the other order.
    steps: [{ kind: 'disputed', after: 20 * HOUR - 2.4 * HOUR, by: 'member', names: 'others' }],
    flags: ['disputed'],
    with: 'disputed',
  },
  { name: 'cancelled as unpaid', count: 4, daysAgo: [2, 33], status: 'cancelled', steps: [unpaid] },
  {
    name: 'cancelled by the member',
    count: 2,
    daysAgo: [2, 26],
    status: 'cancelled',
    steps: [{ kind: 'withdrawn', after: 3 * HOUR, by: 'member' }],
  },
  {
    name: 'cancelled by finance',
    count: 2,
    daysAgo: [8, 22],
    status: 'cancelled',
    steps: [
      reported(4 * HOUR),
      {
        kind: 'cancelled',
        after: 30 * HOUR,
        by: 'finance2',
        reason: 'Sample: nothing was received; the transaction does not exist.',
      },
    ],
  },
]
