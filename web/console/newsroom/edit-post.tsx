import { lazy, Suspense, type ReactNode } from 'react'
import { getNewsroomPost, newsroomPosts, type NewsroomPostWhole } from '#contract/publishing/newsroom.ts'
import { RecordLinks } from '../detail/record-links.tsx'
import { useRecordPlace } from '../list-place.ts'
import { call } from '../../kernel/call/call.ts'
import { htmlLanguage } from '../../kernel/i18n/language.ts'
import { useMessages } from '../../kernel/i18n/messages.tsx'
import { showNotice } from '../../kernel/notices/notices.ts'
import { NotLoaded } from '../../kernel/actions/not-loaded.tsx'
import { useLoaded } from '../../kernel/actions/use-loaded.ts'
import { navigate } from '../../kernel/navigation/navigate.ts'
import { useSession } from '../../kernel/session/session.ts'
import { Loading } from '../../kernel/ui/loading.tsx'
import { PageHead } from '../../kernel/ui/page-head.tsx'
import { Tag } from '../../kernel/ui/tag.tsx'
import type { Saved } from '../../announcements/form/save-post.ts'
import { listAddress, newsroomAddress } from './newsroom-address.ts'
import { postStates } from './status-labels.ts'

export const PostForm = lazy(() => import('../../announcements/form/post-form.tsx'))

/** Returns to the list, which now contains the saved post, and reports the outcome. */
export function useAfterSaving(): (saved: Saved) => void {
  const { t, formatDateTime } = useMessages()
  return ({ post: { title }, state, publishAt, isPublishedNow }) => {
    void navigate(listAddress({ state })).then(() => {
      const words =
        publishAt !== null
          ? t('newsroom.saved.scheduled', { title, time: formatDateTime(publishAt) })
          : t(isPublishedNow ? 'news.created' : 'newsroom.saved', { title })
      showNotice(words, 'success')
    })
  }
}

export const backToList = (): void => void navigate(listAddress())

/** Links to the list, and to the posts before and after this one in it. */
export function PostLinks({ id, to }: { id: string; to: 'edit' | 'versions' }) {
  const { member } = useSession()
  const place = useRecordPlace(
    member?.id ?? '',
    {
      resource: newsroomPosts,
      list: listAddress(),
      pathOf: (other) => newsroomAddress({ name: to, id: other }),
    },
    id,
  )
  return <RecordLinks place={place} back="newsroom.back" />
}

export function NewPost({ autosaveId }: { autosaveId: string | undefined }) {
  const { t } = useMessages()
  const saved = useAfterSaving()
  return (
    <>
      <RecordLinks place={{ list: listAddress() }} back="newsroom.back" />
      <PageHead heading={t('newsroom.new')} />
      <Suspense fallback={<Loading label={t('forms.loading')} />}>
        <PostForm autosaveId={autosaveId} onSaved={saved} onCancel={backToList} />
      </Suspense>
    </>
  )
}

/** Loads a post in any state, with a loading indicator. */
export function WithPost({ id, children }: { id: string; children: (post: NewsroomPostWhole) => ReactNode }) {
  const { t } = useMessages()
  const loaded = useLoaded(id, () => call(getNewsroomPost, { params: { id } }))
  return (
    <>
      <PostLinks id={id} to="edit" />
      {loaded.state === 'ready' ? (
        children(loaded.data)
      ) : (
        <NotLoaded of={loaded} title={t('newsroom.loadFailed')} />
      )}
    </>
  )
}

export const EditPost = ({ id }: { id: string }) => (
  <WithPost id={id}>{(post) => <Editing post={post} />}</WithPost>
)

function Editing({ post }: { post: NewsroomPostWhole }) {
  const { t } = useMessages()
  const saved = useAfterSaving()
  const { words, colour } = postStates[post.state]
  const { publishAt, zone } = post
  return (
    <>
      <PageHead
        heading={<span lang={htmlLanguage[post.language]}>{post.title}</span>}
        lead={<Tag colour={colour}>{t(words)}</Tag>}
      />
      <Suspense fallback={<Loading label={t('forms.loading')} />}>
        <PostForm
          post={post}
          state={post.state}
          planned={publishAt && zone ? { publishAt, zone } : null}
          onSaved={saved}
          onCancel={backToList}
        />
      </Suspense>
    </>
  )
}
