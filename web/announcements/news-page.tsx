import { lazy, Suspense, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { type Announcement, browseAnnouncements } from '#contract/publishing/announcements.ts'
import { newsAddress } from '#contract/publishing/newsletter.ts'
import { Rosette } from '../kernel/brand/rosette.tsx'
import { boundsOf } from '../kernel/forms/field-bounds.ts'
import { passEmailOn } from '../kernel/forms/passed-email.ts'
import { useMessages } from '../kernel/i18n/messages.tsx'
import { navigate } from '../kernel/navigation/navigate.ts'
import { showNotice } from '../kernel/notices/notices.ts'
import { newsroomPath } from '../kernel/routes/console-path.ts'
import { page, type PageProps } from '../kernel/routes/page.ts'
import { pathTo } from '../kernel/routes/routes.ts'
import { useSession } from '../kernel/session/session.ts'
import { Button, ButtonLink } from '../kernel/ui/button.tsx'
import { Empty } from '../kernel/ui/empty.tsx'
import { TextField } from '../kernel/ui/field.tsx'
import { Loading } from '../kernel/ui/loading.tsx'
import { PageHero } from '../kernel/ui/page-hero.tsx'
import { canPublish } from './can-publish.ts'
import type { Saved } from './form/save-post.ts'
import { isFiltered, keyOf, readFilter } from './news-filter.ts'
import { NewsFilterBar, NewsList, NothingFound } from './news-list.tsx'
import heroStyles from './news-hero.module.css'
import styles from './news.module.css'
import { usePosts, type NewsData } from './use-posts.ts'

function NewsView({ data }: PageProps<NewsData>) {
  const { t } = useMessages()
  const { member } = useSession()
  const posts = usePosts(data)
  const mayPublish = canPublish(member)
  return (
    <>
      {/* A low hero, because visitors come here to read. */}
      <PageHero
        size="low"
        heading={t('news.hero.title')}
        lead={t('news.hero.lead')}
        drawing={<Rosette figure="light" className={heroStyles.rosette} />}
      />
      <div className={styles.news}>
        <NewsFilterBar filter={data.filter} />
        <CreatePost mayPublish={mayPublish} onCreated={posts.add} />
        <NewsList
          posts={posts}
          filter={data.filter}
          hasMore={data.hasMore}
          empty={
            isFiltered(data.filter) || data.filter.page > 1 ? (
              <NothingFound />
            ) : (
              <Empty title={t('news.empty')} />
            )
          }
        />
        <NewsletterSignup />
      </div>
    </>
  )
}

const PostForm = lazy(() => import('./form/post-form.tsx'))

/**
 * The form for a new post, initially closed. It stays open if the right to publish is lost, so that no text is lost.
 */
function CreatePost({
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

/**
 * Shown below the news. The email address is passed to the subscription page and never appears in a URL: the field has
 * no name, so without JavaScript that page opens empty.
 */
function NewsletterSignup() {
  const { t } = useMessages()
  const to = pathTo('newsletter')
  return (
    <section className={styles.strip} aria-labelledby="news-by-mail">
      <h2 id="news-by-mail">{t('news.byMail')}</h2>
      <p>{t('news.byMail.text')}</p>
      <form
        action={to}
        onSubmit={(event) => {
          event.preventDefault()
          const field = event.currentTarget.querySelector('input')
          passEmailOn(field?.value)
          void navigate(to)
        }}
      >
        <TextField
          label={t('news.byMail.email')}
          type="email"
          autoComplete="email"
          maxLength={boundsOf(newsAddress.shape.email).maxLength}
        />
        <Button type="submit" kind="quiet">
          {t('news.byMail.go')}
        </Button>
      </form>
    </section>
  )
}

export default page<NewsData>({
  load: async ({ call, language, query }) => {
    const filter = readFilter(query)
    const { category, q, page } = filter
    const found = await call(browseAnnouncements, {
      params: { lang: language },
      query: { page, ...(category && { category }), ...(q && { q }) },
    })
    return { language, filter, ...found }
  },
  head: ({ filter: { category, q, page } }) => ({
    isUnlisted: q !== '',
    // Links with the category in the query are older than its page.
    ...(category && {
      listedAs:
        pathTo('newsOf', { of: 'category', slug: keyOf(category) }) + (page > 1 ? `?page=${page}` : ''),
    }),
  }),
  View: NewsView,
})
