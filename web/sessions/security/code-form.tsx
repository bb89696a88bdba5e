import * as z from 'zod/mini'
import { factorCode } from '#contract/fields.ts'
import type { CallFailed } from '../../call/call.ts'
import { FormFrame } from '../../forms/form-frame.tsx'
import { FormCode } from '../../forms/form-code.tsx'
import { useContractForm } from '../../forms/use-contract-form.ts'
import type { PlainKey } from '../../i18n/message-key.ts'
import { useMessages } from '../../i18n/messages.tsx'
import { Button } from '../../ui/button.tsx'

const codeGiven = z.object({ code: factorCode })

/** A code from the authenticator app, or a recovery code if `help` says so. */
export function CodeForm({
  submitLabel,
  help,
  send,
  onCancel,
}: {
  submitLabel: PlainKey
  help: PlainKey
  send: (code: string) => Promise<void>
  onCancel: () => void
}) {
  const { t } = useMessages()
  const codeForm = useContractForm({
    schema: codeGiven,
    labels: { code: 'login.factor.label' },
    submit: ({ code }) => send(code),
  })
  const explain = (failure: CallFailed) =>
    failure.code === 'code_invalid' ? t('login.factor.wrong') : undefined
  return (
    <FormFrame
      of={codeForm}
      submitLabel={t(submitLabel)}
      busyLabel={t('forms.sending')}
      explain={explain}
      beside={
        <Button kind="quiet" disabled={codeForm.isSending} onClick={onCancel}>
          {t('forms.cancel')}
        </Button>
      }
    >
      <FormCode of={codeForm} name="code" help={t(help)} />
    </FormFrame>
  )
}
