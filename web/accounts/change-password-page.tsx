import * as z from 'zod/mini'
import { atLeast, newPassword, passwordLengthMin } from '#contract/platform/fields.ts'
import { checkPasswordReset, executePasswordReset } from '#contract/people/members.ts'
import type { OutputOf } from '#contract/platform/endpoint.ts'
import { useLoaded } from '../kernel/actions/use-loaded.ts'
import { call, CallFailed } from '../kernel/call/call.ts'
import { passEmailOn } from '../kernel/forms/passed-email.ts'
import { FormFrame } from '../kernel/forms/form-frame.tsx'
import { FormPassword } from '../kernel/forms/form-input.tsx'
import { sameAs } from '../kernel/forms/repeated-password.ts'
import { useContractForm } from '../kernel/forms/use-contract-form.ts'
import { staffName } from '../kernel/i18n/staff-name.ts'
import { useMessages } from '../kernel/i18n/messages.tsx'
import { LoginFrame } from '../kernel/layout/login-frame.tsx'
import { page, type PageProps } from '../kernel/routes/page.ts'
import { navigate } from '../kernel/navigation/navigate.ts'
import { pathTo } from '../kernel/routes/routes.ts'
import { PasswordAdvice } from '../kernel/forms/password/password-advice.tsx'
import { endSession } from '../kernel/session/end-session.ts'
import { clearAfterSignOut } from '../kernel/session/keep-session.ts'
import { currentSession, useSession } from '../kernel/session/session.ts'
import { Message } from '../kernel/ui/form-status.tsx'

const isUsedUp = (failure: unknown) => failure instanceof CallFailed && failure.code === 'reset_code_invalid'

/** The target of the emailed link. Its validity is checked at once, before anyone thinks of a password. */
function ChangePasswordView({ params }: PageProps<unknown>) {
  const { t } = useMessages()
  const { member } = useSession()
  const { id = '', code: pwdresetcode = '' } = params
  const link = { id, pwdresetcode }
  const checked = useLoaded(`${id} ${pwdresetcode}`, () => call(checkPasswordReset, { body: link }))
  const isDead = checked.state === 'failed' && isUsedUp(checked.failure)
  const account = checked.state === 'ready' ? checked.data : undefined
  const invitation = account?.invitation
  return (
    <LoginFrame
      heading={invitation ? t('invitation.heading') : t('login.change.heading')}
      lead={isDead || invitation ? undefined : t('login.change.lead')}
      foot={<a href={pathTo('login.signin')}>{t('login.reset.back')}</a>}
    >
      <div role="alert">
        {isDead && (
          <Message kind="bad">
            <p>{t('errors.reset_code_invalid')}</p>
            <p>
              <a href={pathTo('login.reset')}>{t('login.change.newLink')}</a>
            </p>
          </Message>
        )}
      </div>
      {!isDead && member && member.id !== id && (
        <Message kind="note">
          <p>{t('login.change.otherAccount', { email: member.email })}</p>
        </Message>
      )}
      {invitation && <InvitationNote {...invitation} />}
      {!isDead && <PasswordFields link={link} account={account} />}
    </LoginFrame>
  )
}

type Checked = OutputOf<typeof checkPasswordReset>

const levelRights = {
  news: 'manageNews',
  employee: 'manageEmployee',
  finance: 'manageFinance',
  coins: 'manageCoins',
} as const
const areas = Object.keys(levelRights) as (keyof typeof levelRights)[]

/** Who invited the reader to the staff, and the rights that the password grants. */
function InvitationNote({ by, isWriteAccessAdmin, ...levels }: NonNullable<Checked['invitation']>) {
  const { t, language } = useMessages()
  return (
    <Message kind="note">
      <p>{t('invitation.text', { name: staffName(by, language) })}</p>
      <ul>
        {isWriteAccessAdmin && <li>{t('invitation.right.admin')}</li>}
        {areas.map((area) => {
          const level = levels[levelRights[area]]
          return level > 0 && <li key={area}>{t(`invitation.right.${area}.${level as 1 | 2}`)}</li>
        })}
      </ul>
      <p>{t('invitation.next')}</p>
    </Message>
  )
}

/** Different entries cause an error; they do not disable the button. */
function PasswordFields({
  link,
  account,
}: {
  link: { id: string; pwdresetcode: string }
  account: Checked | undefined
}) {
  const { t } = useMessages()
  const min = account?.passwordLengthMin ?? passwordLengthMin
  const ofAccount = newPassword.check(atLeast(min))
  const passwords = z.object({ passwd: ofAccount, repeat: ofAccount })
  const changeForm = useContractForm({
    schema: passwords.check(sameAs('passwd', 'repeat')),
    sendable: passwords,
    labels: { passwd: 'login.change.new.label', repeat: 'login.change.repeat.label' },
    submit: async ({ passwd }) => {
      await call(executePasswordReset, { body: { ...link, passwd } })
      // A signed-in member, perhaps with another account, could not open the sign-in page that follows.
      if (currentSession().state === 'signedIn') await endSession().catch(clearAfterSignOut)
      if (account) passEmailOn(account.email)
      window.alert(t('login.change.success'))
      // Colleagues set up a second factor next. That page asks them to sign in and then opens.
      if (account?.invitation) await navigate(pathTo('account.security'))
      else await navigate(pathTo('login.signin'), { notice: 'login.change.success' })
    },
  })
  const explain = (failure: CallFailed) =>
    isUsedUp(failure) && (
      <>
        {failure.message} <a href={pathTo('login.reset')}>{t('login.change.newLink')}</a>
      </>
    )
  return (
    <FormFrame
      of={changeForm}
      submitLabel={t(account?.invitation ? 'invitation.submit' : 'login.change.submit')}
      busyLabel={t(account?.invitation ? 'invitation.busy' : 'login.change.busy')}
      isButtonWide
      isErrorCentered
      explain={explain}
    >
      {/* Tells password managers which account to store the new password for. */}
      {account && (
        <input type="text" name="username" autoComplete="username" value={account.email} readOnly hidden />
      )}
      <FormPassword
        of={changeForm}
        name="passwd"
        autoComplete="new-password"
        deps={['repeat']}
        help={<PasswordAdvice password={changeForm.values.passwd} min={min} />}
      />
      <FormPassword of={changeForm} name="repeat" autoComplete="new-password" />
    </FormFrame>
  )
}

export default page({ View: ChangePasswordView })
