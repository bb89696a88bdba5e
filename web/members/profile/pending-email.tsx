import * as z from 'zod/mini'
import { mailedCode } from '#contract/fields.ts'
import { confirmEmail, type User } from '#contract/members.ts'
import { call } from '../../call.ts'
import { FormFrame } from '../../forms/form-frame.tsx'
import { FormInput } from '../../forms/form-input.tsx'
import { useContractForm } from '../../forms/use-contract-form.ts'
import { useWords } from '../../i18n/words.tsx'

const confirmation = z.object({ code: mailedCode })

/** A new e-mail address that waits for the code mailed to it. */
export function PendingEmail({ email, onConfirmed }: { email: string; onConfirmed: (user: User) => void }) {
  const { t } = useWords()
  const codeForm = useContractForm({
    schema: confirmation,
    labels: { code: 'account.pendingEmail.code' },
    submit: async (body) => onConfirmed(await call(confirmEmail, { body })),
  })
  return (
    <>
      <p>
        <strong>{t('account.pendingEmail.heading')}</strong>
      </p>
      <p>{t('account.pendingEmail.text', { email })}</p>
      <FormFrame
        of={codeForm}
        submitLabel={t('account.pendingEmail.submit')}
        busyLabel={t('account.pendingEmail.busy')}
      >
        <FormInput
          of={codeForm}
          name="code"
          autoComplete="one-time-code"
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
        />
      </FormFrame>
    </>
  )
}
