import type { OutputOf } from '#contract/platform/endpoint.ts'
import {
  endOwnSubscription,
  readOwnSubscription,
  saveOwnSubscription,
} from '#contract/publishing/newsletter.ts'
import { LoadFailed } from '../actions/load-failed.tsx'
import { useLoaded } from '../actions/use-loaded.ts'
import { call } from '../call/call.ts'
import { useMessages } from '../i18n/messages.tsx'
import { Loading } from '../ui/loading.tsx'
import { allCategories } from './choice-fields.tsx'
import { SubscriptionForm } from './subscription-form.tsx'
import styles from './news-choice.module.css'

type Own = OutputOf<typeof readOwnSubscription>

/** News by email to the address of the account. */
export function OwnNewsPart() {
  const { t } = useMessages()
  const loaded = useLoaded('own news', () => call(readOwnSubscription, {}))
  if (loaded.state === 'loading') return <Loading label={t('forms.loading')} />
  if (loaded.state === 'failed')
    return <LoadFailed title={t('newsletter.failed')} failure={loaded.failure} retry={loaded.retry} />
  return <OwnNews own={loaded.data} onChanged={loaded.setData} />
}

function OwnNews({ own, onChanged }: { own: Own; onChanged: (own: Own) => void }) {
  const { t, language, formatDate } = useMessages()
  const active = own.subscription?.state === 'active' ? own.subscription : undefined
  const offered = { language, categories: allCategories, rhythm: 'each' as const }
  return (
    <div className={styles.part}>
      <p>
        {active?.since
          ? t('newsletter.since', { address: active.address, date: formatDate(active.since) })
          : t(own.isProved ? 'newsletter.own.none' : 'newsletter.own.unproved')}
      </p>
      <SubscriptionForm
        key={active ? 'active' : 'none'}
        subscription={active ?? offered}
        digest={own.digest}
        saveLabel={active ? t('newsletter.save') : t('newsletter.subscribe')}
        saved={own.isProved ? t('newsletter.saved') : t('newsletter.own.asked')}
        save={async (choice) => onChanged(await call(saveOwnSubscription, { body: choice }))}
        {...(active && { leave: async () => onChanged(await call(endOwnSubscription, { body: null })) })}
      />
    </div>
  )
}
