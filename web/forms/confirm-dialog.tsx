import { type ReactNode } from 'react'
import { useWords } from '../i18n/words.tsx'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { FormStatus } from '../ui/form-status.tsx'
import { useAction } from '../actions/use-action.ts'

/** Asks before a step is taken: Cancel cancels, and why it could not be taken is said in place. */
export function ConfirmDialog<Done>({
  title,
  label,
  kind = 'primary',
  step,
  onDone,
  onFailure,
  onClose,
  children,
}: {
  title: string
  /** What the button says that takes the step. */
  label: string
  kind?: 'primary' | 'danger'
  /** Null where something is missing for it, which the children say. */
  step: () => Promise<Done> | null
  onDone: (done: Done) => void
  /** True where the children say what is wrong. */
  onFailure?: (failure: unknown) => boolean
  onClose: () => void
  children: ReactNode
}) {
  const { t } = useWords()
  const { isBusy: isSending, error, run, forget } = useAction()
  async function take() {
    const underWay = step()
    if (!underWay) return forget()
    await run(async () => {
      try {
        const done = await underWay
        onClose()
        onDone(done)
      } catch (cause) {
        if (!onFailure?.(cause)) throw cause
      }
    })
  }
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={title}
      actions={
        <>
          <Button kind="quiet" disabled={isSending} onClick={onClose}>
            {t('forms.cancel')}
          </Button>
          <Button kind={kind} busy={isSending} onClick={() => void take()}>
            {label}
          </Button>
        </>
      }
    >
      {children}
      <FormStatus error={error} />
    </Dialog>
  )
}
