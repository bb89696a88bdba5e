import { useId, type FormEvent } from 'react'
import { continueContact, messageText } from '#contract/people/conversations.ts'
import { useAction } from '../kernel/actions/use-action.ts'
import { call } from '../kernel/call/call.ts'
import { boundsOf } from '../kernel/forms/field-bounds.ts'
import { useMessages } from '../kernel/i18n/messages.tsx'
import { pathIn } from '../kernel/routes/routes.ts'
import { useStore } from '../kernel/state/create-store.ts'
import { Button } from '../kernel/ui/button.tsx'
import { TextArea } from '../kernel/ui/field.tsx'
import { FormStatus } from '../kernel/ui/form-status.tsx'
import { currentWork } from '../kernel/work/current-work.ts'
import styles from './contact.module.css'
import { problemsOf } from '../kernel/problems-of.ts'
import type { PostedProblems } from './posted-problems.ts'

type Props = { code: string; posted: PostedProblems | null; onSent: () => void }

/**
 * Continues a conversation with the link in an emailed answer. Shows none of its messages, because whoever has the link
 * may have got it from a forwarded email.
 */
export function AnswerContact({ code, posted, onSent }: Props) {
  const { t, language } = useMessages()
  const { isBusy, failure, run } = useAction()
  const work = useStore(currentWork)
  const heading = useId()
  const path = pathIn(language, 'contact')
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (isBusy) return
    const { text = '' } = Object.fromEntries(new FormData(event.currentTarget)) as Record<string, string>
    void run(async () => {
      await call(continueContact, { body: { code, text } })
      onSent()
    })
  }
  const { text, ...others } = failure === undefined ? (posted?.problems ?? {}) : problemsOf(failure, t)
  return (
    <form
      className={styles.form}
      method="post"
      action={`${path}?answer=${encodeURIComponent(code)}`}
      noValidate
      onSubmit={send}
      aria-labelledby={heading}
    >
      <h2 id={heading}>{t('contact.answer.heading')}</h2>
      <p>{t('contact.answer.lead')}</p>
      <TextArea
        name="text"
        label={t('contact.text')}
        help={t('contact.text.help')}
        error={text}
        defaultValue={posted?.given['text']}
        maxLength={boundsOf(messageText).maxLength}
        rows={8}
        required
      />
      <div>
        <Button type="submit" busy={isBusy} busyLabel={t('forms.sending')}>
          {t('contact.send')}
        </Button>
      </div>
      {isBusy && work}
      <FormStatus error={Object.values(others)[0]} />
      <p className={styles.note}>
        <a href={path}>{t('contact.answer.new')}</a>
      </p>
    </form>
  )
}
