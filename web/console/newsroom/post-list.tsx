import { announcementStates, categories } from '#contract/publishing/announcements.ts'
import { DAY } from '#contract/platform/durations.ts'
import { languages, type Language } from '#contract/platform/languages.ts'
import {
  changePostCategories,
  deletePosts,
  newsroomPosts,
  unpublishPosts,
  type NewsroomPost,
} from '#contract/publishing/newsroom.ts'
import { ConsoleList } from '../list/console-list.tsx'
import { stateOf } from '../list/list-address.ts'
import type { ListSpec } from '../list/list-spec.ts'
import { ListTime } from '../list/list-time.tsx'
import { languageLabel } from '../../kernel/i18n/language-label.ts'
import { htmlLanguage } from '../../kernel/i18n/language.ts'
import { useMessages } from '../../kernel/i18n/messages.tsx'
import { categoryColor, categoryLabel } from '../../kernel/news-choice/category-labels.ts'
import { useSession } from '../../kernel/session/session.ts'
import { Tag } from '../../kernel/ui/tag.tsx'
import { canPublish } from '../../announcements/can-publish.ts'
import { ownZone, zoneName } from '../../announcements/schedule/zoned-time.ts'
import { newsroomAddress, readEarlier } from './newsroom-address.ts'
import { NewsroomHead } from './newsroom-head.tsx'
import styles from './newsroom.module.css'
import { PostActions } from './row/post-actions.tsx'
import { postStates } from './status-labels.ts'

type PostProps = { post: NewsroomPost }

/** Returns the address of a post: the editor, or the versions if the reader can't edit it. */
function usePostAddress(): (post: Pick<NewsroomPost, '_id' | 'state'>) => string {
  const { member } = useSession()
  return ({ _id: id, state }) =>
    newsroomAddress({ name: canPublish(member) && state !== 'deleted' ? 'edit' : 'versions', id })
}

function Title({ post }: PostProps) {
  const addressOf = usePostAddress()
  return (
    <a href={addressOf(post)} lang={htmlLanguage[post.language]}>
      {post.title}
    </a>
  )
}

function PostState({ post: { state } }: PostProps) {
  const { t } = useMessages()
  const { words, colour } = postStates[state]
  return <Tag colour={colour}>{t(words)}</Tag>
}

function LanguageName({ of }: { of: Language }) {
  const { t } = useMessages()
  return languageLabel(t, of)
}

function Category({ post: { category } }: PostProps) {
  const { t } = useMessages()
  const words = categoryLabel(category)
  return <Tag colour={categoryColor(category)}>{words ? t(words) : category}</Tag>
}

/** The language and state of the translation. Its title is in the tooltip. */
function Translation({ post: { sibling } }: PostProps) {
  const { t } = useMessages()
  const addressOf = usePostAddress()
  if (!sibling) return null
  return (
    <span className={styles.lines}>
      <a href={addressOf(sibling)} title={sibling.title}>
        {languageLabel(t, sibling.language)}
      </a>
      <small>{t(postStates[sibling.state].words)}</small>
    </span>
  )
}

const daysUntil = (iso: string): number => Math.max(0, Math.ceil((Date.parse(iso) - Date.now()) / DAY))

/** When the post was or will be published, or when it was and will be deleted. */
function PostDate({ post }: PostProps) {
  const { t } = useMessages()
  const { state, postedDate, publishAt, zone, deletedAt, goneAt } = post
  const at = { draft: null, scheduled: publishAt, published: postedDate, deleted: deletedAt }[state]
  if (!at) return null
  return (
    <span className={styles.lines}>
      <ListTime at={at} />
      {state === 'scheduled' && zone && zone !== ownZone() && (
        <small>
          <ListTime at={at} zone={zone} /> {zoneName(zone)}
        </small>
      )}
      {goneAt && <small>{t('newsroom.row.goes', { days: daysUntil(goneAt) })}</small>}
    </span>
  )
}

