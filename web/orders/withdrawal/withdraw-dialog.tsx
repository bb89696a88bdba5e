import { useState } from 'react'
import type { FieldError } from '#contract/errors.ts'
import type { Order } from '#contract/orders.ts'
import { requestWithdrawal, type WithdrawalRight } from '#contract/withdrawals.ts'
import { call, CallFailed } from '../../call/call.ts'
import { addressProblemOn } from '../../forms/chain-address.ts'
import { ConfirmDialog } from '../../forms/confirm-dialog.tsx'
import { boundsOf } from '../../forms/field-bounds.ts'
import { problemMessage } from '../../forms/problem-message.ts'
import { useMessages, type UsedMessages } from '../../i18n/messages.tsx'
import { showNotice } from '../../notices/notices.ts'
import { TextArea, TextField } from '../../ui/field.tsx'
import styles from './withdrawal.module.css'

const { refundAddress: addressField, note: noteField } = requestWithdrawal.body.shape

type Props = { order: Order; right: WithdrawalRight; onDone: () => void; onClose: () => void }

/** The input of the dialog, and how it is sent. */
function useWithdrawalRequest({ order, right, onDone, onClose }: Props) {
  const { t } = useMessages()
  const [address, setAddress] = useState('')
  const [note, setNote] = useState('')
  const [problems, setProblems] = useState<readonly FieldError[]>([])
  const { refundChain } = right
  const problemOf = (path: string) => problems.find((each) => each.path === path)?.message

  function request() {
    const message = refundChain === null ? null : addressProblem(t, refundChain, address)
    setProblems(message === null ? [] : [{ path: 'refundAddress', code: 'address', message }])
    if (message !== null) return null
    const refundAddress = address.trim()
    return call(requestWithdrawal, {
      params: { id: order._id },
      body: { ...(refundAddress && { refundAddress }), ...(note.trim() && { note: note.trim() }) },
    })
  }
  function showFailure(failure: unknown): boolean {
    if (!(failure instanceof CallFailed)) return false
    if (failure.code === 'conflict' || failure.code === 'not_found') {
      onClose()
      showNotice(t('withdrawals.ask.late'), 'error')
      onDone()
      return true
    }
    setProblems(failure.errors)
    return failure.errors.some(({ path }) => path === 'refundAddress' || path === 'note')
  }
  return { address, setAddress, note, setNote, problemOf, request, showFailure }
}

/** What the dialog says: the member withdraws, or replaces the address of a refund that finance started. */
const wordsOf = ({ withdrawal }: WithdrawalRight) =>
  withdrawal
    ? ({
        title: 'withdrawals.address.title',
        confirm: 'withdrawals.address.confirm',
        dismiss: 'forms.cancel',
        text: 'withdrawals.address.text',
        account: 'withdrawals.address.account',
        done: 'withdrawals.address.done',
      } as const)
    : ({
        title: 'withdrawals.ask.title',
        confirm: 'withdrawals.ask.confirm',
        dismiss: 'withdrawals.ask.keep',
        text: 'withdrawals.ask.text',
        account: 'withdrawals.ask.account',
        done: 'withdrawals.ask.done',
      } as const)

/** Explains the effect and asks for the refund address, which is the only input needed. */
export function WithdrawDialog(props: Props) {
  const { order, right, onDone, onClose } = props
  const { t } = useMessages()
  const { refundChain } = right
  const words = wordsOf(right)
  const { address, setAddress, note, setNote, problemOf, request, showFailure } = useWithdrawalRequest(props)
  return (
    <ConfirmDialog
      title={t(words.title, { reference: order.reference })}
      label={t(words.confirm)}
      kind={right.withdrawal ? 'primary' : 'danger'}
      dismissLabel={t(words.dismiss)}
      step={request}
      onFailure={showFailure}
      onDone={() => {
        showNotice(t(words.done), 'success')
        onDone()
      }}
      onClose={onClose}
    >
      <p>{t(words.text)}</p>
      {order.status === 'completed' && <p>{t('withdrawals.ask.tokens')}</p>}
      {refundChain === null && <p>{t(words.account)}</p>}
      <div className={styles.fields}>
        {refundChain !== null && (
          <TextField
            label={t('withdrawals.ask.address')}
            help={t('withdrawals.ask.address.help', { coin: order.currency })}
            autoComplete="off"
            autoCapitalize="none"
            autoCorrect="off"
            spellCheck={false}
            required
            maxLength={boundsOf(addressField).maxLength}
            error={problemOf('refundAddress')}
            value={address}
            onChange={({ target }) => setAddress(target.value)}
          />
        )}
        <TextArea
          label={t('withdrawals.ask.note')}
          help={t('withdrawals.ask.note.help')}
          rows={2}
          maxLength={boundsOf(noteField).maxLength}
          error={problemOf('note')}
          value={note}
          onChange={({ target }) => setNote(target.value.replaceAll(/\s*\n\s*/g, ' '))}
        />
      </div>
    </ConfirmDialog>
  )
}

function addressProblem(
  t: UsedMessages['t'],
  chain: NonNullable<WithdrawalRight['refundChain']>,
  address: string,
): string | null {
  if (!address.trim()) return problemMessage(t, 'required')
  const problem = chain === 'other' ? undefined : addressProblemOn(chain, address)
  return problem ? problemMessage(t, problem) : null
}
