import { useState } from 'react'
import * as z from 'zod/mini'
import {
  atLeast,
  currentPassword,
  newPassword,
  passwordLengthMin,
  staffPasswordLengthMin,
} from '#contract/platform/fields.ts'
import { changePassword } from '#contract/people/members.ts'
import { call, type CallFailed } from '../../kernel/call/call.ts'
import { FormFrame } from '../../kernel/forms/form-frame.tsx'
import { FormPassword } from '../../kernel/forms/form-input.tsx'
import { sameAs } from '../../kernel/forms/repeated-password.ts'
import { useContractForm } from '../../kernel/forms/use-contract-form.ts'
import { useMessages } from '../../kernel/i18n/messages.tsx'
import { showNotice } from '../../kernel/notices/notices.ts'
import { restoreSession } from '../../kernel/session/keep-session.ts'
import { currentSession } from '../../kernel/session/session.ts'
import { PasswordAdvice } from '../../kernel/forms/password/password-advice.tsx'
import styles from './security.module.css'

const passwords = z.object({ current: currentPassword, passwd: newPassword, repeat: newPassword })
const staffPassword = newPassword.check(atLeast(staffPasswordLengthMin))
const staffPasswords = z.object({ current: currentPassword, passwd: staffPassword, repeat: staffPassword })

/** Changes the member's own password. If the repetition differs, the form shows an error and sends nothing. */
export function PasswordForm({ email, isStaff }: { email: string; isStaff: boolean }) {
  const [round, setRound] = useState(0)
  // After a successful change the form is remounted: empty, with no field touched.
  return <Fields key={round} email={email} isStaff={isStaff} onChanged={() => setRound(round + 1)} />
}

function Fields({ email, isStaff, onChanged }: { email: string; isStaff: boolean; onChanged: () => void }) {
  const { t } = useMessages()
  const sendable = isStaff ? staffPasswords : passwords
  const min = isStaff ? staffPasswordLengthMin : passwordLengthMin
  const passwordForm = useContractForm({
    schema: sendable.check(sameAs('passwd', 'repeat')),
    sendable,
    labels: {
      current: 'security.password.current',
      passwd: 'login.change.new.label',
      repeat: 'login.change.repeat.label',
    },
    submit: async ({ current, passwd }) => {
      await call(changePassword, { body: { current, passwd } })
      showNotice(t('security.password.done'), 'success')
      // Rights may have been pending until the password was changed.
      if (currentSession().member?.waitingRights) await restoreSession()
      onChanged()
    },
  })
  const explain = (failure: CallFailed) =>
    failure.code === 'credentials_invalid' ? t('security.password.wrong') : undefined
  return (
    <div className={styles.narrow}>
      <FormFrame
        of={passwordForm}
        submitLabel={t('login.change.submit')}
        busyLabel={t('login.change.busy')}
        explain={explain}
      >
        {/* Tells password managers which account to store the new password for. */}
        <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
        <FormPassword of={passwordForm} name="current" autoComplete="current-password" />
        <FormPassword
          of={passwordForm}
          name="passwd"
          autoComplete="new-password"
          deps={['repeat']}
          help={<PasswordAdvice password={passwordForm.values.passwd} min={min} known={[email]} />}
        />
        <FormPassword of={passwordForm} name="repeat" autoComplete="new-password" />
      </FormFrame>
    </div>
  )
}
