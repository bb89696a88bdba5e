import { useLayoutEffect, useRef, useState } from 'react'
import { listKycCases, type KycCase } from '#contract/people/kyc-review.ts'
import { callPage } from '../../../kernel/call/call.ts'
import { useLoaded, type Loaded } from '../../../kernel/actions/use-loaded.ts'
import { pathToQueue, type QueueFilter } from '../review-address.ts'

const pageSize = 25

type Page = { key: string; cases: readonly KycCase[]; next: string | undefined }

export type Queue = {
  loaded: Loaded<Page>
  cases: readonly KycCase[]
  hasMore: boolean
  /** Whether the cases still belong to the previous filter while the new ones are loading. */
  isStale: boolean
  isLoadingMore: boolean
  moreFailed: unknown
  loadMore: () => Promise<void>
  /** Updates a case's row in place. */
  update: (changed: KycCase) => void
}

/** The queue, page by page. It is kept while a case is open, so that returning restores the position. */
export function useQueue(filter: QueueFilter): Queue {
  const key = pathToQueue(filter)
  const [isLoadingMore, setIsLoadingMore] = useState(false)
  const [moreFailed, setMoreFailed] = useState<unknown>()
  const loaded = useLoaded<Page>(key, async () => {
    setMoreFailed(undefined)
    return { key, ...(await fetchPage(filter)) }
  })
  const page = loaded.state === 'ready' ? loaded.data : undefined
  const current = useRef(loaded)
  useLayoutEffect(() => {
    current.current = loaded
  })

  async function loadMore() {
    if (!page?.next || isLoadingMore) return
    setIsLoadingMore(true)
    setMoreFailed(undefined)
    try {
      const more = await fetchPage(filter, page.next)
      // Another filter may have been selected in the meantime.
      if (current.current.state === 'ready' && current.current.data.key === page.key)
        current.current.setData({
          ...more,
          key: page.key,
          cases: joined(current.current.data.cases, more.cases),
        })
    } catch (failure) {
      setMoreFailed(failure)
    } finally {
      setIsLoadingMore(false)
    }
  }
  return {
    loaded,
    cases: page?.cases ?? [],
    hasMore: page?.next !== undefined,
    isStale: page !== undefined && page.key !== key,
    isLoadingMore,
    moreFailed,
    loadMore,
    update(changed) {
      const { current: now } = current
      if (now.state !== 'ready') return
      const cases = now.data.cases.map((row) => (row._id === changed._id ? changed : row))
      now.setData({ ...now.data, cases })
    },
  }
}

async function fetchPage({ status, assignee, flag, q, olderThanHours }: QueueFilter, after?: string) {
  const { rows, next } = await callPage(listKycCases, {
    query: {
      limit: pageSize,
      ...(status !== 'any' && { status }),
      ...(assignee && { assignee }),
      ...(flag && { flag }),
      ...(q.trim() && { q: q.trim() }),
      ...(olderThanHours && { olderThanHours }),
      ...(after !== undefined && { after }),
    },
  })
  return { cases: rows, next }
}

/** A case that moved between two pages is shown only once. */
const joined = (before: readonly KycCase[], more: readonly KycCase[]): KycCase[] => {
  const known = new Set(before.map(({ _id }) => _id))
  return [...before, ...more.filter(({ _id }) => !known.has(_id))]
}