/** When and by whom the post was last changed. */
const LastChange = ({ post: { changedAt, editedBy, createdBy } }: PostProps) => (
  <span className={styles.lines}>
    <ListTime at={changedAt} />
    <small>{editedBy?.name || createdBy.displayName}</small>
  </span>
)

const columns: ListSpec<typeof newsroomPosts>['columns'] = [
  { name: 'title', heading: 'newsroom.column.title', isWide: true, cell: (post) => <Title post={post} /> },
  { name: 'state', heading: 'newsroom.column.state', cell: (post) => <PostState post={post} /> },
  {
    name: 'language',
    heading: 'newsroom.column.language',
    cell: ({ language }) => <LanguageName of={language} />,
  },
  { name: 'category', heading: 'newsroom.column.category', cell: (post) => <Category post={post} /> },
  {
    name: 'translation',
    heading: 'newsroom.column.translation',
    cell: (post) => <Translation post={post} />,
  },
  { name: 'date', heading: 'newsroom.column.date', cell: (post) => <PostDate post={post} /> },
  { name: 'changed', heading: 'newsroom.column.changed', cell: (post) => <LastChange post={post} /> },
  {
    name: 'readsRecent',
    heading: 'newsroom.column.readsRecent',
    isFigure: true,
    isExtra: true,
    cell: ({ reads }) => reads.recent,
  },
  { name: 'reads', heading: 'newsroom.column.reads', isFigure: true, cell: ({ reads }) => reads.total },
]

const list: ListSpec<typeof newsroomPosts> = {
  resource: newsroomPosts,
  route: 'console.newsroom',
  nameOf: ({ title }) => title,
  tagOf: (post) => <PostState post={post} />,
  none: { title: 'newsroom.empty.all' },
  columns,
  readEarlier,
  filters: {
    q: { label: 'newsroom.search', kind: 'search' },
    state: {
      label: 'newsroom.column.state',
      kind: 'choice',
      options: announcementStates.map((value) => ({ value, label: postStates[value].words })),
    },
    language: {
      label: 'newsroom.column.language',
      kind: 'choice',
      options: languages.map((value) => ({ value, label: (t) => languageLabel(t, value) })),
    },
    missing: {
      label: 'newsroom.filter.missing',
      kind: 'choice',
      options: languages.map((value) => ({ value, label: (t) => languageLabel(t, value) })),
    },
    due: {
      label: 'newsroom.filter.due',
      kind: 'choice',
      options: [{ value: 'today', label: 'newsroom.filter.due.today' }],
    },
  },
  bulk: [
    {
      name: 'category',
      label: 'newsroom.bulk.category',
      endpoint: changePostCategories,
      versionOf: ({ lastEdited }) => lastEdited ?? '',
      isUndoable: true,
      fields: [
        {
          kind: 'choice',
          name: 'category',
          label: 'newsroom.column.category',
          options: async () => categories.map(({ name }) => ({ value: name, label: categoryLabel(name)! })),
        },
      ],
    },
    { name: 'unpublish', label: 'newsroom.bulk.unpublish', endpoint: unpublishPosts, isUndoable: true },
    {
      name: 'delete',
      label: 'newsroom.bulk.delete',
      endpoint: deletePosts,
      isDangerous: true,
      isUndoable: true,
    },
  ],
}

/** The posts in every state, last changed first. */
export function PostList({ search, mayWrite }: { search: URLSearchParams; mayWrite: boolean }) {
  const isTrash = stateOf(list, search).filters['state'] === 'deleted'
  return (
    <>
      <NewsroomHead current={isTrash ? 'trash' : 'all'} mayWrite={mayWrite} />
      <ConsoleList
        spec={list}
        search={search}
        rowActions={(post, reload) => <PostActions post={post} mayWrite={mayWrite} onChanged={reload} />}
      />
    </>
  )
}
