import { useState } from 'react'
import { approvePayout, type PayoutDetail } from '#contract/money/payouts.ts'
import { call, CallFailed } from '../../kernel/call/call.ts'
import { boundsOf } from '../../kernel/forms/field-bounds.ts'
import { ConfirmDialog } from '../../kernel/forms/confirm-dialog.tsx'
import { LongTextField } from '../../kernel/forms/long-text.tsx'
import { useMessages } from '../../kernel/i18n/messages.tsx'
import { Amount } from '../amount.tsx'
import { LabeledFacts } from '../detail/labeled-facts.tsx'
import type { DialogTools } from '../detail/detail-actions.tsx'

type Props = DialogTools<PayoutDetail> & { run: PayoutDetail }

/** Without spaces and line breaks, as the hash may be read out or copied in groups. */
const withoutSpaces = (typed: string): string => typed.replaceAll(/\s+/g, '').toLowerCase()

/** The second officer enters the hash that the first one sees. It isn't filled in, so that no one approves unseen. */
export function ApproveDialog({ run: { id, number, items, total }, finish, onFailure, onClose }: Props) {
  const { t } = useMessages()
  const [typed, setTyped] = useState('')
  const [problem, setProblem] = useState<string>()
  const hash = withoutSpaces(typed)
  return (
    <ConfirmDialog
      title={t('consolePayouts.approve.title', { number })}
      label={t('consolePayouts.approve.confirm')}
      step={() => {
        setProblem(hash === '' ? t('field.required') : undefined)
        return hash === '' ? null : call(approvePayout, { params: { id }, body: { hash } })
      }}
      onDone={finish(t('consolePayouts.approve.done'))}
      onFailure={(failure) => {
        const isOther =
          failure instanceof CallFailed &&
          failure.errors.some(({ path, code }) => path === 'hash' && code === 'mismatch')
        if (isOther) setProblem(t('consolePayouts.approve.mismatch'))
        return isOther || onFailure(failure)
      }}
      onClose={onClose}
    >
      <p>{t('consolePayouts.approve.text')}</p>
      <LabeledFacts
        facts={{
          'consolePayouts.total': <Amount value={total} />,
          'consolePayouts.items': <Amount value={items} />,
        }}
      />
      <LongTextField
        label={t('consolePayouts.hash')}
        help={t('consolePayouts.approve.help')}
        error={problem}
        maxLength={boundsOf(approvePayout.body.shape.hash).maxLength}
        value={typed}
        onChange={({ target }) => {
          setTyped(target.value)
          setProblem(undefined)
        }}
      />
    </ConfirmDialog>
  )
}
