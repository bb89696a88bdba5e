import { useRef, useState } from 'react'
import { flushSync } from 'react-dom'
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
  const ref = useRef<HTMLDivElement>(null)
  // The form goes, and the focus with it. What it made stands right below.
  function close() {
    flushSync(() => setIsOpen(false))
    ref.current?.focus({ preventScroll: true })
    ref.current?.scrollIntoView()
  }
  if (!isOpen && !isPublisher) return null
  return (
    <div className={styles.publisher} ref={ref} tabIndex={-1}>
      {isOpen ? (
        <PostForm
          onSaved={(post) => {
            onCreated(post)
            close()
            notices.show(t('news.created', { title: post.title }), 'success')
          }}
          onCancel={close}
        />
      ) : (
        <Button onClick={() => setIsOpen(true)}>{t('news.create')}</Button>
      )}
    </div>
  )
}
