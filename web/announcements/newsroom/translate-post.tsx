import { Suspense } from 'react'
import type { NewsroomPostWhole } from '#contract/newsroom.ts'
import { htmlLanguage } from '../../i18n/language.ts'
import { useMessages } from '../../i18n/messages.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Message } from '../../ui/form-status.tsx'
import { Loading } from '../../ui/loading.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import { PostBody } from '../post-body.tsx'
import { backToList, PostForm, useAfterSaving, WithPost } from './edit-post.tsx'
import { newsroomAddress } from './newsroom-address.ts'
import styles from './newsroom.module.css'

/** The form for the translation, next to the text to translate. */
export const TranslatePost = ({ id, autosaveId }: { id: string; autosaveId: string | undefined }) => (
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
