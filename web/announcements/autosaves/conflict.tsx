import { useEffect, useRef } from 'react'
import type { NewsroomPostWhole } from '#contract/publishing/newsroom.ts'
import { useMessages } from '../../kernel/i18n/messages.tsx'
import { Button } from '../../kernel/ui/button.tsx'
import { Message } from '../../kernel/ui/form-status.tsx'
import { Comparison } from '../compare/comparison.tsx'
import type { PostText } from './autosave.ts'
import styles from './autosaves.module.css'

/**
 * Two people have edited the same post. Both texts are shown side by side, and none is discarded until the editor
 * chooses.
 */
export function Conflict({
  mine,
  theirs,
  isSending,
  onKeepMine,
  onUseTheirs,
  onGoOn,
}: {
  mine: PostText
  theirs: NewsroomPostWhole
  isSending: boolean
  onKeepMine: () => void
  onUseTheirs: () => void
  onGoOn: () => void
}) {
  const { t, formatDateTime } = useMessages()
  const top = useRef<HTMLDivElement>(null)
  useEffect(() => {
    top.current?.focus({ preventScroll: true })
    top.current?.scrollIntoView({ block: 'start' })
  }, [])
  const name = theirs.editedBy?.name || t('newsroom.somebody')
  const time = formatDateTime(theirs.lastEdited ?? theirs.postedDate)
  return (
    <section className={styles.conflict} aria-label={t('newsroom.conflict.heading')}>
      <div ref={top} tabIndex={-1} className={styles.top}>
        <Message kind="note" role="alert">
          <p>
            <strong>{t('newsroom.conflict.heading')}</strong>
          </p>
          <p>{t('newsroom.conflict.text', { name, time })}</p>
        </Message>
      </div>
      <Comparison
        before={{
          name: t('newsroom.conflict.theirs', { name, time }),
          short: t('newsroom.conflict.saved'),
          text: theirs,
        }}
        after={{ name: t('newsroom.conflict.mine'), text: mine }}
      />
      <div className={styles.choices}>
        <Button busy={isSending} onClick={onKeepMine}>
          {t('newsroom.conflict.keepMine')}
        </Button>
        <Button kind="quiet" disabled={isSending} onClick={onUseTheirs}>
          {t('newsroom.conflict.takeTheirs')}
        </Button>
        <Button kind="quiet" disabled={isSending} onClick={onGoOn}>
          {t('newsroom.conflict.goOn')}
        </Button>
      </div>
      <p className={styles.help}>{t('newsroom.conflict.help')}</p>
    </section>
  )
}
