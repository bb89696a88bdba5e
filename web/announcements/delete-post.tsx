import { deleteAnnouncement, trashDays, type Announcement } from '#contract/publishing/announcements.ts'
import { restorePost, type NewsroomPost } from '#contract/publishing/newsroom.ts'
import { call } from '../kernel/call/call.ts'
import { ConfirmDialog } from '../kernel/forms/confirm-dialog.tsx'
import { failureMessage } from '../kernel/actions/failure-message.ts'
import { useMessages, type UsedMessages } from '../kernel/i18n/messages.tsx'
import { showNotice } from '../kernel/notices/notices.ts'
import { notifyIfPermissionLost } from './permission-lost.ts'

/** Restores a post from the trash and shows a notice. */
export async function restore(
  t: UsedMessages['t'],
  post: Pick<Announcement, '_id' | 'title'>,
): Promise<NewsroomPost | null> {
  try {
    const restored = await call(restorePost, { params: { id: post._id }, body: {} })
    showNotice(t('news.restored', { title: post.title }), 'success')
    return restored
  } catch (failure) {
    showNotice(failureMessage(t, failure), 'error')
    return null
  }
}

/** Asks for confirmation before a post is moved to the trash. The notice afterwards offers to restore it. */
export default function DeletePost({
  post,
  onClose,
  onDeleted,
  onRestored,
}: {
  post: Pick<Announcement, '_id' | 'title'>
  onClose: () => void
  onDeleted: () => void
  onRestored: (restored: NewsroomPost) => void
}) {
  const { t } = useMessages()
  return (
    <ConfirmDialog
      title={t('news.delete.title')}
      label={t('news.delete')}
      kind="danger"
      step={() => call(deleteAnnouncement, { params: { id: post._id }, body: {} })}
      onDone={() => {
        onDeleted()
        showNotice(t('news.deleted', { title: post.title, days: trashDays }), 'success', {
          label: t('news.undo'),
          isOffer: true,
          run: () => void restore(t, post).then((restored) => restored && onRestored(restored)),
        })
      }}
      onFailure={(failure) => {
        notifyIfPermissionLost(t, failure)
        return false
      }}
      onClose={onClose}
    >
      <p>{t('news.delete.text', { title: post.title, days: trashDays })}</p>
    </ConfirmDialog>
  )
}
