import { lazy, Suspense, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import type { Announcement } from '#contract/announcements.ts'
import { useMessages } from '../i18n/messages.tsx'
import { showNotice } from '../notices/notices.ts'
import { newsroomPath } from '../routes/console-path.ts'
import { Button, ButtonLink } from '../ui/button.tsx'
import { Loading } from '../ui/loading.tsx'
import type { Saved } from './form/save-post.ts'
import styles from './news.module.css'

const PostForm = lazy(() => import('./form/post-form.tsx'))

/**
 * The form for a new post, initially closed. It stays open if the right to publish is lost, so that no text is lost.
 */
export function CreatePost({
  mayPublish,
  onCreated,
}: {
  mayPublish: boolean
  onCreated: (post: Announcement) => void
}) {
  const { t } = useMessages()
  const [isOpen, setIsOpen] = useState(false)
  const ref = useRef<HTMLDivElement>(null)
  // The focus disappears with the form, so it moves to the new post right below.
  function close() {
    flushSync(() => setIsOpen(false))
    ref.current?.focus({ preventScroll: true })
    ref.current?.scrollIntoView()
  }
  function saved({ post, state }: Saved) {
    if (state === 'published') onCreated(post)
    close()
    const words =
      state === 'published' ? 'news.created' : state === 'draft' ? 'news.drafted' : 'news.scheduled'
    showNotice(t(words, { title: post.title }), 'success')
  }
  if (!isOpen && !mayPublish) return null
  return (
    <div className={styles.create} ref={ref} tabIndex={-1}>
      {isOpen ? (
        <Suspense fallback={<Loading label={t('forms.loading')} />}>
          <PostForm onSaved={saved} onCancel={close} />
        </Suspense>
      ) : (
        <div className={styles.tools}>
          <Button onClick={() => setIsOpen(true)}>{t('news.create')}</Button>
          <ButtonLink kind="quiet" href={newsroomPath}>
            {t('news.newsroom')}
          </ButtonLink>
        </div>
      )}
    </div>
  )
}
