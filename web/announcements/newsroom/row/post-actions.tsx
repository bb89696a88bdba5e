import { lazy, Suspense, useState } from 'react'
import {
  getNewsroomPost,
  publishPost,
  unlinkTranslation,
  unpublishPost,
  type NewsroomPost,
} from '#contract/newsroom.ts'
import { call } from '../../../call/call.ts'
import { ConfirmDialog } from '../../../forms/confirm-dialog.tsx'
import { useMessages } from '../../../i18n/messages.tsx'
import { showNotice } from '../../../notices/notices.ts'
import { pathIn, pathTo } from '../../../routes/routes.ts'
import { TextButton } from '../../../ui/button.tsx'
import DeletePost, { restore } from '../../delete-post.tsx'
import { newsroomAddress } from '../newsroom-address.ts'
import styles from '../newsroom.module.css'

const ScheduleDialog = lazy(() => import('./schedule-dialog.tsx'))
const LinkDialog = lazy(() => import('./link-dialog.tsx'))
const PreviewDialog = lazy(() => import('./preview-dialog.tsx'))

type OpenDialog = 'publish' | 'unpublish' | 'link' | 'unlink' | 'schedule' | 'preview' | 'delete'

/** The actions available for a post in its current state. Publishing always asks for confirmation. */
export function PostActions({
  post,
  titleId,
  mayWrite,
  onChanged,
  onGone,
}: {
  post: NewsroomPost
  titleId: string
  mayWrite: boolean
  onChanged: (post: NewsroomPost) => void
  onGone: (id: string) => void
}) {
  const { t } = useMessages()
  const [openDialog, setOpenDialog] = useState<OpenDialog | null>(null)
  const [isRestoring, setIsRestoring] = useState(false)
  const { _id: id, state, title } = post
  const close = () => setOpenDialog(null)
  const described = { 'aria-describedby': titleId }
  const ask = (what: OpenDialog) => ({ ...described, onClick: () => setOpenDialog(what) })
  const params = { id }

  async function bringBack() {
    setIsRestoring(true)
    const restored = await restore(t, post)
    setIsRestoring(false)
    if (restored) onChanged(restored)
  }
  if (state === 'deleted')
    return (
      <p className={styles.actions}>
        {mayWrite && (
          <TextButton {...described} disabled={isRestoring} onClick={() => void bringBack()}>
            {t('newsroom.action.restore')}
          </TextButton>
        )}
        <a href={newsroomAddress({ name: 'versions', id })} {...described}>
          {t('newsroom.action.versions')}
        </a>
      </p>
    )
  const isOut = state === 'published'
  return (
    <>
      <p className={styles.actions}>
        {isOut && (
          <a href={pathIn(post.language, 'newsPost', { slug: post.slug })} {...described}>
            {t('newsroom.action.view')}
          </a>
        )}
        {mayWrite && (
          <>
            <a href={newsroomAddress({ name: 'edit', id })} {...described}>
              {t('news.edit')}
            </a>
            {!isOut && <TextButton {...ask('publish')}>{t('newsroom.action.publish')}</TextButton>}
            {!isOut && (
              <TextButton {...ask('schedule')}>
                {t(state === 'scheduled' ? 'newsroom.action.reschedule' : 'newsroom.form.schedule')}
              </TextButton>
            )}
            {!post.sibling && (
              <a href={newsroomAddress({ name: 'translate', id })} {...described}>
                {t('newsroom.action.translate')}
              </a>
            )}
            {post.sibling ? (
              <TextButton {...ask('unlink')}>{t('newsroom.action.unlink')}</TextButton>
            ) : (
              <TextButton {...ask('link')}>{t('newsroom.action.link')}</TextButton>
            )}
            <TextButton {...ask('preview')}>{t('newsroom.action.preview')}</TextButton>
            <a href={pathTo('console.postMail', { id })} {...described}>
              {t('newsroom.action.mail')}
            </a>
          </>
        )}
        <a href={newsroomAddress({ name: 'versions', id })} {...described}>
          {t('newsroom.action.versions')}
        </a>
        {mayWrite && state !== 'draft' && (
          <TextButton {...ask('unpublish')}>
            {t(isOut ? 'newsroom.action.unpublish' : 'newsroom.action.unschedule')}
          </TextButton>
        )}
        {mayWrite && <TextButton {...ask('delete')}>{t('news.delete')}</TextButton>}
      </p>
      <Suspense>
        {openDialog === 'publish' && (
          <ConfirmDialog
            title={t('newsroom.publish.title')}
            label={t('newsroom.action.publish')}
            onClose={close}
            step={() => call(publishPost, { params, body: { lastEdited: post.lastEdited } })}
            onDone={(changed) => {
              onChanged(changed)
              showNotice(t('news.created', { title }), 'success')
            }}
          >
            <p>{t('newsroom.publish.text', { title })}</p>
          </ConfirmDialog>
        )}
        {openDialog === 'unpublish' && (
          <ConfirmDialog
            title={t(isOut ? 'newsroom.unpublish.title' : 'newsroom.unschedule.title')}
            label={t(isOut ? 'newsroom.action.unpublish' : 'newsroom.action.unschedule')}
            onClose={close}
            step={() => call(unpublishPost, { params, body: {} })}
            onDone={(changed) => {
              onChanged(changed)
              showNotice(t('newsroom.unpublished', { title }), 'success')
            }}
          >
            <p>{t(isOut ? 'newsroom.unpublish.text' : 'newsroom.unschedule.text', { title })}</p>
          </ConfirmDialog>
        )}
        {openDialog === 'unlink' && (
          <ConfirmDialog
            title={t('newsroom.unlink.title')}
            label={t('newsroom.action.unlink')}
            onClose={close}
            step={() => call(unlinkTranslation, { params, body: {} })}
            onDone={(changed) => {
              onChanged(changed)
              showNotice(t('newsroom.unlink.done', { title }), 'success')
            }}
          >
            <p>{t('newsroom.unlink.text', { title, other: post.sibling?.title ?? '' })}</p>
            {isOut && <p>{t('newsroom.link.signed')}</p>}
          </ConfirmDialog>
        )}
        {openDialog === 'link' && <LinkDialog post={post} onClose={close} onLinked={onChanged} />}
        {openDialog === 'schedule' && <ScheduleDialog post={post} onClose={close} onScheduled={onChanged} />}
        {openDialog === 'preview' && <PreviewDialog post={post} onClose={close} />}
        {openDialog === 'delete' && (
          <DeletePost
            post={post}
            onClose={close}
            onDeleted={() => onGone(id)}
            onRestored={() => void call(getNewsroomPost, { params }).then(onChanged, () => null)}
          />
        )}
      </Suspense>
    </>
  )
}
