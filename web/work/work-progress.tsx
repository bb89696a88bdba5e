import { useEffect, useState } from 'react'
import { useMessages } from '../i18n/messages.tsx'
import { useStore, type Store } from '../state/create-store.ts'
import styles from './work-progress.module.css'

/** Shown in a form while a proof of work is computed, and removed with the form. */
export function WorkProgress({
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
