import { useWords } from '../../i18n/words.tsx'
import { Button } from '../../ui/button.tsx'
import { Message } from '../../ui/form-status.tsx'
import styles from './post-form.module.css'
import type { Unfinished } from './use-unfinished.ts'

/** Offers the newest text that was typed for this form and not saved. Nothing is put into the form unasked. */
export function UnfinishedText({
  list,
  onContinue,
  onDiscard,
}: {
  list: readonly Unfinished[]
  onContinue: (copyId: string) => void
  onDiscard: (copyId: string) => void
}) {
  const { t, formatDateTime } = useWords()
  const [newest] = list
  if (!newest) return null
  const title = newest.title.trim() || t('newsroom.untitled')
  return (
    <Message kind="note" role="status">
      <p>{t('newsroom.unfinished.text', { title, time: formatDateTime(newest.savedAt) })}</p>
      {list.length > 1 && <p>{t('newsroom.unfinished.more', { count: list.length - 1 })}</p>}
      <div className={styles.choices}>
        <Button kind="quiet" onClick={() => onContinue(newest.copyId)}>
          {t('newsroom.unfinished.continue')}
        </Button>
        <Button kind="quiet" onClick={() => onDiscard(newest.copyId)}>
          {t('newsroom.unfinished.discard')}
        </Button>
      </div>
    </Message>
  )
}
