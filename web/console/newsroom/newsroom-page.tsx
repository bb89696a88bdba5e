import { Suspense } from 'react'
import type { NewsroomPostWhole } from '#contract/publishing/newsroom.ts'
import { htmlLanguage } from '../../kernel/i18n/language.ts'
import { useMessages } from '../../kernel/i18n/messages.tsx'
import { page, type PageProps } from '../../kernel/routes/page.ts'
import { useSession } from '../../kernel/session/session.ts'
import { Empty } from '../../kernel/ui/empty.tsx'
import { Message } from '../../kernel/ui/form-status.tsx'
import { Loading } from '../../kernel/ui/loading.tsx'
import { PageHead } from '../../kernel/ui/page-head.tsx'
import { canPublish } from '../../announcements/can-publish.ts'
import { PostBody } from '../../announcements/post-body.tsx'
import { AutosaveList } from './autosave-list.tsx'
import { backToList, EditPost, NewPost, PostForm, useAfterSaving, WithPost } from './edit-post.tsx'
import { newsroomAddress, newsroomViewOf } from './newsroom-address.ts'
import styles from './newsroom.module.css'
import { PostList } from './post-list.tsx'
import { Versions } from './versions.tsx'

/** The page for writing, scheduling, and managing posts in every state. */
function NewsroomPageView({ search }: PageProps<unknown>) {
  const { member } = useSession()
  const view = newsroomViewOf(search)
  if (!member) return null
  const mayWrite = canPublish(member)
  if (view.name === 'versions') return <Versions key={view.id} id={view.id} mayWrite={mayWrite} />
  if (view.name !== 'list' && mayWrite) {
    if (view.name === 'unfinished') return <AutosaveList />
    if (view.name === 'new') return <NewPost key={view.copy} autosaveId={view.copy} />
    if (view.name === 'translate')
      return <TranslatePost key={`${view.id} ${view.copy}`} id={view.id} autosaveId={view.copy} />
    return <EditPost key={view.id} id={view.id} />
  }
  return <PostList search={search} mayWrite={mayWrite} />
}

/** The form for the translation, next to the text to translate. */
const TranslatePost = ({ id, autosaveId }: { id: string; autosaveId: string | undefined }) => (
  <WithPost id={id}>{(post) => <Translating post={post} autosaveId={autosaveId} />}</WithPost>
)

function Translating({ post, autosaveId }: { post: NewsroomPostWhole; autosaveId: string | undefined }) {
  const { t } = useMessages()
  const saved = useAfterSaving()
  const heading = t(
    post.language === 'en' ? 'newsroom.translate.intoChinese' : 'newsroom.translate.intoEnglish',
  )
  if (post.sibling) {
    const isThere = t('newsroom.translate.isThere', { title: post.sibling.title })
    const link = (
      <a href={newsroomAddress({ name: 'edit', id: post.sibling._id })}>{t('newsroom.translate.open')}</a>
    )
    // Someone else translated it first. The input is kept.
    if (autosaveId)
      return (
        <>
          <PageHead heading={t('newsroom.new')} />
          <div className={styles.quicker}>
            <Message kind="note">
              <p>
                {isThere} {link}
              </p>
              <p>{t('newsroom.translate.ofItsOwn')}</p>
            </Message>
          </div>
          <Suspense fallback={<Loading label={t('forms.loading')} />}>
            <PostForm autosaveId={autosaveId} onSaved={saved} onCancel={backToList} />
          </Suspense>
        </>
      )
    return (
      <>
        <PageHead heading={heading} />
        <Empty title={isThere}>{link}</Empty>
      </>
    )
  }
  return (
    <>
      <PageHead heading={heading} lead={post.title} />
      <div className={styles.translating}>
        <Suspense fallback={<Loading label={t('forms.loading')} />}>
          <PostForm
            translationOf={post}
            original={post}
            autosaveId={autosaveId}
            onSaved={saved}
            onCancel={backToList}
          />
        </Suspense>
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling area must be reachable by keyboard */}
        <section className={styles.original} aria-labelledby="original" tabIndex={0}>
          <h2 id="original">{t('newsroom.translate.original')}</h2>
          <h3 lang={htmlLanguage[post.language]}>{post.title}</h3>
          <PostBody html={post.content} language={post.language} />
        </section>
      </div>
    </>
  )
}

export default page({ View: NewsroomPageView })
