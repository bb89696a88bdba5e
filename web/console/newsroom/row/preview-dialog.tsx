import { useState } from 'react'
import { endPreview, createPreview, previewDays, type NewsroomPost } from '#contract/publishing/newsroom.ts'
import type { OutputOf } from '#contract/platform/endpoint.ts'
import { call, CallFailed } from '../../../kernel/call/call.ts'
import { useAction } from '../../../kernel/actions/use-action.ts'
import { useMessages } from '../../../kernel/i18n/messages.tsx'
import { pathTo } from '../../../kernel/routes/routes.ts'
import { Button, ButtonLink } from '../../../kernel/ui/button.tsx'
import { copyText } from '../../../kernel/ui/copy-text.ts'
import { Dialog } from '../../../kernel/ui/dialog.tsx'
import { TextField } from '../../../kernel/ui/field.tsx'
import { FormStatus } from '../../../kernel/ui/form-status.tsx'
import styles from '../newsroom.module.css'

/** The link that was just made, and what has been done with it. */
function usePreviewLink(post: NewsroomPost) {
  const { t } = useMessages()
  const [made, setMade] = useState<OutputOf<typeof createPreview>>()
  const [said, setSaid] = useState('')
  const { isBusy: isSending, error, run } = useAction()
  const params = { id: post._id }
  const path = made && pathTo('newsPreview', { token: made.token })
  const address = path && location.origin + path

  const act = (work: () => Promise<void>) => {
    setSaid('')
    return run(work)
  }
  const make = () => act(async () => setMade(await call(createPreview, { params, body: {} })))
  const end = () =>
    act(async () => {
      try {
        await call(endPreview, { params })
        setSaid(t('newsroom.preview.ended'))
      } catch (cause) {
        if (!(cause instanceof CallFailed && cause.code === 'not_found')) throw cause
        setSaid(t('newsroom.preview.none'))
      }
      setMade(undefined)
    })
  const copy = async () =>
    setSaid(t((await copyText(address ?? '')) ? 'newsroom.preview.copied' : 'newsroom.preview.copyByHand'))
  return { made, path, address, said, isSending, error, make, end, copy }
}

/** Creates a preview link, with which anyone can read the post. The link is not stored, so it must be copied now. */
export default function PreviewDialog({ post, onClose }: { post: NewsroomPost; onClose: () => void }) {
  const { t, formatDateTime } = useMessages()
  const { made, path, address, said, isSending, error, make, end, copy } = usePreviewLink(post)
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={t('newsroom.preview.heading')}
      actions={
        <Button kind="quiet" onClick={onClose}>
          {t('forms.close')}
        </Button>
      }
    >
      <p>{t('newsroom.preview.text', { title: post.title, days: previewDays })}</p>
      {made && address ? (
        <>
          <TextField
            label={t('newsroom.preview.link')}
            readOnly
            value={address}
            help={t('newsroom.preview.until', { time: formatDateTime(made.expiresAt) })}
            onFocus={(event) => event.target.select()}
          />
          <div className={styles.buttons}>
            <Button onClick={() => void copy()}>{t('newsroom.preview.copy')}</Button>
            <ButtonLink kind="quiet" href={path} target="_blank">
              {t('newsroom.preview.open')}
            </ButtonLink>
            <Button kind="quiet" busy={isSending} onClick={() => void end()}>
              {t('newsroom.preview.end')}
            </Button>
          </div>
        </>
      ) : (
        <div className={styles.buttons}>
          <Button busy={isSending} onClick={() => void make()}>
            {t('newsroom.preview.make')}
          </Button>
          <Button kind="quiet" disabled={isSending} onClick={() => void end()}>
            {t('newsroom.preview.endOlder')}
          </Button>
        </div>
      )}
      <p className={styles.said} role="status">
        {said}
      </p>
      <FormStatus error={error} />
    </Dialog>
  )
}
