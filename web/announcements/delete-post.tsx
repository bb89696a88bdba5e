import { useState } from 'react'
import { deleteAnnouncement, trashDays, type Announcement } from '#contract/announcements.ts'
import { call } from '../call.ts'
import { failureWords } from '../forms/failure-words.ts'
import { useWords } from '../i18n/words.tsx'
import { useNotices } from '../layout/notices.tsx'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { FormStatus } from '../ui/form-status.tsx'
import { alertIfRightsLost } from './rights-lost.ts'

/** Asks before a post goes to the trash. Cancel cancels. */
export function DeletePost({
  post,
  isOpen,
  onClose,
  onDeleted,
}: {
  post: Announcement
  isOpen: boolean
  onClose: () => void
  onDeleted: (id: string) => void
}) {
  const { t } = useWords()
  const notices = useNotices()
  const [isSending, setIsSending] = useState(false)
  const [failure, setFailure] = useState<unknown>()
  function close() {
    setFailure(undefined)
    onClose()
  }
  async function remove() {
    setIsSending(true)
    setFailure(undefined)
    try {
      await call(deleteAnnouncement, { params: { id: post._id }, body: {} })
      onClose()
      onDeleted(post._id)
      notices.show(t('news.deleted', { title: post.title, days: trashDays }), 'success')
    } catch (cause) {
      alertIfRightsLost(t, cause)
      setFailure(cause)
    } finally {
      setIsSending(false)
    }
  }
  return (
    <Dialog
      isOpen={isOpen}
      onClose={close}
      title={t('news.delete.title')}
      actions={
        <>
          <Button kind="quiet" disabled={isSending} onClick={close}>
            {t('forms.cancel')}
          </Button>
          <Button kind="danger" busy={isSending} onClick={() => void remove()}>
            {t('news.delete')}
          </Button>
        </>
      }
    >
      <p>{t('news.delete.text', { title: post.title, days: trashDays })}</p>
      <FormStatus error={failure === undefined ? undefined : failureWords(t, failure)} />
    </Dialog>
  )
}
