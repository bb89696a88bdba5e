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

/** Explains the effect and asks for the refund address, which is the only input needed. */
export function WithdrawDialog(props: Props) {
  const { order, right, onDone, onClose } = props
  const { t } = useMessages()
  const { refundChain } = right
  const { address, setAddress, note, setNote, problemOf, request, showFailure } = useWithdrawalRequest(props)
  return (
    <ConfirmDialog
      title={t('withdrawals.ask.title', { reference: order.reference })}
      label={t('withdrawals.ask.confirm')}
      kind="danger"
      dismissLabel={t('withdrawals.ask.keep')}
      step={request}
      onFailure={showFailure}
      onDone={() => {
        showNotice(t('withdrawals.ask.done'), 'success')
        onDone()
      }}
      onClose={onClose}
    >
      <p>{t('withdrawals.ask.text')}</p>
      {order.status === 'completed' && <p>{t('withdrawals.ask.tokens')}</p>}
      {refundChain === null && <p>{t('withdrawals.ask.account')}</p>}
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
