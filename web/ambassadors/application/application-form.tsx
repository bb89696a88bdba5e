import { applyAsAmbassador } from '#contract/ambassadors.ts'
import { call } from '../../call/call.ts'
import { failureMessage } from '../../actions/failure-message.ts'
import { afterPress } from '../../forms/after-press.ts'
import { FormFrame } from '../../forms/form-frame.tsx'
import { FormInput, FormTextArea } from '../../forms/form-input.tsx'
import { useContractForm } from '../../forms/use-contract-form.ts'
import { useMessages, FormattedMessage } from '../../i18n/messages.tsx'
import { NewTabLink } from '../../layout/new-tab-link.tsx'
import { pathTo } from '../../routes/routes.ts'
import styles from './application-form.module.css'
import { application } from './application.ts'

/** An error is shown at the email field and removed when that field loses focus. Input is never lost. */
export function ApplicationForm({ onSent }: { onSent: () => void }) {
  const { t } = useMessages()
  const applicationForm = useContractForm({
    schema: application,
    labels: {
      email: 'ambassador.form.email.label',
      name: 'ambassador.form.name.label',
      city: 'ambassador.form.city.label',
      country: 'ambassador.form.country.label',
      social: 'ambassador.form.social.label',
      why: 'ambassador.form.why.label',
    },
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
          <FormInput
            of={applicationForm}
            name="email"
            autoComplete="email"
            help={t('ambassador.form.email.help')}
          />
        </div>
        <div className={styles.wide}>
          <FormInput
            of={applicationForm}
            name="name"
            autoComplete="name"
            help={t('ambassador.form.name.help')}
          />
        </div>
        <FormInput
          of={applicationForm}
          name="city"
          autoComplete="address-level2"
          help={t('ambassador.form.city.help')}
        />
        <FormInput
          of={applicationForm}
          name="country"
          autoComplete="country-name"
          help={t('ambassador.form.country.help')}
        />
        <div className={styles.wide}>
          <FormInput
            of={applicationForm}
            name="social"
            autoComplete="off"
            help={t('ambassador.form.social.help')}
          />
        </div>
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
