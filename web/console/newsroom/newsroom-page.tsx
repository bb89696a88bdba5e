import { Suspense, useId, useState } from 'react'
import {
  type Autosave,
  discardAutosave,
  listAutosaves,
  type NewsroomPostWhole,
} from '#contract/publishing/newsroom.ts'
import { NotLoaded } from '../../kernel/actions/not-loaded.tsx'
import { useLoaded } from '../../kernel/actions/use-loaded.ts'
import { call } from '../../kernel/call/call.ts'
import { ConfirmDialog } from '../../kernel/forms/confirm-dialog.tsx'
import { languageLabel } from '../../kernel/i18n/language-label.ts'
import { htmlLanguage } from '../../kernel/i18n/language.ts'
import { useMessages } from '../../kernel/i18n/messages.tsx'
import { page, type PageProps } from '../../kernel/routes/page.ts'
import { useSession } from '../../kernel/session/session.ts'
import { TextButton } from '../../kernel/ui/button.tsx'
import { Empty } from '../../kernel/ui/empty.tsx'
import { Message } from '../../kernel/ui/form-status.tsx'
import { Loading } from '../../kernel/ui/loading.tsx'
import { PageHead } from '../../kernel/ui/page-head.tsx'
import { deleteTabCopy } from '../autosaves/tab-copy.ts'
import { canPublish } from '../can-publish.ts'
import { PostBody } from '../post-body.tsx'
import { backToList, EditPost, NewPost, PostForm, useAfterSaving, WithPost } from './edit-post.tsx'
import { newsroomAddress, newsroomViewOf } from './newsroom-address.ts'
import { NewsroomHead } from './newsroom-head.tsx'
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
  return (
    <PostList
      tab={view.name === 'list' ? view.tab : 'all'}
      q={view.name === 'list' ? view.q : ''}
      mayWrite={mayWrite}
    />
  )
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

/** The editor's unsaved texts, from any browser. */
export function AutosaveList() {
  const { t } = useMessages()
  const loaded = useLoaded('unfinished', () => call(listAutosaves, {}))
  return (
    <>
      <NewsroomHead current="unfinished" mayWrite />
      {loaded.state !== 'ready' && <NotLoaded of={loaded} title={t('newsroom.unfinished.loadFailed')} />}
      {loaded.state === 'ready' && loaded.data.length === 0 && (
        <Empty role="status" title={t('newsroom.empty.unfinished')} />
      )}
      {loaded.state === 'ready' && loaded.data.length > 0 && (
        <ul className={styles.posts} aria-label={t('newsroom.tab.unfinished')}>
          {loaded.data.map((autosave) => (
            <AutosaveRow
              key={autosave.id}
              autosave={autosave}
              onGone={() => loaded.setData(loaded.data.filter(({ id }) => id !== autosave.id))}
            />
          ))}
        </ul>
      )}
    </>
  )
}

/** The address of the form that resumes it. */
function formOf({ id: copy, postId, translationOf }: Autosave): string {
  if (postId) return newsroomAddress({ name: 'edit', id: postId })
  if (translationOf) return newsroomAddress({ name: 'translate', id: translationOf, copy })
  return newsroomAddress({ name: 'new', copy })
}

function AutosaveRow({ autosave, onGone }: { autosave: Autosave; onGone: () => void }) {
  const { t, formatDateTime } = useMessages()
  const titleId = useId()
  const { member } = useSession()
  const [isDialogOpen, setIsDialogOpen] = useState(false)
  const { id, postId, translationOf, language, savedAt } = autosave
  const postTitle = autosave.postTitle ?? ''
  const title = autosave.title.trim()
  const described = { 'aria-describedby': titleId }
  return (
    <li className={styles.post}>
      <div className={styles.what}>
        <h2 id={titleId} lang={title ? htmlLanguage[language] : undefined}>
          {title || t('newsroom.untitled')}
        </h2>
        <p className={styles.when}>
          <span>{languageLabel(t, language)}</span>
          <span>
            {postId
              ? t('newsroom.unfinished.changes', { title: postTitle })
              : translationOf
                ? t('newsroom.unfinished.translates', { title: postTitle })
                : t('newsroom.unfinished.isNew')}
          </span>
          <span>{t('newsroom.unfinished.kept', { time: formatDateTime(savedAt) })}</span>
        </p>
      </div>
      <p className={styles.actions}>
        <a href={formOf(autosave)} {...described}>
          {t('newsroom.unfinished.continue')}
        </a>
        <TextButton {...described} onClick={() => setIsDialogOpen(true)}>
          {t('newsroom.unfinished.discard')}
        </TextButton>
      </p>
      {isDialogOpen && (
        <ConfirmDialog
          title={t('newsroom.unfinished.discard.title')}
          label={t('newsroom.unfinished.discard')}
          kind="danger"
          step={() => call(discardAutosave, { params: { id } })}
          onDone={() => {
            if (member) deleteTabCopy(autosave, member.id)
            onGone()
          }}
          onClose={() => setIsDialogOpen(false)}
        >
          <p>{t('newsroom.unfinished.discard.text', { title: title || t('newsroom.untitled') })}</p>
        </ConfirmDialog>
      )}
    </li>
  )
}

export default page({ View: NewsroomPageView })
