import { lazy, Suspense, useState } from 'react'
import { name } from '#content/brand.json'
import { searchLengthMax } from '#contract/platform/patterns.ts'
import { getPost, type Announcement } from '#contract/publishing/announcements.ts'
import type { OutputOf } from '#contract/platform/endpoint.ts'
import { htmlLanguage } from '../kernel/i18n/language.ts'
import { FormattedMessage, useMessages } from '../kernel/i18n/messages.tsx'
import { SiteSearch } from '../kernel/layout/site-search.tsx'
import { page, type LoadContext, type PageHead, type PageProps } from '../kernel/routes/page.ts'
import { navigate } from '../kernel/navigation/navigate.ts'
import { pathIn, pathTo } from '../kernel/routes/routes.ts'
import { useSession } from '../kernel/session/session.ts'
import { Loading } from '../kernel/ui/loading.tsx'
import { PageHero } from '../kernel/ui/page-hero.tsx'
import { SignatureCheck } from './signatures/signature-check.tsx'
import { canPublish } from './can-publish.ts'
import { PostArticle } from './post-article.tsx'
import { beginningOf } from './post-beginning.ts'
import { RelatedPosts } from './related-posts.tsx'
import styles from './post-page.module.css'

const PostForm = lazy(() => import('./form/post-form.tsx'))
const PostTools = lazy(() => import('./post-tools.tsx'))

export type PostData = OutputOf<typeof getPost>

/** `post` is null if there is no published post at the address. */
type PageData = PostData | { post: null }

function PostView({ data, params }: PageProps<PageData>) {
  return data.post ? <KnownPost data={data} /> : <MissingPost slug={params['slug'] ?? ''} />
}

/** The search field contains the words of the address, because the post may have a new address. */
function MissingPost({ slug }: { slug: string }) {
  const { t } = useMessages()
  return (
    <PageHero
      size="low"
      heading={t('news.missing.heading')}
      lead={
        <FormattedMessage
          k="news.missing.lead"
          tags={{ news: (words) => <a href={pathTo('news')}>{words}</a> }}
        />
      }
    >
      <SiteSearch
        q={slug
          .replaceAll(/[-_\s]+/g, ' ')
          .slice(0, searchLengthMax)
          .toWellFormed()}
      />
    </PageHero>
  )
}

/** One announcement at its own address. Editors can replace it with the form. */
function KnownPost({ data }: { data: PostData }) {
  const { t, language } = useMessages()
  const { member } = useSession()
  // The page can switch to the translation while this post is in the form.
  const [edited, setEdited] = useState<Announcement | null>(null)
  const { post, related } = data
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
    <>
      <PostArticle
        post={post}
        before={post.language !== language && <p className={styles.note}>{t('news.post.onlyOther')}</p>}
      >
        <PostFoot data={data} />
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
      <RelatedPosts posts={related} />
    </>
  )
}

/** The time of the last edit, and links to all posts and to the translation. */
function PostFoot({ data: { post, languages } }: { data: PostData }) {
  const { t, formatDate } = useMessages()
  const other = languages.find((each) => each !== post.language)
  return (
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
  )
}

async function load({ call, language, params }: LoadContext): Promise<PageData> {
  const slug = params['slug'] ?? ''
  return call(getPost, { params: { lang: language, slug } }).catch((failure: unknown) => {
    if ((failure as { status?: unknown }).status === 404) return { post: null }
    throw failure
  })
}

function head(data: PageData): PageHead {
  if (!data.post) return { isMissing: true }
  const { post, languages, sharePicture } = data
  return {
    title: `${post.title} · ${name}`,
    description: beginningOf(post.content),
    languages,
    isArticle: true,
    picture: {
      path: sharePicture.src,
      width: sharePicture.width,
      height: sharePicture.height,
      alt: post.picture.alt || post.title,
    },
  }
}

export default page<PageData>({
  load,
  movedTo: ({ post }, params) => (!post || post.slug === params['slug'] ? null : { slug: post.slug }),
  head,
  View: PostView,
})
