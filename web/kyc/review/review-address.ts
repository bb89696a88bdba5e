import { caseFlags } from '#contract/people/kyc-review.ts'
import { kycStates } from '#contract/people/kyc.ts'
import { pathTo } from '../../kernel/routes/routes.ts'

export const queueStates = ['waiting', ...kycStates, 'any'] as const
export const queueOfficers = ['me', 'nobody', 'available'] as const
/** Ages in hours. */
export const queueAges = [24, 72, 168] as const

/** The filter of the cases. Those waiting longest always come first. */
export type QueueFilter = {
  status: (typeof queueStates)[number]
  assignee: (typeof queueOfficers)[number] | ''
  flag: (typeof caseFlags)[number] | ''
  q: string
  olderThanHours: (typeof queueAges)[number] | 0
}

export const wholeQueue: QueueFilter = { status: 'waiting', assignee: '', flag: '', q: '', olderThanHours: 0 }

const oneOf = <Value>(values: readonly Value[], wanted: unknown): Value | undefined =>
  values.find((value) => value === wanted)

/** Reads the filter from the address. Missing or invalid parts get their defaults. */
export const filterOf = (search: URLSearchParams): QueueFilter => ({
  status: oneOf(queueStates, search.get('status')) ?? wholeQueue.status,
  assignee: oneOf(queueOfficers, search.get('assignee')) ?? '',
  flag: oneOf(caseFlags, search.get('flag')) ?? '',
  q: (search.get('q') ?? '').slice(0, 200),
  olderThanHours: oneOf(queueAges, Number(search.get('older'))) ?? 0,
})

const wordsOf = ({ status, assignee, flag, q, olderThanHours }: QueueFilter): [string, string][] => {
  const params: [string, string][] = [
    ['status', status === wholeQueue.status ? '' : status],
    ['assignee', assignee],
    ['flag', flag],
    ['q', q.trim()],
    ['older', olderThanHours ? String(olderThanHours) : ''],
  ]
  return params.filter(([, value]) => value !== '')
}

const addressOf = (query: [string, string][]): string =>
  query.length === 0
    ? pathTo('console.identity')
    : `${pathTo('console.identity')}?${new URLSearchParams(query)}`

export const pathToQueue = (filter: QueueFilter): string => addressOf(wordsOf(filter))

/** The query string that a saved view stores for the queue. */
export const queueQuery = (filter: QueueFilter): string => new URLSearchParams(wordsOf(filter)).toString()

/** A case's address contains the filter of its queue, so that “back” returns there and “next” follows its order. */
export const pathToCase = (id: string, filter: QueueFilter): string =>
  addressOf([['case', id], ...wordsOf(filter)])

export const caseOf = (search: URLSearchParams): string | null => search.get('case')
