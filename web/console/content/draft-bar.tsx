import { useState } from 'react'
import { checkContentDrafts, type ContentPieceWhole, type ContentRelease } from '#contract/console-content.ts'
import { isMailPiece } from '#contract/content-mails.ts'
import type { ContentProblem } from '#contract/content-rules.ts'
import { useAction } from '../../actions/use-action.ts'
import { call } from '../../call/call.ts'
import { ConfirmDialog } from '../../forms/confirm-dialog.tsx'
import type { PlainKey } from '../../i18n/message-key.ts'
import { useWords } from '../../i18n/words.tsx'
import { showNotice } from '../../notices/notices.ts'
import { Button } from '../../ui/button.tsx'
import { FormStatus } from '../../ui/form-status.tsx'
import styles from './content.module.css'
import { PublishDialog } from './publish/publish-dialog.tsx'
import { doneWords } from './publish/release-words.ts'
import type { Draft } from './use-draft.ts'

/** What can be done with what was typed: the bar stays in sight below the form. */
export function DraftBar({
  draft,
  mayWrite,
  isPreviewed,
  onPreview,
  onProblems,
  onPiece,
  onReleased,
}: {
  draft: Draft
  mayWrite: boolean
  isPreviewed: boolean
  onPreview: (isPreviewed: boolean) => void
  /** What is wrong by now, shown and gone to. */
  onProblems: (problems: readonly ContentProblem[]) => void
  onPiece: (piece: ContentPieceWhole) => void
  onReleased: (release: ContentRelease) => void
}) {
  const { t } = useWords()
  const { piece, isDirty, save } = draft
  const [publishing, setPublishing] = useState<ContentPieceWhole>()
  const [isDiscarding, setDiscarding] = useState(false)
  // Said in the bar: a notice would cover its buttons.
  const [done, setDone] = useState<PlainKey>()
  const action = useAction()
  const isChanged = isDirty || piece.changes.length > 0 || piece.legal !== null
  const start = (work: () => Promise<unknown>) => {
    setDone(undefined)
    void action.run(work)
  }
  const saveDraft = () =>
    start(async () => {
      if (await save()) setDone('consoleContent.saved')
    })
  const check = () =>
    start(async () => {
      if (!(await save())) return
      const { problems } = await call(checkContentDrafts, { body: { pieces: [piece.piece] } })
      onProblems(problems)
      if (problems.length === 0) setDone('consoleContent.check.fine')
    })
  const preview = () => {
    if (isPreviewed) onPreview(false)
    else
      start(async () => {
        if (!mayWrite || (await save())) onPreview(true)
      })
  }
  const publish = () =>
    start(async () => {
      const saved = await save()
      if (!saved) return
      if (saved.found.length > 0) onProblems(saved.found)
      else setPublishing(saved)
    })
  return (
    <div className={styles.bar} role="group" aria-label={t('consoleContent.bar')}>
      <div className={styles.actions}>
        {mayWrite && piece.kind !== 'document' && (
          <Button busy={action.isBusy} disabled={!isDirty} onClick={saveDraft}>
            {t('consoleContent.save')}
          </Button>
        )}
        {mayWrite && (
          <Button kind="quiet" disabled={action.isBusy || !isChanged} onClick={publish}>
            {t('consoleContent.publish')}
          </Button>
        )}
        <Button kind="quiet" disabled={action.isBusy} onClick={check}>
          {t('consoleContent.check')}
        </Button>
        {/* A mail stands on no page. */}
        {!isMailPiece(piece.piece) && (
          <Button kind="quiet" disabled={action.isBusy} aria-pressed={isPreviewed} onClick={preview}>
            {t('consoleContent.preview')}
          </Button>
        )}
        {mayWrite && (isDirty || piece.hasDraft) && (
          <Button kind="quiet" disabled={action.isBusy} onClick={() => setDiscarding(true)}>
            {t('consoleContent.discard')}
          </Button>
        )}
      </div>
      <FormStatus error={action.error} missing={isDirty ? t('consoleContent.typed') : done && t(done)} />
      {publishing && (
        <PublishDialog
          pieces={[publishing]}
          onDone={(release) => {
            showNotice(t(doneWords(release)), 'success')
            onReleased(release)
          }}
          onBroken={onProblems}
          onClose={() => setPublishing(undefined)}
        />
      )}
      {isDiscarding && (
        <ConfirmDialog
          title={t('consoleContent.discard.title')}
          label={t('consoleContent.discard.now')}
          kind="danger"
          dismissLabel={t('consoleContent.back')}
          step={draft.discard}
          onDone={(now) => {
            showNotice(t('consoleContent.discarded'), 'success')
            onPiece(now)
          }}
          onClose={() => setDiscarding(false)}
        >
          <p>{t('consoleContent.discard.text')}</p>
        </ConfirmDialog>
      )}
    </div>
  )
}
