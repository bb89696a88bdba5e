import { useState } from 'react'
import { schedulePost, type NewsroomPost } from '#contract/publishing/newsroom.ts'
import { call, CallFailed } from '../../../kernel/call/call.ts'
import { ConfirmDialog } from '../../../kernel/forms/confirm-dialog.tsx'
import { useMessages } from '../../../kernel/i18n/messages.tsx'
import { showNotice } from '../../../kernel/notices/notices.ts'
import { ScheduleFields } from '../../../announcements/schedule/schedule-fields.tsx'
import { useSchedule } from '../../../announcements/schedule/use-schedule.ts'

/** Schedules a draft, or reschedules a scheduled post. */
export default function ScheduleDialog({
  post,
  onClose,
  onScheduled,
}: {
  post: NewsroomPost
  onClose: () => void
  onScheduled: (changed: NewsroomPost) => void
}) {
  const { t, formatDateTime } = useMessages()
  const { publishAt, zone, title, state } = post
  const schedule = useSchedule(publishAt && zone ? { publishAt, zone } : null)
  const [serverError, setServerError] = useState<string>()
  const action = state === 'scheduled' ? 'reschedule' : 'schedule'
  function plan() {
    const read = schedule.read()
    setServerError(undefined)
    if (!read) return null
    return call(schedulePost, { params: { id: post._id }, body: { ...read, lastEdited: post.lastEdited } })
  }
  return (
    <ConfirmDialog
      title={t(`newsroom.${action}.heading`)}
      label={t(`newsroom.${action}.submit`)}
      step={plan}
      onDone={(changed) => {
        onScheduled(changed)
        if (changed.publishAt)
          showNotice(
            t('newsroom.saved.scheduled', { title, time: formatDateTime(changed.publishAt) }),
            'success',
          )
      }}
      onFailure={(failure) => {
        const atField =
          failure instanceof CallFailed
            ? failure.errors.find(({ path }) => path === 'publishAt')?.message
            : undefined
        setServerError(atField)
        return atField !== undefined
      }}
      onClose={onClose}
    >
      <p>{title}</p>
      <ScheduleFields of={schedule} serverError={serverError} />
    </ConfirmDialog>
  )
}
