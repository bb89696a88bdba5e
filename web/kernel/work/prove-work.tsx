import { useEffect, useState } from 'react'
import { solutionOf, type Work } from '#contract/platform/proof-of-work.ts'
import { useMessages } from '../i18n/messages.tsx'
import { createStore, type Store, useStore } from '../state/create-store.ts'
import { currentWork } from './current-work.ts'
import { startSolver } from './start-solver.ts'
import styles from './work-progress.module.css'

/** Solves a challenge and shows the progress. Rejects if that fails or if the form is closed. */
export function proveWork({ challenge, parts, below }: Work): Promise<string> {
  const found = createStore<readonly number[]>([])
  const worker = startSolver()
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  worker.onmessage = ({ data }: MessageEvent<number>) => {
    found.set([...found.get(), data])
    if (found.get().length === parts) resolve(solutionOf(challenge, found.get()))
  }
  worker.onerror = () => reject(new Error('the solver failed'))
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has none
  worker.postMessage({ challenge, parts, below } satisfies Work)
  const shown = (
    <WorkProgress found={found} parts={parts} onLeft={() => reject(new Error('the form was left'))} />
  )
  currentWork.set(shown)
  return promise.finally(() => {
    worker.terminate()
    // Another form may have started since.
    if (currentWork.get() === shown) currentWork.set(null)
  })
}

/** Shown in a form while a proof of work is computed, and removed with the form. */
function WorkProgress({
  found,
  parts,
  onLeft,
}: {
  found: Store<readonly number[]>
  parts: number
  onLeft: () => void
}) {
  const { t } = useMessages()
  const done = useStore(found).length
  const [isThere, setIsThere] = useState(false)
  useEffect(() => {
    // Screen readers announce only text that is added to an existing region.
    const timer = setTimeout(() => setIsThere(true), 50)
    return () => clearTimeout(timer)
  }, [])
  useEffect(() => onLeft, [onLeft])
  return (
    <div className={styles.place}>
      <div className={styles.work}>
        <div role="status">
          {isThere && (
            <>
              <p>{t('forms.work.checking')}</p>
              <p className={styles.help}>{t('forms.work.help')}</p>
            </>
          )}
        </div>
        <progress aria-label={t('forms.work.checking')} max={parts} value={done} />
      </div>
    </div>
  )
}
