import { useState } from 'react'
import { schedulePost, type NewsroomPost } from '#contract/newsroom.ts'
import { call, CallFailed } from '../../call.ts'
import { failureWords } from '../../forms/failure-words.ts'
import { useWords } from '../../i18n/words.tsx'
import { showNotice } from '../../layout/notices.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { FormStatus } from '../../ui/form-status.tsx'
import { ScheduleFields } from '../schedule/schedule-fields.tsx'
import { useSchedule } from '../schedule/use-schedule.ts'

/** When a draft comes out, or when a scheduled post comes out instead. */
export default function ScheduleDialog({
  post,
  onClose,
  onScheduled,
}: {
  post: NewsroomPost
  onClose: () => void
  onScheduled: (changed: NewsroomPost) => void
}) {
  const { t, formatDateTime } = useWords()
  const { publishAt, zone, title } = post
  const schedule = useSchedule(publishAt && zone ? { publishAt, zone } : null)
  const [isSending, setIsSending] = useState(false)
  const [failure, setFailure] = useState<unknown>()
  const atField =
    failure instanceof CallFailed
      ? failure.errors.find(({ path }) => path === 'publishAt')?.message
      : undefined
  async function plan() {
    const read = schedule.read()
    if (!read) return
    setIsSending(true)
    setFailure(undefined)
    try {
      const changed = await call(schedulePost, {
        params: { id: post._id },
        body: { ...read, lastEdited: post.lastEdited },
      })
      onClose()
      onScheduled(changed)
      showNotice(t('newsroom.saved.scheduled', { title, time: formatDateTime(read.publishAt) }), 'success')
    } catch (cause) {
      setFailure(cause)
      setIsSending(false)
    }
  }
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={t('newsroom.schedule.heading')}
      actions={
        <>
          <Button kind="quiet" disabled={isSending} onClick={onClose}>
            {t('forms.cancel')}
          </Button>
          <Button busy={isSending} onClick={() => void plan()}>
            {t('newsroom.schedule.submit')}
          </Button>
        </>
      }
    >
      <p>{title}</p>
      <ScheduleFields of={schedule} refusal={atField} />
      <FormStatus error={failure === undefined || atField ? undefined : failureWords(t, failure)} />
    </Dialog>
  )
}
