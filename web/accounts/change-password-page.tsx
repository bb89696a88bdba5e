import * as z from 'zod/mini'
import { newPassword, passwordLengthMin } from '#contract/fields.ts'
import { executePasswordReset } from '#contract/members.ts'
import { call, type CallFailed } from '../call/call.ts'
import { FormFrame } from '../forms/form-frame.tsx'
import { FormPassword } from '../forms/form-input.tsx'
import { sameAs } from '../forms/repeated-password.ts'
import { useContractForm } from '../forms/use-contract-form.ts'
import { useWords } from '../i18n/words.tsx'
import { LoginFrame } from '../layout/login-frame.tsx'
import { page, type PageProps } from '../routes/page.ts'
import { navigate } from '../navigation/navigate.ts'
import { pathTo } from '../routes/routes.ts'
import { PasswordAdvice } from '../forms/password/password-advice.tsx'

const passwords = z.object({ passwd: newPassword, repeat: newPassword })
const equalPasswords = passwords.check(sameAs('passwd', 'repeat'))

/** Where the mailed link leads. If the two entries differ, an error says so; the button is not disabled for it. */
function ChangePasswordView({ params }: PageProps<unknown>) {
  const { t } = useWords()
  const changeForm = useContractForm({
    schema: equalPasswords,
    sendable: passwords,
    labels: { passwd: 'login.change.new.label', repeat: 'login.change.repeat.label' },
    submit: async ({ passwd }) => {
      const { id = '', code = '' } = params
      await call(executePasswordReset, { body: { id, pwdresetcode: code, passwd } })
      window.alert(t('login.change.success'))
      await navigate(pathTo('login.signin'), { notice: 'login.change.success' })
    },
  })
  const explain = (failure: CallFailed) =>
    failure.code === 'reset_code_invalid' && (
      <>
        {failure.message} <a href={pathTo('login.reset')}>{t('login.change.newLink')}</a>
      </>
    )
  return (
    <LoginFrame
      heading={t('login.change.heading')}
      lead={t('login.change.lead')}
      foot={<a href={pathTo('login.signin')}>{t('login.reset.back')}</a>}
    >
      <FormFrame
        of={changeForm}
        submitLabel={t('login.change.submit')}
        busyLabel={t('login.change.busy')}
        isButtonWide
        isErrorCentred
        explain={explain}
      >
        <FormPassword
          of={changeForm}
          name="passwd"
          autoComplete="new-password"
          deps={['repeat']}
          help={<PasswordAdvice password={changeForm.values.passwd} min={passwordLengthMin} />}
        />
        <FormPassword of={changeForm} name="repeat" autoComplete="new-password" />
      </FormFrame>
    </LoginFrame>
  )
}

export default page({ View: ChangePasswordView })
