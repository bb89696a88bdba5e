import { useEffect, useRef, useState } from 'react'
import type { BulkOutcome, BulkRow } from '#contract/platform/bulk.ts'
import { call, type Call } from '../../kernel/call/call.ts'
import { newKey } from '../../kernel/call/new-key.ts'
import type { AnyRow, BulkAction } from './list-spec.ts'

/** Rows in one request, so that the progress is visible and no request takes long. */
const batchSize = 50

export type DeclaredBulk<Row> = Extract<BulkAction<Row>, { endpoint: unknown }>
export type Given = Readonly<Record<string, unknown>>
type Outcomes = ReadonlyMap<string, BulkOutcome>

const batchesOf = <Item>(items: readonly Item[]): Item[][] =>
  Array.from({ length: Math.ceil(items.length / batchSize) }, (_, at) =>
    items.slice(at * batchSize, (at + 1) * batchSize),
  )

const byId = (rows: readonly BulkOutcome[]) => rows.map((row) => [row.id, row] as const)

type Preview = { outcomes: Outcomes; failure?: unknown; isReady: boolean }

/** Otherwise, each digit of a typed date would cause a request. */
const typingPause = 300

/**
 * What would happen to the rows, as the server computes it. It is computed again if `given` changes, and not at all
 * without it.
 */
export function usePreview<Row extends AnyRow>(
  { endpoint, versionOf }: DeclaredBulk<Row>,
  rows: readonly Row[],
  given: Given | undefined,
) {
  const [preview, setPreview] = useState<Preview>({ outcomes: new Map(), isReady: false })
  const [attempt, setAttempt] = useState(0)
  const key = JSON.stringify(given)
  const isFirst = useRef(true)
  useEffect(() => {
    let isCurrent = true
    const outcomes = new Map<string, BulkOutcome>()
    const show = (more: Partial<Preview>) =>
      isCurrent && setPreview({ outcomes: new Map(outcomes), isReady: false, ...more })
    const read = async () => {
      show({})
      if (!given) return
      for (const batch of batchesOf(rows)) {
        if (!isCurrent) return
        const asked = batch.map((row) => rowOf(row, versionOf))
        const { rows: found } = await call(endpoint, { body: { isPreview: true, rows: asked, ...given } })
        for (const [id, outcome] of byId(found)) outcomes.set(id, outcome)
        show({})
      }
      show({ isReady: true })
    }
    const pause = isFirst.current ? 0 : typingPause
    isFirst.current = false
    const timer = setTimeout(() => void read().catch((failure: unknown) => show({ failure })), pause)
    return () => {
      isCurrent = false
      clearTimeout(timer)
    }
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- the rows are those that were selected when the dialog opened
  }, [key, attempt])
  return { ...preview, retry: () => setAttempt(attempt + 1) }
}

const rowOf = <Row extends AnyRow>(row: Row, versionOf: ((row: Row) => string) | undefined): BulkRow => ({
  id: row.id,
  ...(versionOf && { version: versionOf(row) }),
})

/** Changes the rows in batches. What is done stays done if a later batch fails, and is not sent again. */
export function useBulkRun<Row extends AnyRow>({ endpoint, versionOf }: DeclaredBulk<Row>) {
  const [outcomes, setOutcomes] = useState<Outcomes>(new Map())
  const done = useRef<Outcomes>(outcomes)
  /** The key of each request, so that sending the same one again repeats its answer. */
  const keys = useRef(new Map<string, string>())
  async function sendBatch(send: Call, batch: readonly BulkRow[], given: Given): Promise<void> {
    const body = { isPreview: false, rows: [...batch], ...given }
    const text = JSON.stringify(body)
    const idempotencyKey = keys.current.get(text) ?? newKey()
    keys.current.set(text, idempotencyKey)
    const { rows } = await send(endpoint, { body, idempotencyKey })
    done.current = new Map([...done.current, ...byId(rows)])
    setOutcomes(done.current)
  }
  async function runAll(send: Call, rows: readonly Row[], previewed: Outcomes, given: Given) {
    const open = rows
      .filter(({ id }) => !done.current.has(id))
      .map((row) => {
        const basis = previewed.get(row.id)?.basis
        return { ...rowOf(row, versionOf), ...(typeof basis === 'string' && { basis }) }
      })
    // A page that is closing can't wait for an answer before it sends the next request.
    if (send !== call) await Promise.all(batchesOf(open).map((batch) => sendBatch(send, batch, given)))
    else for (const batch of batchesOf(open)) await sendBatch(send, batch, given)
    return done.current
  }
  return { outcomes, runAll }
}
