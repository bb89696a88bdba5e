import { useMessages } from '../../../i18n/messages.tsx'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'

type Props = { isOpen: boolean; name: string; onCancel: () => void; onConfirm: () => void }

/** Another reviewer may be working on the case, so reassigning it requires confirmation. */
export function ReassignDialog({ isOpen, name, onCancel, onConfirm }: Props) {
  const { t } = useMessages()
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onCancel}
      title={t('review.takeOver.title', { name })}
      actions={
        <>
          <Button kind="quiet" onClick={onCancel}>
            {t('forms.cancel')}
          </Button>
          <Button onClick={onConfirm}>{t('review.takeOver.confirm')}</Button>
        </>
      }
    >
      <p>{t('review.takeOver.text', { name })}</p>
    </Dialog>
  )
}
