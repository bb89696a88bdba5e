import { page, type PageProps } from '../../routes/page.ts'
import { useSession } from '../../session/session.ts'
import { canPublish } from '../can-publish.ts'
import { AutosaveList } from './autosave-list.tsx'
import { EditPost, NewPost } from './edit-post.tsx'
import { newsroomViewOf } from './newsroom-address.ts'
import { PostList } from './post-list.tsx'
import { TranslatePost } from './translate-post.tsx'
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

export default page({ View: NewsroomPageView })
