import { useState } from 'react'
import {
  newsAddress,
  readDigestTime,
  subscribeToNews,
  type DigestTime,
  type NewsChoice,
} from '#contract/publishing/newsletter.ts'
import type { Language } from '#contract/platform/languages.ts'
import { call } from '../kernel/call/call.ts'
import { passedEmail, passEmailOn } from '../kernel/forms/passed-email.ts'
import { FormFrame } from '../kernel/forms/form-frame.tsx'
import { FormInput } from '../kernel/forms/form-input.tsx'
import { useContractForm } from '../kernel/forms/use-contract-form.ts'
import { useMessages, FormattedMessage } from '../kernel/i18n/messages.tsx'
import { NewTabLink } from '../kernel/layout/new-tab-link.tsx'
import { page, type PageProps } from '../kernel/routes/page.ts'
import { pathTo } from '../kernel/routes/routes.ts'
import { Message } from '../kernel/ui/form-status.tsx'
import { PageHero } from '../kernel/ui/page-hero.tsx'
import { allCategories, ChoiceFields } from '../kernel/news-choice/choice-fields.tsx'
import styles from '../kernel/news-choice/news-choice.module.css'

type Data = { digest: DigestTime; language: Language }

/** Subscribing without an account. Whether an address is known is revealed only to its reader, by email. */
function NewsletterView({ data: { digest, language } }: PageProps<Data>) {
  const { t } = useMessages()
  const [sentTo, setSentTo] = useState<string>()
  return (
    <>
      <PageHero heading={t('newsletter.heading')} lead={t('newsletter.lead')} size="low" />
      <div className={styles.page}>
        <div role="status">
          {sentTo !== undefined && (
            <Message kind="good">
              <p>{t('newsletter.sent', { email: sentTo })}</p>
              <p>{t('newsletter.sent.text')}</p>
            </Message>
          )}
        </div>
        {sentTo === undefined && <SubscribeForm digest={digest} language={language} onSent={setSentTo} />}
        <a href={pathTo('news')}>{t('newsletter.toNews')}</a>
      </div>
    </>
  )
}

function SubscribeForm({ digest, language, onSent }: Data & { onSent: (email: string) => void }) {
  const { t } = useMessages()
  const [choice, setChoice] = useState<NewsChoice>({ language, categories: allCategories, rhythm: 'each' })
  const form = useContractForm({
    schema: newsAddress,
    labels: { email: 'newsletter.email' },
    defaultValues: { email: passedEmail() },
    submit: async ({ email }) => {
      await call(subscribeToNews, { body: { email, ...choice } })
      passEmailOn(undefined)
      onSent(email)
    },
  })
  const isWhole = choice.categories.length > 0
  return (
    <FormFrame
      of={isWhole ? form : { ...form, send: async (event) => event?.preventDefault() }}
      submitLabel={t('newsletter.subscribe')}
      busyLabel={t('forms.sending')}
      label={t('newsletter.heading')}
    >
      <FormInput of={form} name="email" autoComplete="email" />
      <ChoiceFields choice={choice} onChange={setChoice} digest={digest} />
      <p className={styles.note}>
        <FormattedMessage
          k="newsletter.consent"
          tags={{ link: (words) => <NewTabLink href={pathTo('legal.privacy')}>{words}</NewTabLink> }}
        />
      </p>
    </FormFrame>
  )
}

export default page<Data>({
  load: async ({ call, language }) => ({ digest: await call(readDigestTime, {}), language }),
  View: NewsletterView,
})
