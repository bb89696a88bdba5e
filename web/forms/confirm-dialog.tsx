import { type ReactNode } from 'react'
import { useWords } from '../i18n/words.tsx'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { FormStatus } from '../ui/form-status.tsx'
import { useAction } from '../actions/use-action.ts'

/** Asks for confirmation before an action; a failure is shown in the dialog. */
export function ConfirmDialog<Done>({
  title,
  label,
  kind = 'primary',
  dismissLabel,
  step,
  onDone,
  onFailure,
  onClose,
  children,
}: {
  title: string
  /** The label of the confirming button. */
  label: string
  kind?: 'primary' | 'danger'
  /** What the other button says where “Cancel” would be ambiguous. */
  dismissLabel?: string
  /** Null if something is missing for it, which the children say. */
  step: () => Promise<Done> | null
  onDone: (done: Done) => void
  /** True if the children show what is wrong. */
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
            {dismissLabel ?? t('forms.cancel')}
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
