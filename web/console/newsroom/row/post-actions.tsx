import { lazy, Suspense, useState, type ReactNode } from 'react'
import {
  publishPost,
  unlinkTranslation,
  unpublishPost,
  type NewsroomPost,
} from '#contract/publishing/newsroom.ts'
import { useUndo } from '../../../kernel/actions/use-undo.ts'
import { call } from '../../../kernel/call/call.ts'
import { ConfirmDialog } from '../../../kernel/forms/confirm-dialog.tsx'
import type { PlainKey } from '../../../kernel/i18n/message-key.ts'
import { useMessages } from '../../../kernel/i18n/messages.tsx'
import { showNotice } from '../../../kernel/notices/notices.ts'
import { pathIn, pathTo } from '../../../kernel/routes/routes.ts'
import { type MenuItem, RowMenu } from '../../../kernel/ui/row-menu.tsx'
import DeletePost, { restore } from '../../../announcements/delete-post.tsx'
import { newsroomAddress } from '../newsroom-address.ts'

const ScheduleDialog = lazy(() => import('./schedule-dialog.tsx'))
const LinkDialog = lazy(() => import('./link-dialog.tsx'))
const PreviewDialog = lazy(() => import('./preview-dialog.tsx'))

type OpenDialog = 'publish' | 'unpublish' | 'link' | 'unlink' | 'schedule' | 'preview' | 'delete'

type Props = { post: NewsroomPost; onChanged: () => void }

/** The menu of actions available for a post in its current state. Publishing always asks for confirmation. */
export function PostActions({ mayWrite, ...props }: Props & { mayWrite: boolean }) {
  const { t } = useMessages()
  const [openDialog, setOpenDialog] = useState<OpenDialog | null>(null)
  const { post, onChanged } = props
  const Dialog = openDialog && dialogs[openDialog]
  const item = (name: string, label: PlainKey) => ({ name, label: t(label) })
  const make: Make = {
    link: (name, label, href) => ({ ...item(name, label), href }),
    ask: (name, label) => ({ ...item(name, label), onSelect: () => setOpenDialog(name) }),
    restore: () => ({
      ...item('restore', 'newsroom.action.restore'),
      onSelect: () => void restore(t, post).then((restored) => restored && onChanged()),
    }),
  }
  return (
    <>
      <RowMenu
        label={t('console.list.actionsFor', { name: post.title })}
        items={itemsFor(post, mayWrite, make).filter((each) => each !== false)}
      />
      <Suspense>{Dialog && <Dialog {...props} onClose={() => setOpenDialog(null)} />}</Suspense>
    </>
  )
}

type Make = {
  link: (name: string, label: PlainKey, href: string) => MenuItem
  ask: (name: OpenDialog, label: PlainKey) => MenuItem
  restore: () => MenuItem
}

function itemsFor(post: NewsroomPost, mayWrite: boolean, make: Make): (MenuItem | false)[] {
  const { _id: id, state, language, slug } = post
  const isOut = state === 'published'
  const versions = make.link(
    'versions',
    'newsroom.action.versions',
    newsroomAddress({ name: 'versions', id }),
  )
  if (state === 'deleted') return [mayWrite && make.restore(), versions]
  return [
    isOut && make.link('view', 'newsroom.action.view', pathIn(language, 'newsPost', { slug })),
    ...(mayWrite ? writerItems(post, make) : []),
    versions,
    mayWrite &&
      state !== 'draft' &&
      make.ask('unpublish', isOut ? 'newsroom.action.unpublish' : 'newsroom.action.unschedule'),
    mayWrite && { ...make.ask('delete', 'newsroom.action.delete'), isDangerous: true },
  ]
}

const writerItems = (
  { _id: id, state, sibling }: NewsroomPost,
  { link, ask }: Make,
): (MenuItem | false)[] => [
  link('edit', 'news.edit', newsroomAddress({ name: 'edit', id })),
  state !== 'published' && ask('publish', 'newsroom.action.publish'),
  state !== 'published' &&
    ask('schedule', state === 'scheduled' ? 'newsroom.action.reschedule' : 'newsroom.form.schedule'),
  !sibling && link('translate', 'newsroom.action.translate', newsroomAddress({ name: 'translate', id })),
  sibling ? ask('unlink', 'newsroom.action.unlink') : ask('link', 'newsroom.action.link'),
  ask('preview', 'newsroom.action.preview'),
  link('mail', 'newsroom.action.mail', pathTo('console.postMail', { id })),
]

type DialogProps = Props & { onClose: () => void }

const dialogs: Readonly<Record<OpenDialog, (props: DialogProps) => ReactNode>> = {
  publish: PublishDialog,
  unpublish: UnpublishDialog,
  link: ({ post, onClose, onChanged }) => <LinkDialog post={post} onClose={onClose} onLinked={onChanged} />,
  unlink: UnlinkDialog,
  schedule: ({ post, onClose, onChanged }) => (
    <ScheduleDialog post={post} onClose={onClose} onScheduled={onChanged} />
  ),
  preview: ({ post, onClose }) => <PreviewDialog post={post} onClose={onClose} />,
  delete: ({ post, onClose, onChanged }) => (
    <DeletePost post={post} onClose={onClose} onDeleted={onChanged} onRestored={onChanged} />
  ),
}

function PublishDialog({ post, onClose, onChanged }: DialogProps) {
  const { t } = useMessages()
  const { _id: id, title, lastEdited } = post
  return (
    <ConfirmDialog
      title={t('newsroom.publish.title')}
      label={t('newsroom.publish.do')}
      onClose={onClose}
      step={() => call(publishPost, { params: { id }, body: { lastEdited } })}
      onDone={() => {
        onChanged()
        showNotice(t('news.created', { title }), 'success')
      }}
    >
      <p>{t('newsroom.publish.text', { title })}</p>
    </ConfirmDialog>
  )
}

/** Returns a published or scheduled post to the drafts. */
function UnpublishDialog({ post, onClose, onChanged }: DialogProps) {
  const { t } = useMessages()
  const { _id: id, title } = post
  const action = post.state === 'published' ? 'unpublish' : 'unschedule'
  const undo = useUndo()
  return (
    <ConfirmDialog
      title={t(`newsroom.${action}.title`)}
      {...undo.confirming(t(`newsroom.${action}.do`), (send) =>
        send(unpublishPost, { params: { id }, body: {} }),
      )}
      dismissLabel={t(`newsroom.${action}.keep`)}
      onClose={onClose}
      onDone={() => {
        onChanged()
        showNotice(t('newsroom.unpublished', { title }), 'success')
      }}
    >
      <p>{t(`newsroom.${action}.text`, { title })}</p>
      <p>{undo.note}</p>
    </ConfirmDialog>
  )
}

function UnlinkDialog({ post, onClose, onChanged }: DialogProps) {
  const { t } = useMessages()
  const { _id: id, title, state, sibling } = post
  return (
    <ConfirmDialog
      title={t('newsroom.unlink.title')}
      label={t('newsroom.unlink.do')}
      onClose={onClose}
      step={() => call(unlinkTranslation, { params: { id }, body: {} })}
      onDone={() => {
        onChanged()
        showNotice(t('newsroom.unlink.done', { title }), 'success')
      }}
    >
      <p>{t('newsroom.unlink.text', { title, other: sibling?.title ?? '' })}</p>
      {state === 'published' && <p>{t('newsroom.link.signed')}</p>}
    </ConfirmDialog>
  )
}
