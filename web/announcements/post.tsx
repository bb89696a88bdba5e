import { lazy, Suspense, useId, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import type { Announcement } from '#contract/publishing/announcements.ts'
import { htmlLanguage } from '../kernel/i18n/language.ts'
import { useMessages } from '../kernel/i18n/messages.tsx'
import { pathIn } from '../kernel/routes/routes.ts'
import { TextButton } from '../kernel/ui/button.tsx'
import { Loading } from '../kernel/ui/loading.tsx'
import { CardPicture, withoutPicture } from './card-picture.tsx'
import { PostBody } from './post-body.tsx'
import { PostMeta } from './post-meta.tsx'
import styles from './post.module.css'
import PostTools from './post-tools.tsx'

const PostForm = lazy(() => import('./form/post-form.tsx'))

type Props = {
  post: Announcement
  /** Whether the card is larger than the others. */
  isLead?: boolean | undefined
  /** Whether the picture is visible without scrolling. */
  isFirst?: boolean | undefined
  mayPublish: boolean
  onSaved: (post: Announcement) => void
  onDeleted: (id: string) => void
  onRestored: (post: Announcement) => void
}

/** One announcement, collapsed or in full. Editors can replace it with the form. */
export function Post({ post, isLead, isFirst, mayPublish, onSaved, onDeleted, onRestored }: Props) {
  const [isOpen, setIsOpen] = useState(false)
  const [isEditing, setIsEditing] = useState(false)
  const ref = useRef<HTMLElement>(null)
  const id = useId()
  const hasMore = post.content.length !== post.contentSummary.length

  function toggle() {
    setIsOpen(!isOpen)
    // The collapse button is at the end of a long text, so the reader is taken back to its start.
    if (isOpen && ref.current && ref.current.getBoundingClientRect().top < 0) ref.current.scrollIntoView()
  }
  // The focus disappears with the form, so it moves to the start of the post.
  function stopEditing() {
    flushSync(() => setIsEditing(false))
    ref.current?.focus({ preventScroll: true })
    ref.current?.scrollIntoView()
  }
  if (isEditing)
    return (
      <EditedPost
        post={post}
        onSaved={(saved) => {
          onSaved(saved)
          stopEditing()
        }}
        onCancel={stopEditing}
      />
    )
  return (
    <article
      className={isLead ? `${styles.post} ${styles.lead}` : styles.post}
      ref={ref}
      tabIndex={-1}
      aria-labelledby={`${id}-title`}
    >
      <PostPicture post={post} isLead={isLead} isFirst={isFirst} />
      <PostHeader post={post} titleId={`${id}-title`} />
      <div className={hasMore && !isOpen ? styles.beginning : undefined}>
        <PostBody
          id={`${id}-content`}
          html={withoutPicture(isOpen ? post.content : post.contentSummary, post.picture)}
          language={post.language}
        />
      </div>
      <footer className={styles.footer}>
        {hasMore && <ReadMore id={id} isOpen={isOpen} onToggle={toggle} />}
        {mayPublish && (
          <PostTools
            post={post}
            titleId={`${id}-title`}
            onEdit={() => setIsEditing(true)}
            onDeleted={() => onDeleted(post._id)}
            onRestored={onRestored}
          />
        )}
      </footer>
    </article>
  )
}

function PostPicture({ post, isLead, isFirst }: Pick<Props, 'post' | 'isLead' | 'isFirst'>) {
  return (
    <div className={styles.picture}>
      <CardPicture
        picture={post.picture}
        href={pathOf(post)}
        sizes={`(min-width: 60rem) ${isLead ? '36rem' : '20rem'}, 100vw`}
        isEager={isFirst === true}
      />
    </div>
  )
}

/** Shows the whole post, or only its beginning again. `id` is the start of the IDs in the post. */
function ReadMore({ id, isOpen, onToggle }: { id: string; isOpen: boolean; onToggle: () => void }) {
  const { t } = useMessages()
  return (
    <TextButton
      aria-expanded={isOpen}
      aria-controls={`${id}-content`}
      aria-describedby={`${id}-title`}
      onClick={onToggle}
    >
      {t(isOpen ? 'news.collapse' : 'news.readMore')}
    </TextButton>
  )
}

const pathOf = ({ language, slug }: Announcement): string => pathIn(language, 'newsPost', { slug })

function PostHeader({ post, titleId }: { post: Announcement; titleId: string }) {
  return (
    <header className={styles.header}>
      <PostMeta post={post} />
      <h2 id={titleId} lang={htmlLanguage[post.language]}>
        <a href={pathOf(post)}>{post.title}</a>
      </h2>
    </header>
  )
}

function EditedPost({ post, onSaved, onCancel }: Pick<Props, 'post' | 'onSaved'> & { onCancel: () => void }) {
  const { t } = useMessages()
  return (
    <article className={styles.post}>
      <Suspense fallback={<Loading label={t('forms.loading')} />}>
        <PostForm post={post} onSaved={(saved) => onSaved(saved.post)} onCancel={onCancel} />
      </Suspense>
    </article>
  )
}
