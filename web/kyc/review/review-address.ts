import type { FiltersOf } from '#contract/platform/resource.ts'
import type { kycCases } from '#contract/people/kyc-review.ts'
import { pathTo } from '../../kernel/routes/routes.ts'

/** The parameters of the queue in the address: its filters and page. */
export type QueueSearch = URLSearchParams | { [Name in keyof FiltersOf<typeof kycCases>]?: string }

const addressOf = (query: URLSearchParams): string =>
  query.size === 0 ? pathTo('console.identity') : `${pathTo('console.identity')}?${query}`

/** Without filters, the queue has the waiting cases. An empty `status` means any. */
export function pathToQueue(queue: QueueSearch = {}): string {
  const query = new URLSearchParams(queue)
  query.delete('case')
  return addressOf(query)
}

/** A case's address contains the parameters of its queue, so that “back” returns there and “next” follows its order. */
export function pathToCase(id: string, queue: QueueSearch = {}): string {
  const query = new URLSearchParams(queue)
  query.delete('case')
  return addressOf(new URLSearchParams([['case', id], ...query]))
}

export const caseOf = (search: URLSearchParams): string | null => search.get('case')
