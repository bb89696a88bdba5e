import { useState } from 'react'
import * as z from 'zod/mini'
import { setTokenAddress } from '#contract/money/orders.ts'
import type { OrderDeliveries } from '#contract/money/deliveries.ts'
import { call } from '../../kernel/call/call.ts'
import { requiredAddressOn } from '../../kernel/forms/chain-address.ts'
import { FormFrame } from '../../kernel/forms/form-frame.tsx'
import { FormLongText } from '../../kernel/forms/long-text.tsx'
import { useContractForm } from '../../kernel/forms/use-contract-form.ts'
import { formatMoment } from '../../kernel/i18n/format-moment.ts'
import { useMessages } from '../../kernel/i18n/messages.tsx'
import { showNotice } from '../../kernel/notices/notices.ts'
import { Button } from '../../kernel/ui/button.tsx'
import { Message } from '../../kernel/ui/form-status.tsx'
import { tokenAddressHelp } from '../placing/quote-form.tsx'
import { Line } from './delivery-steps.tsx'
import styles from './delivery.module.css'

type Props = { of: OrderDeliveries; onChanged: () => void }

/** The receiving address, until when nothing is sent to a new one, and the form that replaces it. */
export function ReceivingAddress({ of, onChanged }: Props) {
  const { t, language } = useMessages()
  const [isChanging, setChanging] = useState(false)
  if (of.address === '') return null
  return (
    <div className={styles.address}>
      <Line label={t('deliveries.address')}>{of.address}</Line>
      {of.addressUsableFrom !== null && (
        <Message kind="note">
          <p>{t('deliveries.address.cooling', { time: formatMoment(of.addressUsableFrom, language) })}</p>
        </Message>
      )}
      {of.canChangeAddress && !isChanging && (
        <p className={styles.onScreen}>
          <Button kind="quiet" onClick={() => setChanging(true)}>
            {t('deliveries.address.change')}
          </Button>
        </p>
      )}
      {isChanging && (
        <AddressForm
          of={of}
          onDismiss={() => setChanging(false)}
          onChanged={() => {
            setChanging(false)
            onChanged()
          }}
        />
      )}
    </div>
  )
}

const address = z.object({ fabAddress: requiredAddressOn('token') })

function AddressForm({ of, onChanged, onDismiss }: Props & { onDismiss: () => void }) {
  const { t, language } = useMessages()
  const form = useContractForm({
    schema: address,
    labels: { fabAddress: 'deliveries.address.new' },
    defaultValues: { fabAddress: '' },
    submit: async (body) => {
      await call(setTokenAddress, { params: { id: of.orderId }, body })
      showNotice(t('deliveries.address.done'), 'success')
      onChanged()
    },
  })
  return (
    <div className={`${styles.form} ${styles.onScreen}`}>
      <p>{t('deliveries.address.lead')}</p>
      <FormFrame
        of={form}
        submitLabel={t('deliveries.address.submit')}
        busyLabel={t('deliveries.address.busy')}
        label={t('deliveries.address.change')}
        startAt="fabAddress"
        beside={
          <Button kind="quiet" onClick={onDismiss}>
            {t('forms.cancel')}
          </Button>
        }
      >
        <FormLongText of={form} name="fabAddress" help={tokenAddressHelp({ t, language }, true)} />
      </FormFrame>
    </div>
  )
}
