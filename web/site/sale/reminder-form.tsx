import { useState, type FormEvent } from 'react'
import {
  pendingReminderDays,
  reminderFields,
  requestSaleReminder,
  type PostedReminder,
} from '#contract/money/public-sale.ts'
import { useAction } from '../../kernel/actions/use-action.ts'
import { call } from '../../kernel/call/call.ts'
import { boundsOf } from '../../kernel/forms/field-bounds.ts'
import { FormattedMessage, useMessages } from '../../kernel/i18n/messages.tsx'
import { problemsOf } from '../../kernel/problems-of.ts'
import { pathIn, pathTo } from '../../kernel/routes/routes.ts'
import { useStore } from '../../kernel/state/create-store.ts'
import { Button } from '../../kernel/ui/button.tsx'
import { TextField } from '../../kernel/ui/field.tsx'
import { FormStatus } from '../../kernel/ui/form-status.tsx'
import { currentWork } from '../../kernel/work/current-work.ts'
import { ReminderDone } from './reminder-done.tsx'
import styles from './sale.module.css'

export type ReminderProblems = Extract<PostedReminder['reminder'], { problems: object }>

/** A plain form. Without JavaScript, its result is shown on the page about reminders. */
export function ReminderForm({ posted = null }: { posted?: ReminderProblems | null }) {
  const { t, language } = useMessages()
  const { isBusy, failure, run } = useAction()
  const work = useStore(currentWork)
  const [isSent, setIsSent] = useState(false)
  if (isSent) return <ReminderDone done="received" days={pendingReminderDays} />
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (isBusy) return
    const { email = '' } = Object.fromEntries(new FormData(event.currentTarget)) as Record<string, string>
    void run(async () => {
      await call(requestSaleReminder, { body: { email, language } })
      setIsSent(true)
    })
  }
  const { email, ...others } = failure === undefined ? (posted?.problems ?? {}) : problemsOf(failure, t)
  return (
    <form
      className={styles.form}
      method="post"
      action={pathIn(language, 'saleReminder')}
      noValidate
      onSubmit={send}
      aria-label={t('sale.reminder.heading')}
    >
      <TextField
        name="email"
        type="email"
        maxLength={boundsOf(reminderFields.shape.email).maxLength}
        label={t('sale.reminder.email')}
        error={email}
        defaultValue={posted?.given['email']}
        autoComplete="email"
        required
      />
      <p className={styles.note}>
        <FormattedMessage
          k="sale.reminder.privacy"
          tags={{ link: (words) => <a href={`${pathTo('legal.privacy')}#reminder`}>{words}</a> }}
        />
      </p>
      <div>
        <Button type="submit" busy={isBusy} busyLabel={t('forms.sending')}>
          {t('sale.reminder.submit')}
        </Button>
      </div>
      {isBusy && work}
      <FormStatus error={Object.values(others)[0]} />
    </form>
  )
}
