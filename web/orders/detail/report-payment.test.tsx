// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { reportPayment, type Order } from '#contract/money/orders.ts'
import { missing, show, signedIn } from '#tests/setup/show.tsx'
import { answering, callsOf, refusing } from '#tests/setup/stub-api.ts'
import { wordsOf } from '#tests/setup/words.ts'
import { ReportPayment } from './report-payment.tsx'

const t = wordsOf('en')
const txId = 'ab'.repeat(32)
const order = { _id: '0198f0a0-0000-7000-8000-000000000003', txId: '' } as Order
const field = () => screen.getByLabelText(t('orders.txId'))
const submit = () => screen.getByRole('button', { name: t('orders.report.submit') })

async function report(of: Order = order) {
  await signedIn()
  const [onReported, onDisputed] = [vi.fn<() => void>(), vi.fn<() => void>()]
  const shown = show(<ReportPayment order={of} onReported={onReported} onDisputed={onDisputed} />)
  return { ...shown, onReported, onDisputed }
}

test('sends a pasted transaction on Enter, without its line breaks', async () => {
  answering(reportPayment, { ...order, txId })
  const { user } = await report()
  await user.click(field())
  await user.paste(`${txId.slice(0, 40)}\n${txId.slice(40)}`)
  expect(field()).toHaveValue(txId)
  await user.keyboard('{Enter}')
  await waitFor(() => expect(callsOf(reportPayment)).toMatchObject([{ body: { txId } }]))
})

test('reports a transaction once there is one', async () => {
  answering(reportPayment, { ...order, txId })
  const { user, onReported } = await report()
  expect(submit()).toHaveAccessibleDescription(missing(t, 'orders.txId'))
  await user.type(field(), txId)
  await user.click(submit())
  await waitFor(() => expect(onReported).toHaveBeenCalledOnce())
  expect(callsOf(reportPayment)).toMatchObject([{ params: { id: order._id }, body: { txId } }])
})

test('a reported transaction can be corrected', async () => {
  await report({ ...order, txId })
  expect(field()).toHaveValue(txId)
  expect(screen.getByText(t('orders.report.reported'))).toBeVisible()
  expect(screen.getByRole('button', { name: t('orders.report.correct') })).toBeEnabled()
})

test('an error from the server is shown at the field', async () => {
  const errors = [{ path: 'txId', code: 'tx_id' as const, message: 'Of another order.' }]
  refusing(reportPayment, 'validation_failed', { errors })
  const { user, onReported } = await report()
  await user.type(field(), txId)
  await user.click(submit())
  await waitFor(() => expect(field()).toHaveAccessibleDescription('Of another order.'))
  expect(field()).toHaveValue(txId)
  expect(onReported).not.toHaveBeenCalled()
})

test('a transaction of another order is reported at the field, although it is a conflict', async () => {
  const errors = [{ path: 'txId', code: 'tx_used' as const, message: 'Of another order.' }]
  refusing(reportPayment, 'conflict', { errors })
  const { user, onReported, onDisputed } = await report()
  await user.type(field(), txId)
  await user.click(submit())
  await waitFor(() => expect(field()).toHaveAccessibleDescription('Of another order.'))
  // The report is stored, so the page has an update to show.
  expect(onDisputed).toHaveBeenCalledOnce()
  expect(onReported).not.toHaveBeenCalled()
})

test('the payment of a cancelled order can be reported, and the form says that the order stays cancelled', async () => {
  answering(reportPayment, { ...order, txId })
  const { user, onReported } = await report({ ...order, status: 'cancelled' })
  expect(screen.getByText(t('orders.late.lead'))).toBeVisible()
  await user.type(field(), txId)
  await user.click(submit())
  await waitFor(() => expect(onReported).toHaveBeenCalledOnce())
})
