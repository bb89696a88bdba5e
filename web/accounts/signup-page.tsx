import { useEffect } from 'react'
import * as z from 'zod/mini'
import { email, newPassword, passwordLengthMin } from '#contract/platform/fields.ts'
import { createMember } from '#contract/people/members.ts'
import { legalDocuments } from '#contract/people/consents.ts'
import { useBrand } from '../kernel/content/brand.tsx'
import { call } from '../kernel/call/call.ts'
import { passEmailOn } from '../kernel/forms/passed-email.ts'
import { FormFrame } from '../kernel/forms/form-frame.tsx'
import { FormInput, FormPassword } from '../kernel/forms/form-input.tsx'
import { repeated, sameAs } from '../kernel/forms/repeated-password.ts'
import { useContractForm } from '../kernel/forms/use-contract-form.ts'
import { SentenceSpace, useMessages, FormattedMessage } from '../kernel/i18n/messages.tsx'
import { LoginFrame } from '../kernel/layout/login-frame.tsx'
import { NewTabLink } from '../kernel/layout/new-tab-link.tsx'
import { page, type PageProps } from '../kernel/routes/page.ts'
import { navigate } from '../kernel/navigation/navigate.ts'
import { pathTo } from '../kernel/routes/routes.ts'
import { draftStore } from '../kernel/state/draft-store.ts'
import { PasswordAdvice } from '../kernel/forms/password/password-advice.tsx'
import styles from './signup.module.css'

const signup = z
  .object({
    email,
    password: newPassword,
    confirm: repeated,
    invitation: createMember.body.shape.invitationCode,
  })
  .check(sameAs('password', 'confirm'))

/**
 * The invitation from an ambassador's link. It is kept in this tab until someone signs in, because a member who
 * mistyped their email address signs up again.
 */
const carried = draftStore<string>(null, 'invitation')

/** `invitation` is the code in the address. */
function useSignupForm(invitation: string | null) {
  const { legal } = useBrand()
  // The form states that signing up accepts these documents, in the versions it links to.
  const accepted = legalDocuments.map((document) => ({ document, version: legal[document] }))
  const signupForm = useContractForm({
    schema: signup,
    labels: {
      email: 'forms.email.label',
      password: 'login.signup.password.label',
      confirm: 'login.signup.confirm.label',
      invitation: 'login.signup.invitation.label',
    },
    submit: async ({ email: address, password, invitation: code }) => {
      const invitationCode = code || undefined
      await call(createMember, { body: { email: address, password, consents: accepted, invitationCode } })
      carried.write(invitationCode ?? null)
      passEmailOn(address)
      await navigate(pathTo('login.activate'))
    },
  })
  const { form } = signupForm
  useEffect(() => {
    // Whatever a link contains, it must not break the form.
    if (invitation) carried.write(invitation.replaceAll(/\p{Cc}/gu, '').slice(0, 100))
    const code = carried.read()
    if (code) form.setValue('invitation', code)
  }, [invitation, form])
  return signupForm
}

function SignupView({ search }: PageProps<unknown>) {
  const { t } = useMessages()
  const signupForm = useSignupForm(search.get('invitation'))
  const { values } = signupForm
  return (
    <LoginFrame
      heading={t('login.signup.heading')}
      lead={t('login.signup.lead')}
      foot={
        <p>
          {t('login.signup.haveAccount')}
          <SentenceSpace />
          <a href={pathTo('login.signin')}>{t('login.signup.toSignin')}</a>
        </p>
      }
    >
      <FormFrame
        of={signupForm}
        submitLabel={t('login.signup.submit')}
        busyLabel={t('login.signup.busy')}
        isButtonWide
      >
        <FormInput of={signupForm} name="email" autoComplete="email" help={t('forms.email.help')} />
        <FormPassword
          of={signupForm}
          name="password"
          autoComplete="new-password"
          deps={['confirm']}
          help={
            <PasswordAdvice
              password={values.password}
              min={passwordLengthMin}
              known={values.email ? [values.email] : []}
            />
          }
        />
        <FormPassword of={signupForm} name="confirm" autoComplete="new-password" />
        <FormInput of={signupForm} name="invitation" autoComplete="off" />
        <p className={styles.terms}>
          <FormattedMessage
            k="login.signup.terms"
            tags={{
              terms: (words) => <NewTabLink href={pathTo('legal.terms')}>{words}</NewTabLink>,
              privacy: (words) => <NewTabLink href={pathTo('legal.privacy')}>{words}</NewTabLink>,
            }}
          />
        </p>
      </FormFrame>
    </LoginFrame>
  )
}

export default page({ View: SignupView })
