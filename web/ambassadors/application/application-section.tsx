import { useEffect, useRef, useState, type ComponentProps } from 'react'
import * as z from 'zod/mini'
import { applyAsAmbassador } from '#contract/people/ambassadors.ts'
import { failureMessage } from '../../kernel/actions/failure-message.ts'
import { call } from '../../kernel/call/call.ts'
import { useBrand } from '../../kernel/content/brand.tsx'
import { afterPress } from '../../kernel/forms/after-press.ts'
import { FormFrame } from '../../kernel/forms/form-frame.tsx'
import { FormInput, FormTextArea } from '../../kernel/forms/form-input.tsx'
import { useContractForm } from '../../kernel/forms/use-contract-form.ts'
import { useMessages, FormattedMessage } from '../../kernel/i18n/messages.tsx'
import { NewTabLink } from '../../kernel/layout/new-tab-link.tsx'
import { pathTo } from '../../kernel/routes/routes.ts'
import section from '../../kernel/ui/page-section.module.css'
import styles from './application-section.module.css'

/** The form, replaced by a thank-you message once it is sent. */
export function ApplicationSection() {
  const { t } = useMessages()
  const { email } = useBrand()
  const [isSent, setSent] = useState(false)
  return (
    <section id="apply" className={`${section.section} ${styles.apply}`} aria-labelledby="apply-heading">
      <div className={styles.head}>
        <h2 id="apply-heading">{t('ambassador.form.heading')}</h2>
        <p>{t('ambassador.form.intro')}</p>
        <p className={styles.own}>
          <FormattedMessage
            k="ambassador.form.own"
            tags={{ link: (words) => <a href={pathTo('account.ambassador')}>{words}</a> }}
          />
        </p>
      </div>
      <div className={styles.form}>
        <noscript>
          <p className={styles.note}>
            <FormattedMessage
              k="ambassador.form.noScript"
              values={{ email }}
              tags={{ link: (words) => <a href={`mailto:${email}`}>{words}</a> }}
            />
          </p>
        </noscript>
        {isSent ? <Thanks /> : <ApplicationForm onSent={() => setSent(true)} />}
      </div>
    </section>
  )
}

function Thanks() {
  const { t } = useMessages()
  const heading = useRef<HTMLHeadingElement>(null)
  // The focused button has been removed.
  useEffect(() => heading.current?.focus(), [])
  return (
    <div className={styles.thanks} role="status">
      <h3 ref={heading} tabIndex={-1}>
        {t('ambassador.thanks.heading')}
      </h3>
      <p>{t('ambassador.thanks.text')}</p>
    </div>
  )
}

const { email, fullName, city, country, socialMedia, description } = applyAsAmbassador.body.shape

/** Western and Chinese commas, and the Chinese enumeration comma. */
const separators = /[,，、]/

const names = z.pipe(
  z.string(),
  z.transform((list: string): string[] | undefined =>
    list
      .split(separators)
      .map((name) => name.trim())
      .filter(Boolean),
  ),
)

/** The form's fields, and the request body built from them. */
export const application = z.pipe(
  z.object({
    email,
    name: fullName,
    city,
    country,
    social: z.pipe(names, socialMedia),
    why: description,
  }),
  z.transform(({ name, social, why, ...same }) => ({
    ...same,
    fullName: name,
    socialMedia: social,
    description: why,
  })),
)

const labels = {
  email: 'ambassador.form.email.label',
  name: 'ambassador.form.name.label',
  city: 'ambassador.form.city.label',
  country: 'ambassador.form.country.label',
  social: 'ambassador.form.social.label',
  why: 'ambassador.form.why.label',
} as const

/** An error is shown at the email field and removed when that field loses focus. Input is never lost. */
function ApplicationForm({ onSent }: { onSent: () => void }) {
  const { t } = useMessages()
  const applicationForm = useContractForm({
    schema: application,
    labels,
    submit: async (body) => {
      try {
        await call(applyAsAmbassador, { body })
      } catch (failure) {
        const message = `${failureMessage(t, failure)} ${t('ambassador.form.error')}`
        form.setError('email', { type: 'server', message }, { shouldFocus: true })
        return
      }
      onSent()
    },
  })
  const { form } = applicationForm
  const clearError = () => {
    if (form.getFieldState('email').error?.type === 'server') form.clearErrors('email')
  }
  const input = (
    name: Exclude<keyof typeof labels, 'why'>,
    autoComplete: ComponentProps<'input'>['autoComplete'],
  ) => (
    <FormInput
      of={applicationForm}
      name={name}
      autoComplete={autoComplete}
      help={t(`ambassador.form.${name}.help`)}
    />
  )
  return (
    <FormFrame
      of={applicationForm}
      submitLabel={t('ambassador.form.submit')}
      busyLabel={t('forms.sending')}
      label={t('ambassador.form.heading')}
      asksToLeave
    >
      <div className={styles.fields}>
        <div className={styles.wide} onBlur={() => afterPress(clearError)}>
          {input('email', 'email')}
        </div>
        <div className={styles.wide}>{input('name', 'name')}</div>
        {input('city', 'address-level2')}
        {input('country', 'country-name')}
        <div className={styles.wide}>{input('social', 'off')}</div>
        <div className={styles.wide}>
          <FormTextArea of={applicationForm} name="why" help={t('ambassador.form.why.help')} />
        </div>
      </div>
      <p className={styles.privacy}>
        <FormattedMessage
          k="ambassador.form.privacy"
          tags={{ link: (words) => <NewTabLink href={pathTo('legal.privacy')}>{words}</NewTabLink> }}
        />
      </p>
    </FormFrame>
  )
}
