import { useEffect, useState } from 'react'
import { useMessages } from '../i18n/messages.tsx'
import { guardUnsavedInput } from '../navigation/unsaved.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'

/** While this is rendered, leaving the page requires confirmation, because its input is not stored anywhere else. */
export function UnsavedChangesPrompt() {
  const { t } = useMessages()
  const [answer, setAnswer] = useState<(leaves: boolean) => void>()
  useEffect(() => {
    let open: ((leaves: boolean) => void) | undefined
    const release = guardUnsavedInput(
      () =>
        new Promise((resolve) => {
          // If another request comes before the answer, only the last destination counts.
          open?.(false)
          open = resolve
          setAnswer(() => resolve)
        }),
    )
    return () => {
      open?.(false)
      release()
    }
  }, [])
  if (!answer) return null
  const give = (leaves: boolean) => {
    setAnswer(undefined)
    answer(leaves)
  }
  return (
    <Dialog
      isOpen
      onClose={() => give(false)}
      title={t('forms.leave.title')}
      actions={
        <>
          <Button onClick={() => give(false)}>{t('forms.leave.stay')}</Button>
          <Button kind="danger" onClick={() => give(true)}>
            {t('forms.leave.leave')}
          </Button>
        </>
      }
    >
      <p>{t('forms.leave.text')}</p>
    </Dialog>
  )
}
