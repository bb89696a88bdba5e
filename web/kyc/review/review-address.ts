import { kycStates } from '#contract/kyc.ts'
import { pathTo } from '../../routes/routes.ts'

export const queueStates = ['waiting', ...kycStates, 'any'] as const
export const queueOfficers = ['me', 'nobody'] as const
/** Hours. */
export const queueAges = [24, 72, 168] as const

/** What of the queue is shown. The longest waiting come first, always. */
export type QueueFilter = {
  status: (typeof queueStates)[number]
  assignee: (typeof queueOfficers)[number] | ''
  q: string
  olderThanHours: (typeof queueAges)[number] | 0
}

export const wholeQueue: QueueFilter = { status: 'waiting', assignee: '', q: '', olderThanHours: 0 }

const oneOf = <Value>(values: readonly Value[], wanted: unknown): Value | undefined =>
  values.find((value) => value === wanted)

/** What the address says; what it does not say, or says wrongly, is as at the beginning. */
export const filterOf = (search: URLSearchParams): QueueFilter => ({
  status: oneOf(queueStates, search.get('status')) ?? wholeQueue.status,
  assignee: oneOf(queueOfficers, search.get('assignee')) ?? '',
  q: (search.get('q') ?? '').slice(0, 200),
  olderThanHours: oneOf(queueAges, Number(search.get('older'))) ?? 0,
})

const wordsOf = ({ status, assignee, q, olderThanHours }: QueueFilter): [string, string][] => {
  const said: [string, string][] = [
    ['status', status === wholeQueue.status ? '' : status],
    ['assignee', assignee],
    ['q', q.trim()],
    ['older', olderThanHours ? String(olderThanHours) : ''],
  ]
  return said.filter(([, value]) => value !== '')
}

const addressOf = (query: [string, string][]): string =>
  query.length === 0 ? pathTo('kyc.review') : `${pathTo('kyc.review')}?${new URLSearchParams(query)}`

export const pathToQueue = (filter: QueueFilter): string => addressOf(wordsOf(filter))

/** A case keeps the queue that it was opened from: back leads there, and next is the next one of it. */
export const pathToCase = (id: string, filter: QueueFilter): string =>
  addressOf([['case', id], ...wordsOf(filter)])

export const caseOf = (search: URLSearchParams): string | null => search.get('case')
