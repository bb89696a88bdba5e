import { useState } from 'react'
import { CallFailed } from '../../kernel/call/call.ts'
import type { PlainKey } from '../../kernel/i18n/message-key.ts'
import { useMessages } from '../../kernel/i18n/messages.tsx'
import { Message } from '../../kernel/ui/form-status.tsx'
import styles from './conflict.module.css'

/** Thrown if someone else has changed the record, so that nothing was done. Contains the current state. */
export class Stale<Now> extends Error {
  readonly now: Now

  constructor(now: Now) {
    super('changed meanwhile')
    this.now = now
  }
}

/**
 * Rejects with the current state if a request failed because the state is outdated, and not because of one of its
 * fields.
 */
export async function whenStale<Done, Now>(work: Promise<Done>, load: () => Promise<Now>): Promise<Done> {
  try {
    return await work
  } catch (failure) {
    const isStale =
      failure instanceof CallFailed && failure.code === 'conflict' && failure.errors.length === 0
    throw isStale ? new Stale(await load()) : failure
  }
}

/** Label and text of each value that can differ. All states have the same labels in the same order. */
export type StateLines = readonly (readonly [label: PlainKey, text: string])[]

/** The displayed state next to the current one, after someone else acted first. */
export function StaleState({ seen, now }: { seen: StateLines; now: StateLines }) {
  const { t } = useMessages()
  const differing = now.flatMap(([label, is], at) => {
    const was = seen[at]?.[1] ?? ''
    return was === is ? [] : [{ label, was, is }]
  })
  return (
    <Message kind="bad" role="alert">
      <p>{t('console.stale')}</p>
      {differing.length > 0 && (
        <table className={styles.stale}>
          <thead>
            <tr>
              <th scope="col">{t('console.stale.field')}</th>
              <th scope="col">{t('console.stale.seen')}</th>
              <th scope="col">{t('console.stale.now')}</th>
            </tr>
          </thead>
          <tbody>
            {differing.map(({ label, was, is }) => (
              <tr key={label}>
                <th scope="row">{t(label)}</th>
                <td>{was}</td>
                <td>{is}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <p>{t('console.stale.again')}</p>
    </Message>
  )
}

/**
 * For actions on a record: if someone else changed it since it was read, nothing is changed and both states can be
 * shown.
 */
export function useStale<Thing>(record: Thing, load: () => Promise<Thing>, onNow: (now: Thing) => void) {
  const [seen, setSeen] = useState<Thing>()
  return {
    /** The state that the unsuccessful action was based on. */
    seen,
    attempt: <Done,>(work: Promise<Done>): Promise<Done> => whenStale(work, load),
    /** Returns whether the failure was an outdated state. */
    onFailure(failure: unknown): boolean {
      if (!(failure instanceof Stale)) return false
      setSeen(seen ?? record)
      onNow(failure.now as Thing)
      return true
    },
    forget: () => setSeen(undefined),
  }
}
