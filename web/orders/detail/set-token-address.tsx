import * as z from 'zod/mini'
import { setTokenAddress, type Order } from '#contract/orders.ts'
import { call } from '../../call/call.ts'
import { requiredAddressOn } from '../../forms/chain-address.ts'
import { FormFrame } from '../../forms/form-frame.tsx'
import { FormInput } from '../../forms/form-input.tsx'
import { useContractForm } from '../../forms/use-contract-form.ts'
import { useMessages } from '../../i18n/messages.tsx'
import { showNotice } from '../../notices/notices.ts'
import { PagePart } from '../../ui/page-head.tsx'
import { tokenAddressHelp } from '../placing/quote-form.tsx'
import styles from './order-detail.module.css'

const address = z.object({ fabAddress: requiredAddressOn('token') })

/** Asks for the token address of an order that has none. */
export function SetTokenAddress({ order, onGiven }: { order: Order; onGiven: () => void }) {
  const { t, language } = useMessages()
  const addressForm = useContractForm({
    schema: address,
    labels: { fabAddress: 'orders.fabAddress' },
    defaultValues: { fabAddress: '' },
    submit: async (body) => {
      await call(setTokenAddress, { params: { id: order._id }, body })
      showNotice(t('orders.address.done'), 'success')
      onGiven()
    },
  })
  return (
    <div className={styles.onScreen}>
      <PagePart id="give-address" heading={t('orders.address.heading')}>
        <div className={styles.report}>
          <p>{t('orders.address.lead')}</p>
          <FormFrame
            of={addressForm}
            submitLabel={t('orders.address.submit')}
            busyLabel={t('orders.address.busy')}
            label={t('orders.address.heading')}
          >
            <FormInput
              of={addressForm}
              name="fabAddress"
              autoComplete="off"
              autoCapitalize="none"
              autoCorrect="off"
              spellCheck={false}
              help={tokenAddressHelp({ t, language })}
            />
          </FormFrame>
        </div>
      </PagePart>
    </div>
  )
}
