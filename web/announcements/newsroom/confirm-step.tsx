import { useState } from 'react'
import type { NewsroomPost } from '#contract/newsroom.ts'
import { failureWords } from '../../forms/failure-words.ts'
import { useWords } from '../../i18n/words.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { FormStatus } from '../../ui/form-status.tsx'

/** Asks before a step that others see; says in place why it could not be taken. */
export function ConfirmStep({
  title,
  text,
  label,
  step,
  onDone,
  onClose,
}: {
  title: string
  text: string
  label: string
  step: () => Promise<NewsroomPost>
  onDone: (changed: NewsroomPost) => void
  onClose: () => void
}) {
  const { t } = useWords()
  const [isSending, setIsSending] = useState(false)
  const [failure, setFailure] = useState<unknown>()
  async function take() {
    setIsSending(true)
    setFailure(undefined)
    try {
      const changed = await step()
      onClose()
      onDone(changed)
    } catch (cause) {
      setFailure(cause)
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
          <Button busy={isSending} onClick={() => void take()}>
            {label}
          </Button>
        </>
      }
    >
      <p>{text}</p>
      <FormStatus error={failure === undefined ? undefined : failureWords(t, failure)} />
    </Dialog>
  )
}
