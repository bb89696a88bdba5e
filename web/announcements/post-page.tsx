import { lazy, Suspense, useState } from 'react'
import { name } from '#content/brand.json'
import { getPost, type Announcement } from '#contract/publishing/announcements.ts'
import type { Language } from '#contract/platform/fields.ts'
import { htmlLanguage } from '../kernel/i18n/language.ts'
import { useMessages } from '../kernel/i18n/messages.tsx'
import { page, type PageProps } from '../kernel/routes/page.ts'
import { navigate } from '../kernel/navigation/navigate.ts'
import { pathIn, pathTo } from '../kernel/routes/routes.ts'
import { useSession } from '../kernel/session/session.ts'
import { Loading } from '../kernel/ui/loading.tsx'
import { SignatureCheck } from './signatures/signature-check.tsx'
import { canPublish } from './can-publish.ts'
import { PostArticle } from './post-article.tsx'
import { beginningOf, firstPictureOf } from './post-beginning.ts'
import styles from './post-page.module.css'

const PostForm = lazy(() => import('./form/post-form.tsx'))
const PostTools = lazy(() => import('./post-tools.tsx'))

export type PostData = { post: Announcement; languages: Language[] }

/** One announcement at its own address. Editors can replace it with the form. */
function PostView({ data }: PageProps<PostData>) {
  const { t, language, formatDate } = useMessages()
  const { member } = useSession()
  // The page can switch to the translation while this post is in the form.
  const [edited, setEdited] = useState<Announcement | null>(null)
  const { post, languages } = data
  const other = languages.find((each) => each !== post.language)
  const address = pathIn(post.language, 'newsPost', { slug: post.slug })
  if (edited)
    return (
      <div className={styles.body}>
        <h1 className={styles.editing}>{edited.title}</h1>
        <Suspense fallback={<Loading label={t('forms.loading')} />}>
          <PostForm
            post={edited}
            onSaved={() => {
              setEdited(null)
              void navigate(location.pathname, { replace: true })
            }}
            onCancel={() => setEdited(null)}
          />
        </Suspense>
      </div>
    )
  return (
    <PostArticle
      post={post}
      before={post.language !== language && <p className={styles.note}>{t('news.post.onlyOther')}</p>}
    >
      <footer className={styles.foot}>
        {post.lastEdited && post.lastEdited > post.postedDate && (
          <p>
            {t('news.post.edited')} <time dateTime={post.lastEdited}>{formatDate(post.lastEdited)}</time>
          </p>
        )}
        <p>
          <a href={pathTo('news')}>{t('news.post.back')}</a>
        </p>
        {other && (
          <p>
            <a
              href={pathIn(other, 'newsPost', { slug: post.slug })}
              lang={htmlLanguage[other]}
              hrefLang={htmlLanguage[other]}
              data-language={other}
            >
              {t(other === 'en' ? 'news.post.inEnglish' : 'news.post.inChinese')}
            </a>
          </p>
        )}
      </footer>
      <SignatureCheck post={post} />
      {canPublish(member) && (
        <Suspense>
          <PostTools
            post={post}
            onEdit={() => setEdited(post)}
            onDeleted={() => void navigate(pathTo('news'))}
            onRestored={() => void navigate(address)}
          />
        </Suspense>
      )}
    </PostArticle>
  )
}

export default page<PostData>({
  load: ({ call, language, params }) =>
    call(getPost, { params: { lang: language, slug: params['slug'] ?? '' } }),
  movedTo: ({ post }, params) => (post.slug === params['slug'] ? null : { slug: post.slug }),
  head: ({ post, languages }) => {
    const picture = firstPictureOf(post.content)
    return {
      title: `${post.title} · ${name}`,
      description: beginningOf(post.content),
      languages,
      isArticle: true,
      ...(picture && { picture: { ...picture, alt: picture.alt || post.title } }),
    }
  },
  View: PostView,
})
