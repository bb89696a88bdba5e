import type { ReactNode } from 'react'
import * as z from 'zod/mini'
import { currentPassword } from '#contract/fields.ts'
import { factorCode } from '#contract/fields.ts'
import type { CallFailed } from '../../call/call.ts'
import { FormFrame } from '../../forms/form-frame.tsx'
import { FormCode } from '../../forms/form-code.tsx'
import { FormPassword } from '../../forms/form-input.tsx'
import { useContractForm } from '../../forms/use-contract-form.ts'
import { useMessages } from '../../i18n/messages.tsx'
import { useSession } from '../../session/session.ts'

const passwordGiven = z.object({ password: currentPassword })
const codeGiven = z.object({ code: factorCode })

export function PasswordProof({
  prove,
  beside,
}: {
  prove: (password: string) => Promise<void>
  beside: ReactNode
}) {
  const { t } = useMessages()
  const { member } = useSession()
  const proof = useContractForm({
    schema: passwordGiven,
    labels: { password: 'stepUp.password.label' },
    submit: ({ password }) => prove(password),
  })
  const explain = (failure: CallFailed) =>
    failure.code === 'credentials_invalid' ? t('stepUp.password.wrong') : undefined
  return (
    <FormFrame
      of={proof}
      startAt="password"
      submitLabel={t('stepUp.submit')}
      busyLabel={t('stepUp.busy')}
      explain={explain}
      beside={beside}
    >
      {/* Tells password managers which account to use. */}
      <input
        type="text"
        name="username"
        autoComplete="username"
        value={member?.email ?? ''}
        readOnly
        hidden
      />
      <FormPassword of={proof} name="password" autoComplete="current-password" />
    </FormFrame>
  )
}

export function CodeProof({
  hasTotp,
  prove,
  beside,
}: {
  hasTotp: boolean
  prove: (code: string) => Promise<void>
  beside: ReactNode
}) {
  const { t } = useMessages()
  const proof = useContractForm({
    schema: codeGiven,
    labels: { code: 'stepUp.code.label' },
    submit: ({ code }) => prove(code),
  })
  return (
    <FormFrame
      of={proof}
      startAt="code"
      submitLabel={t('stepUp.submit')}
      busyLabel={t('stepUp.busy')}
      beside={beside}
    >
      <FormCode of={proof} name="code" help={t(hasTotp ? 'stepUp.code.help' : 'stepUp.code.recoveryHelp')} />
    </FormFrame>
  )
}
