import { lazy, Suspense, useState, type ReactNode } from 'react'
import {
  getNewsroomPost,
  publishPost,
  unlinkTranslation,
  unpublishPost,
  type NewsroomPost,
} from '#contract/publishing/newsroom.ts'
import { useUndo } from '../../../kernel/actions/use-undo.ts'
import { call } from '../../../kernel/call/call.ts'
import { ConfirmDialog } from '../../../kernel/forms/confirm-dialog.tsx'
import { useMessages } from '../../../kernel/i18n/messages.tsx'
import { showNotice } from '../../../kernel/notices/notices.ts'
import { pathIn, pathTo } from '../../../kernel/routes/routes.ts'
import { TextButton } from '../../../kernel/ui/button.tsx'
import DeletePost, { restore } from '../../delete-post.tsx'
import { newsroomAddress } from '../newsroom-address.ts'
import styles from '../newsroom.module.css'

const ScheduleDialog = lazy(() => import('./schedule-dialog.tsx'))
const LinkDialog = lazy(() => import('./link-dialog.tsx'))
const PreviewDialog = lazy(() => import('./preview-dialog.tsx'))

type OpenDialog = 'publish' | 'unpublish' | 'link' | 'unlink' | 'schedule' | 'preview' | 'delete'

type Props = {
  post: NewsroomPost
  titleId: string
  mayWrite: boolean
  onChanged: (post: NewsroomPost) => void
  onGone: (id: string) => void
}

/** The actions available for a post in its current state. Publishing always asks for confirmation. */
export function PostActions(props: Props) {
  const [openDialog, setOpenDialog] = useState<OpenDialog | null>(null)
  if (props.post.state === 'deleted') return <DeletedPostActions {...props} />
  const Dialog = openDialog && dialogs[openDialog]
  return (
    <>
      <CurrentPostActions {...props} onOpen={setOpenDialog} />
      <Suspense>{Dialog && <Dialog {...props} onClose={() => setOpenDialog(null)} />}</Suspense>
    </>
  )
}

function DeletedPostActions({ post, titleId, mayWrite, onChanged }: Props) {
  const { t } = useMessages()
  const [isRestoring, setIsRestoring] = useState(false)
  const described = { 'aria-describedby': titleId }
  async function bringBack() {
    setIsRestoring(true)
    const restored = await restore(t, post)
    setIsRestoring(false)
    if (restored) onChanged(restored)
  }
  return (
    <p className={styles.actions}>
      {mayWrite && (
        <TextButton {...described} disabled={isRestoring} onClick={() => void bringBack()}>
          {t('newsroom.action.restore')}
        </TextButton>
      )}
      <a href={newsroomAddress({ name: 'versions', id: post._id })} {...described}>
        {t('newsroom.action.versions')}
      </a>
    </p>
  )
}

type ActionProps = Props & { onOpen: (dialog: OpenDialog) => void }

function CurrentPostActions(props: ActionProps) {
  const { post, titleId, mayWrite, onOpen } = props
  const { t } = useMessages()
  const described = { 'aria-describedby': titleId }
  const ask = (what: OpenDialog) => ({ ...described, onClick: () => onOpen(what) })
  const isOut = post.state === 'published'
  return (
    <p className={styles.actions}>
      {isOut && (
        <a href={pathIn(post.language, 'newsPost', { slug: post.slug })} {...described}>
          {t('newsroom.action.view')}
        </a>
      )}
      {mayWrite && <WriterActions {...props} />}
      <a href={newsroomAddress({ name: 'versions', id: post._id })} {...described}>
        {t('newsroom.action.versions')}
      </a>
      {mayWrite && post.state !== 'draft' && (
        <TextButton {...ask('unpublish')}>
          {t(isOut ? 'newsroom.action.unpublish' : 'newsroom.action.unschedule')}
        </TextButton>
      )}
      {mayWrite && <TextButton {...ask('delete')}>{t('news.delete')}</TextButton>}
    </p>
  )
}

function WriterActions({ post, titleId, onOpen }: ActionProps) {
  const { t } = useMessages()
  const { _id: id, state, sibling } = post
  const described = { 'aria-describedby': titleId }
  const ask = (what: OpenDialog) => ({ ...described, onClick: () => onOpen(what) })
  return (
    <>
      <a href={newsroomAddress({ name: 'edit', id })} {...described}>
        {t('news.edit')}
      </a>
      {state !== 'published' && (
        <>
          <TextButton {...ask('publish')}>{t('newsroom.action.publish')}</TextButton>
          <TextButton {...ask('schedule')}>
            {t(state === 'scheduled' ? 'newsroom.action.reschedule' : 'newsroom.form.schedule')}
          </TextButton>
        </>
      )}
      {sibling ? (
        <TextButton {...ask('unlink')}>{t('newsroom.action.unlink')}</TextButton>
      ) : (
        <>
          <a href={newsroomAddress({ name: 'translate', id })} {...described}>
            {t('newsroom.action.translate')}
          </a>
          <TextButton {...ask('link')}>{t('newsroom.action.link')}</TextButton>
        </>
      )}
      <TextButton {...ask('preview')}>{t('newsroom.action.preview')}</TextButton>
      <a href={pathTo('console.postMail', { id })} {...described}>
        {t('newsroom.action.mail')}
      </a>
    </>
  )
}

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
  delete: ({ post, onClose, onChanged, onGone }) => (
    <DeletePost
      post={post}
      onClose={onClose}
      onDeleted={() => onGone(post._id)}
      onRestored={() => void call(getNewsroomPost, { params: { id: post._id } }).then(onChanged, () => null)}
    />
  ),
}

function PublishDialog({ post, onClose, onChanged }: DialogProps) {
  const { t } = useMessages()
  const { _id: id, title, lastEdited } = post
  return (
    <ConfirmDialog
      title={t('newsroom.publish.title')}
      label={t('newsroom.action.publish')}
      onClose={onClose}
      step={() => call(publishPost, { params: { id }, body: { lastEdited } })}
      onDone={(changed) => {
        onChanged(changed)
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
      {...undo.confirming(t(`newsroom.action.${action}`), (send) =>
        send(unpublishPost, { params: { id }, body: {} }),
      )}
      dismissLabel={t(`newsroom.${action}.keep`)}
      onClose={onClose}
      onDone={(changed) => {
        onChanged(changed)
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
      label={t('newsroom.action.unlink')}
      onClose={onClose}
      step={() => call(unlinkTranslation, { params: { id }, body: {} })}
      onDone={(changed) => {
        onChanged(changed)
        showNotice(t('newsroom.unlink.done', { title }), 'success')
      }}
    >
      <p>{t('newsroom.unlink.text', { title, other: sibling?.title ?? '' })}</p>
      {state === 'published' && <p>{t('newsroom.link.signed')}</p>}
    </ConfirmDialog>
  )
}
