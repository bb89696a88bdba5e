import { lazy, Suspense, useState } from 'react'
import type { Announcement } from '#contract/publishing/announcements.ts'
import { useMessages } from '../kernel/i18n/messages.tsx'
import { Button } from '../kernel/ui/button.tsx'
import styles from './post.module.css'

const DeletePost = lazy(() => import('./delete-post.tsx'))

/** The tools that editors get with a post. */
export default function PostTools({
  post,
  titleId,
  onEdit,
  onDeleted,
  onRestored,
}: {
  post: Announcement
  titleId?: string
  onEdit: () => void
  onDeleted: () => void
  onRestored: (post: Announcement) => void
}) {
  const { t } = useMessages()
  const [isDeleting, setIsDeleting] = useState(false)
  return (
    <div className={styles.tools}>
      <Button kind="quiet" aria-describedby={titleId} onClick={onEdit}>
        {t('news.edit')}
      </Button>
      <Button kind="danger" aria-describedby={titleId} onClick={() => setIsDeleting(true)}>
        {t('news.delete')}
      </Button>
      {isDeleting && (
        <Suspense>
          <DeletePost
            post={post}
            onClose={() => setIsDeleting(false)}
            onDeleted={onDeleted}
            // The post is restored as it was, except for fields that the server has updated.
            onRestored={({ lastEdited }) => onRestored({ ...post, lastEdited })}
          />
        </Suspense>
      )}
    </div>
  )
}
