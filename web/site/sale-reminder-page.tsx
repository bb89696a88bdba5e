import { useState, type FormEvent } from 'react'
import {
  cancelSaleReminder,
  confirmSaleReminder,
  pendingReminderDays,
  type PostedReminder,
} from '#contract/money/public-sale.ts'
import { useAction } from '../kernel/actions/use-action.ts'
import { call } from '../kernel/call/call.ts'
import { useMessages } from '../kernel/i18n/messages.tsx'
import { page, type LoadContext, type PageProps } from '../kernel/routes/page.ts'
import { pathTo } from '../kernel/routes/routes.ts'
import { Button } from '../kernel/ui/button.tsx'
import { FormStatus } from '../kernel/ui/form-status.tsx'
import { PageHero } from '../kernel/ui/page-hero.tsx'
import { ReminderDone } from './sale/reminder-done.tsx'
import { ReminderForm, type ReminderProblems } from './sale/reminder-form.tsx'
import styles from './sale/sale.module.css'

type Data = { posted: PostedReminder['reminder'] | null }
type Done = Parameters<typeof ReminderDone>[0]['done']

/** Returns the result of a form that was sent without JavaScript. The page has no other data. */
const load = async ({ posted }: LoadContext): Promise<Data> => ({
  posted: posted && 'reminder' in posted ? posted.reminder : null,
})

/** The page that links in emails open. The code in its address confirms or cancels the reminder. */
function SaleReminderView({ data: { posted }, search }: PageProps<Data>) {
  const { t } = useMessages()
  const [done, setDone] = useState<Done | undefined>(posted && 'done' in posted ? posted.done : undefined)
  return (
    <>
      <PageHero heading={t('sale.reminder.page')} lead={t('sale.reminder.lead')} size="low" />
      <div className={styles.page}>
        {done ? (
          <ReminderDone done={done} days={pendingReminderDays} as="h2" />
        ) : (
          <Forms posted={posted && 'problems' in posted ? posted : null} search={search} onDone={setDone} />
        )}
        <p>
          <a href={pathTo('sale')}>{t('sale.reminder.toSale')}</a>
        </p>
      </div>
    </>
  )
}

type FormsProps = { posted: ReminderProblems | null; search: URLSearchParams; onDone: (done: Done) => void }

/** The form that matches the page's address. */
function Forms({ posted, search, onDone }: FormsProps) {
  const { t } = useMessages()
  const code = search.get('code')
  const cancel = search.get('cancel')
  if (cancel !== null)
    return (
      <LinkForm
        step="cancel"
        act={async () => {
          await call(cancelSaleReminder, { body: { code: cancel } })
          onDone('cancelled')
        }}
      />
    )
  if (code !== null)
    return (
      <LinkForm
        step="confirm"
        act={async () => {
          await call(confirmSaleReminder, { body: { code } })
          onDone('confirmed')
        }}
      />
    )
  return (
    <>
      {/* Without JavaScript, the page can't know whether its address contains a code. */}
      <noscript>
        <OpenEmailedLink />
      </noscript>
      <h2>{t('sale.reminder.heading')}</h2>
      <p>{t('sale.reminder.text')}</p>
      <ReminderForm posted={posted} />
    </>
  )
}

/** Requires a click, because mail scanners follow links. */
function LinkForm({ step, act }: { step: 'confirm' | 'cancel'; act: () => Promise<void> }) {
  const { t } = useMessages()
  const { isBusy, error, run } = useAction()
  const send = (event: FormEvent) => {
    event.preventDefault()
    if (!isBusy) void run(act)
  }
  return (
    <form className={styles.form} noValidate onSubmit={send}>
      <h2>{t(`sale.reminder.${step}.heading`)}</h2>
      <p>{t(`sale.reminder.${step}.lead`)}</p>
      <div>
        <Button type="submit" busy={isBusy} busyLabel={t('forms.sending')}>
          {t(`sale.reminder.${step}.submit`)}
        </Button>
      </div>
      <FormStatus error={error} />
    </form>
  )
}

/**
 * Lets readers without JavaScript continue from a link in an email: the form is sent to the page's address, and the
 * server reads the code in it.
 */
function OpenEmailedLink() {
  const { t } = useMessages()
  return (
    <form className={styles.form} method="post">
      <h2>{t('sale.reminder.link.heading')}</h2>
      <p>{t('sale.reminder.link.lead')}</p>
      <div>
        <Button type="submit">{t('sale.reminder.link.submit')}</Button>
      </div>
    </form>
  )
}

export default page<Data>({ load, View: SaleReminderView })
