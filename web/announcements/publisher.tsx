import { useState } from 'react'
import type { Announcement } from '#contract/announcements.ts'
import { useWords } from '../i18n/words.tsx'
import { useNotices } from '../layout/notices.tsx'
import { Button } from '../ui/button.tsx'
import styles from './news.module.css'
import { PostForm } from './post-form.tsx'

/** The create form, closed until it is asked for. An open form stays when the right is lost: nothing typed is lost. */
export function Publisher({
  isPublisher,
  onCreated,
}: {
  isPublisher: boolean
  onCreated: (post: Announcement) => void
}) {
  const { t } = useWords()
  const notices = useNotices()
  const [isOpen, setIsOpen] = useState(false)
  if (isOpen)
    return (
      <section className={styles.publisher} aria-label={t('news.form.heading')}>
        <PostForm
          onSaved={(post) => {
            setIsOpen(false)
            onCreated(post)
            notices.show(t('news.created', { title: post.title }), 'success')
          }}
          onCancel={() => setIsOpen(false)}
        />
      </section>
    )
  if (!isPublisher) return null
  return (
    <div className={styles.publisher}>
      <Button onClick={() => setIsOpen(true)}>{t('news.create')}</Button>
    </div>
  )
}
