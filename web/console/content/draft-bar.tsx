import { useState } from 'react'
import {
  checkContentDrafts,
  type ContentItemDetail,
  type ContentRelease,
} from '#contract/publishing/console-content.ts'
import { isEmailItem } from '#contract/publishing/content-emails.ts'
import type { ContentProblem } from '#contract/publishing/content-rules.ts'
import { useAction } from '../../kernel/actions/use-action.ts'
import { call } from '../../kernel/call/call.ts'
import { ConfirmDialog } from '../../kernel/forms/confirm-dialog.tsx'
import type { PlainKey } from '../../kernel/i18n/message-key.ts'
import { useMessages } from '../../kernel/i18n/messages.tsx'
import { showNotice } from '../../kernel/notices/notices.ts'
import { Button } from '../../kernel/ui/button.tsx'
import { FormStatus } from '../../kernel/ui/form-status.tsx'
import styles from './content.module.css'
import { PublishDialog } from './publish/publish-dialog.tsx'
import { doneMessage } from './publish/release-labels.ts'
import type { Draft } from './use-draft.ts'

type Props = {
  draft: Draft
  mayWrite: boolean
  isPreviewed: boolean
  onPreview: (isPreviewed: boolean) => void
  /** Shows the current problems and moves the focus to them. */
  onProblems: (problems: readonly ContentProblem[]) => void
  onPiece: (piece: ContentItemDetail) => void
  onReleased: (release: ContentRelease) => void
}

/** Actions on the input, in a bar that stays visible below the form. */
export function DraftBar(props: Props) {
  const { t } = useMessages()
  const { draft, onProblems, onReleased } = props
  const [dialog, setDialog] = useState<ContentItemDetail | 'discard'>()
  // Shown in the bar, because a notice would cover its buttons.
  const [done, setDone] = useState<PlainKey>()
  const action = useAction()
  const start = (work: () => Promise<unknown>) => {
    setDone(undefined)
    void action.run(work)
  }
  return (
    <div className={styles.bar} role="group" aria-label={t('consoleContent.bar')}>
      <BarButtons {...props} isBusy={action.isBusy} start={start} onDone={setDone} onDialog={setDialog} />
      <FormStatus
        error={action.error}
        missing={draft.isDirty ? t('consoleContent.typed') : done && t(done)}
      />
      {dialog === 'discard' && <DiscardDialog {...props} onClose={() => setDialog(undefined)} />}
      {dialog && dialog !== 'discard' && (
        <PublishDialog
          pieces={[dialog]}
          onDone={(release) => {
            showNotice(t(doneMessage(release)), 'success')
            onReleased(release)
          }}
          onBroken={onProblems}
          onClose={() => setDialog(undefined)}
        />
      )}
    </div>
  )
}

type BarProps = Props & {
  isBusy: boolean
  start: (work: () => Promise<unknown>) => void
  onDone: (message: PlainKey) => void
  onDialog: (dialog: ContentItemDetail | 'discard') => void
}

/** The action of each button. All of them save the input first. */
const makeSteps = ({
  draft: { piece, save },
  mayWrite,
  onPreview,
  onProblems,
  onDone,
  onDialog,
}: BarProps) => ({
  async saveDraft() {
    if (await save()) onDone('consoleContent.saved')
  },
  async check() {
    if (!(await save())) return
    const { problems } = await call(checkContentDrafts, { body: { pieces: [piece.piece] } })
    onProblems(problems)
    if (problems.length === 0) onDone('consoleContent.check.fine')
  },
  async preview() {
    if (!mayWrite || (await save())) onPreview(true)
  },
  async publish() {
    const saved = await save()
    if (!saved) return
    if (saved.found.length > 0) onProblems(saved.found)
    else onDialog(saved)
  },
})

function BarButtons(props: BarProps) {
  const { t } = useMessages()
  const { draft, mayWrite, isPreviewed, onPreview, isBusy, start, onDialog } = props
  const { piece, isDirty } = draft
  const { saveDraft, check, preview, publish } = makeSteps(props)
  const isChanged = isDirty || piece.changes.length > 0 || piece.legal !== null
  return (
    <div className={styles.actions}>
      {mayWrite && piece.kind !== 'document' && (
        <Button busy={isBusy} disabled={!isDirty} onClick={() => start(saveDraft)}>
          {t('consoleContent.save')}
        </Button>
      )}
      {mayWrite && (
        <Button kind="quiet" disabled={isBusy || !isChanged} onClick={() => start(publish)}>
          {t('consoleContent.publish')}
        </Button>
      )}
      <Button kind="quiet" disabled={isBusy} onClick={() => start(check)}>
        {t('consoleContent.check')}
      </Button>
      {/* Emails are not part of any page. */}
      {!isEmailItem(piece.piece) && (
        <Button
          kind="quiet"
          disabled={isBusy}
          aria-pressed={isPreviewed}
          onClick={() => (isPreviewed ? onPreview(false) : start(preview))}
        >
          {t('consoleContent.preview')}
        </Button>
      )}
      {mayWrite && (isDirty || piece.hasDraft) && (
        <Button kind="quiet" disabled={isBusy} onClick={() => onDialog('discard')}>
          {t('consoleContent.discard')}
        </Button>
      )}
    </div>
  )
}

function DiscardDialog({
  draft,
  onPiece,
  onClose,
}: Pick<Props, 'draft' | 'onPiece'> & { onClose: () => void }) {
  const { t } = useMessages()
  return (
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
      onClose={onClose}
    >
      <p>{t('consoleContent.discard.text')}</p>
    </ConfirmDialog>
  )
}
