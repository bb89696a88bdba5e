import { useEffect, useRef, type ReactNode } from 'react'
import { useMessages } from '../i18n/messages.tsx'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { FormStatus } from '../ui/form-status.tsx'
import { useAction } from '../actions/use-action.ts'

type Props<Done> = {
  title: string
  /** The label of the confirming button. */
  label: string
  kind?: 'primary' | 'danger'
  /** Label of the other button, for cases where “Cancel” would be ambiguous. */
  dismissLabel?: string
  /** Returns null if input is missing; the children then explain what. */
  step: () => Promise<Done> | null
  onDone: (done: Done) => void
  /** Returns whether the children show the problem. */
  onFailure?: (failure: unknown) => boolean
  onClose: () => void
  /** While the action can still be undone. */
  isHidden?: boolean | undefined
  children: ReactNode
}

/** Asks for confirmation before an action. A failure is shown in the dialog. */
export function ConfirmDialog<Done>({
  title,
  label,
  kind = 'primary',
  dismissLabel,
  step,
  onDone,
  onFailure,
  onClose,
  isHidden,
  children,
}: Props<Done>) {
  const { t } = useMessages()
  const { isBusy: isSending, error, run, reset } = useAction()
  const status = useRef<HTMLDivElement>(null)
  // In a long dialog, the error would stay hidden behind the buttons.
  useEffect(() => {
    if (error) status.current?.scrollIntoView({ block: 'center' })
  }, [error])
  async function take() {
    const underWay = step()
    if (!underWay) return reset()
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
      isOpen={!isHidden}
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
      <div ref={status}>
        <FormStatus error={error} />
      </div>
    </Dialog>
  )
}
