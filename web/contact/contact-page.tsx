import { useEffect, useRef, useState, type FormEvent } from 'react'
import { contactDays, contactStaff, messageText, type PostedContact } from '#contract/people/conversations.ts'
import { useAction } from '../kernel/actions/use-action.ts'
import { call } from '../kernel/call/call.ts'
import { boundsOf } from '../kernel/forms/field-bounds.ts'
import { FormattedMessage, useMessages } from '../kernel/i18n/messages.tsx'
import { NewTabLink } from '../kernel/layout/new-tab-link.tsx'
import { page, type LoadContext, type PageProps } from '../kernel/routes/page.ts'
import { pathIn, pathTo } from '../kernel/routes/routes.ts'
import { Button } from '../kernel/ui/button.tsx'
import { TextArea, TextField } from '../kernel/ui/field.tsx'
import { FormStatus } from '../kernel/ui/form-status.tsx'
import { PageHero } from '../kernel/ui/page-hero.tsx'
import { useStore } from '../kernel/state/create-store.ts'
import { currentWork } from '../kernel/work/current-work.ts'
import styles from './contact.module.css'
import { AnswerContact } from './answer-contact.tsx'
import { ConfirmContact, OpenEmailedLink } from './confirm-contact.tsx'
import { problemsOf, type Texts } from '../kernel/problems-of.ts'
import type { PostedProblems } from './posted-problems.ts'

type Data = { posted: PostedContact | null }

/** Only the result of a form that was sent without JavaScript. */
const load = async ({ posted }: LoadContext): Promise<Data> => ({
  posted: posted && ('done' in posted || 'problems' in posted) ? posted : null,
})

/**
 * Visitors without an account write to staff. Links in emails lead here as well: the code in the page’s address confirms
 * the visitor’s email address, or continues the conversation.
 */
function ContactView({ data: { posted }, search }: PageProps<Data>) {
  const { t } = useMessages()
  const [done, setDone] = useState(posted && 'done' in posted ? posted.done : undefined)
  return (
    <>
      <PageHero heading={t('contact.heading')} lead={t('contact.lead')} size="low" />
      <div className={styles.page}>
        {done ? (
          <Done done={done} />
        ) : (
          <Forms posted={posted && 'problems' in posted ? posted : null} search={search} onDone={setDone} />
        )}
      </div>
    </>
  )
}

type FormsProps = { posted: PostedProblems | null; search: URLSearchParams; onDone: (done: DoneStep) => void }

/** The form that the address asks for. */
function Forms({ posted, search, onDone }: FormsProps) {
  const answer = posted?.linkCode ?? search.get('answer')
  const code = search.get('code')
  if (answer !== null)
    return <AnswerContact code={answer} posted={posted} onSent={() => onDone('answered')} />
  if (code !== null) return <ConfirmContact code={code} onConfirmed={() => onDone('confirmed')} />
  return (
    <>
      {/* Without JavaScript, the page can't know whether its address contains a code. */}
      <noscript>
        <OpenEmailedLink />
      </noscript>
      <ContactForm posted={posted} onSent={() => onDone('sent')} />
    </>
  )
}

type DoneStep = Extract<PostedContact, { done: string }>['done']

function Done({ done }: { done: DoneStep }) {
  const { t } = useMessages()
  const heading = useRef<HTMLHeadingElement>(null)
  // The focused button has been removed.
  useEffect(() => heading.current?.focus(), [])
  return (
    <div role="status">
      <h2 ref={heading} tabIndex={-1}>
        {t(`contact.${done}.heading`)}
      </h2>
      <p>{t(`contact.${done}.text`, { days: contactDays })}</p>
    </div>
  )
}

type FormProps = { posted: PostedProblems | null; onSent: () => void }

/** A plain form that works without JavaScript. */
function ContactForm({ posted, onSent }: FormProps) {
  const { t, language } = useMessages()
  const { isBusy, failure, run } = useAction()
  const work = useStore(currentWork)
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (isBusy) return
    const given = new FormData(event.currentTarget)
    const { email = '', name = '', text = '' } = Object.fromEntries(given) as Record<string, string>
    void run(async () => {
      await call(contactStaff, { body: { email, name, text } })
      onSent()
    })
  }
  const problems = failure === undefined ? (posted?.problems ?? {}) : problemsOf(failure, t)
  const { '': elsewhere, ...atFields } = problems
  return (
    <form
      className={styles.form}
      method="post"
      action={pathIn(language, 'contact')}
      noValidate
      onSubmit={send}
      aria-label={t('contact.heading')}
    >
      <p>
        <FormattedMessage
          k="contact.member"
          tags={{ link: (words) => <a href={pathTo('account.messages')}>{words}</a> }}
        />
      </p>
      <Fields problems={atFields} given={posted?.given ?? {}} />
      <p className={styles.note}>
        <FormattedMessage
          k="contact.privacy"
          tags={{ link: (words) => <NewTabLink href={pathTo('legal.privacy')}>{words}</NewTabLink> }}
        />
      </p>
      <div>
        <Button type="submit" busy={isBusy} busyLabel={t('forms.sending')}>
          {t('contact.send')}
        </Button>
      </div>
      {isBusy && work}
      <FormStatus error={elsewhere} />
    </form>
  )
}

function Fields({ problems, given }: { problems: Texts; given: Texts }) {
  const { t } = useMessages()
  return (
    <>
      <TextField
        name="email"
        type="email"
        maxLength={boundsOf(contactStaff.body.shape.email).maxLength}
        label={t('contact.email')}
        help={t('contact.email.help')}
        error={problems['email']}
        defaultValue={given['email']}
        autoComplete="email"
        required
      />
      <TextField
        name="name"
        label={t('contact.name')}
        optional={t('forms.optional')}
        error={problems['name']}
        defaultValue={given['name']}
        maxLength={boundsOf(contactStaff.body.shape.name).maxLength}
        autoComplete="name"
      />
      <TextArea
        name="text"
        label={t('contact.text')}
        help={t('contact.text.help')}
        error={problems['text']}
        defaultValue={given['text']}
        maxLength={boundsOf(messageText).maxLength}
        rows={8}
        required
      />
    </>
  )
}

export default page<Data>({ load, View: ContactView })
