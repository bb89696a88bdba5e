import { useState, type ReactNode } from 'react'
import { useWords } from '../i18n/words.tsx'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { FormStatus } from '../ui/form-status.tsx'
import { failureWords } from '../actions/failure-words.ts'

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
  const [isSending, setIsSending] = useState(false)
  const [failure, setFailure] = useState<unknown>()
  async function take() {
    const underWay = step()
    setFailure(undefined)
    if (!underWay) return
    setIsSending(true)
    try {
      const done = await underWay
      onClose()
      onDone(done)
    } catch (cause) {
      if (!onFailure?.(cause)) setFailure(cause)
      setIsSending(false)
    }
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
      <FormStatus error={failure === undefined ? undefined : failureWords(t, failure)} />
    </Dialog>
  )
}
