import { useMessages } from '../../kernel/i18n/messages.tsx'
import { Button } from '../../kernel/ui/button.tsx'
import { Message } from '../../kernel/ui/form-status.tsx'
import styles from './autosaves.module.css'
import type { Offered } from './autosave.reducer.ts'

/** Offers the newest unsaved text of this form. Nothing is put into the form without consent. */
export function OfferedAutosave({
  list,
  onContinue,
  onDiscard,
}: {
  list: readonly Offered[]
  onContinue: (id: string) => void
  onDiscard: (id: string) => void
}) {
  const { t, formatDateTime } = useMessages()
  const [newest] = list
  if (!newest) return null
  const title = newest.title.trim() || t('newsroom.untitled')
  return (
    <Message kind="note" role="status">
      <p>{t('newsroom.unfinished.text', { title, time: formatDateTime(newest.savedAt) })}</p>
      {list.length > 1 && <p>{t('newsroom.unfinished.more', { count: list.length - 1 })}</p>}
      <div className={styles.choices}>
        <Button kind="quiet" onClick={() => onContinue(newest.id)}>
          {t('newsroom.unfinished.continue')}
        </Button>
        <Button kind="quiet" onClick={() => onDiscard(newest.id)}>
          {t('newsroom.unfinished.discard')}
        </Button>
      </div>
    </Message>
  )
}
