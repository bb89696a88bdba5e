import { useState } from 'react'
import { getAppRecord } from '#contract/apps.ts'
import { flattenApp } from '#contract/flat-app.ts'
import { flattenSale, isBeyondPercent, rateChanges, saleOfFlat } from '#contract/flat-sale.ts'
import { levelOf } from '#contract/level-of.ts'
import { restoreSettingVersion } from '#contract/sale-proposals.ts'
import { getSaleSettings, type SaleSettings } from '#contract/sale.ts'
import { changesBetween, getSettingVersion, type SettingSubject } from '#contract/settings.ts'
import type { OutputOf } from '#contract/endpoint.ts'
import { LoadFailed } from '../../actions/load-failed.tsx'
import { useLoaded } from '../../actions/use-loaded.ts'
import { call } from '../../call/call.ts'
import { ConfirmDialog } from '../../forms/confirm-dialog.tsx'
import { useMessages } from '../../i18n/messages.tsx'
import { navigate } from '../../navigation/navigate.ts'
import { page } from '../../routes/page.ts'
import { pathTo } from '../../routes/routes.ts'
import { useSession } from '../../session/session.ts'
import { Button } from '../../ui/button.tsx'
import { Facts } from '../../ui/description-list.tsx'
import { Loading } from '../../ui/loading.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import { Tag } from '../../ui/tag.tsx'
import { loadAddressChanges } from './address-changes.ts'
import { ConfirmRates, isTyped, ratesIn, type TypedRates } from './confirm-rates.tsx'
import { ChangeList } from './change-list.tsx'
import { Who } from './sale-history-page.tsx'
import styles from './sale.module.css'
import { inOrder, useSettingLabels } from './setting-labels.ts'
import type { SavedSettings } from './use-settings-form.ts'

type Version = OutputOf<typeof getSettingVersion>
type Now = SavedSettings & Pick<SaleSettings, 'rateChangePercent' | 'rateReferences'>
type Held = { version: Version; now: Now }

async function readNow(subject: SettingSubject): Promise<Now> {
  if (subject === 'app') {
    const record = await call(getAppRecord, {})
    const { lastUpdated } = record
    return { flat: flattenApp(record), lastUpdated, rateChangePercent: 0, rateReferences: [] }
  }
  const settings = await call(getSaleSettings, {})
  const { lastUpdated, rateChangePercent, rateReferences } = settings
  return { flat: flattenSale(settings), lastUpdated, rateChangePercent, rateReferences }
}

/** One change of the settings: its differences, the full state after it, and a button to restore it. */
function SaleVersionView({ params }: { params: Record<string, string> }) {
  const { t, formatDateTime } = useMessages()
  const { member } = useSession()
  const id = params['id'] ?? ''
  const loaded = useLoaded<Held>(`setting version ${id}`, async () => {
    const version = await call(getSettingVersion, { params: { id } })
    return { version, now: await readNow(version.subject) }
  })
  if (loaded.state === 'loading')
    return (
      <>
        <PageHead heading={t('consoleSale.version')} />
        <Loading label={t('forms.loading')} />
      </>
    )
  if (loaded.state === 'failed')
    return (
      <>
        <PageHead heading={t('consoleSale.version')} />
        <LoadFailed
          title={t('consoleSale.version.failed')}
          failure={loaded.failure}
          retry={loaded.retry}
          alternative={<a href={pathTo('console.saleHistory')}>{t('consoleSale.allChanges')}</a>}
        />
      </>
    )
  const { version, now } = loaded.data
  return (
    <>
      <PageHead
        heading={t('consoleSale.version.at', { time: formatDateTime(version.at) })}
        lead={t(version.subject === 'sale' ? 'console.nav.sale' : 'console.nav.appRecord')}
        action={<a href={pathTo('console.saleHistory')}>{t('consoleSale.allChanges')}</a>}
      />
      <div className={styles.version}>
        <Facts
          facts={[
            { name: 'by', label: t('consoleSale.history.by'), value: <Who version={version} /> },
            ...(version.restoredId
              ? [
                  {
                    name: 'restored',
                    label: t('consoleSale.version.restored'),
                    value: (
                      <a href={pathTo('console.saleVersion', { id: version.restoredId })}>
                        {t('consoleSale.version.restored.link')}
                      </a>
                    ),
                  },
                ]
              : []),
          ]}
        />
        <section className={styles.part}>
          <h2>{t('consoleSale.history.changes')}</h2>
          <ChangeList changes={version.changes} />
        </section>
        <Restore version={version} now={now} mayWrite={member !== null && levelOf(member, 'coins') >= 2} />
        <State version={version} />
      </div>
    </>
  )
}

function Restore({ version, now, mayWrite }: Held & { mayWrite: boolean }) {
  const { t } = useMessages()
  const [isAsking, setAsking] = useState(false)
  const [typed, setTyped] = useState<TypedRates>({})
  const [isChecked, setChecked] = useState(false)
  const target = Object.fromEntries(version.state.map(({ path, value }) => [path, value]))
  const changes = changesBetween(now.flat, target)
  if (changes.length === 0)
    return (
      <p>
        <Tag colour="green">{t('consoleSale.version.current')}</Tag>
      </p>
    )
  if (!mayWrite) return null
  const jumps =
    version.subject === 'sale'
      ? rateChanges(saleOfFlat(now.flat), saleOfFlat(target), now.rateReferences).filter((each) =>
          isBeyondPercent(each, now.rateChangePercent),
        )
      : []
  return (
    <div className={styles.actions}>
      <Button kind="quiet" onClick={() => setAsking(true)}>
        {t('consoleSale.restore')}
      </Button>
      {isAsking && (
        <ConfirmDialog
          title={t('consoleSale.restore.title')}
          label={t('consoleSale.restore.now')}
          step={() => {
            setChecked(true)
            if (!jumps.every((each) => isTyped(each, typed))) return null
            return call(restoreSettingVersion, {
              params: { id: version.id },
              body: { lastUpdated: now.lastUpdated, ...ratesIn(jumps, typed) },
            })
          }}
          onDone={({ isProposed }) => {
            void loadAddressChanges()
            // Shown on arrival, because leaving a page clears its notices.
            void navigate(pathTo(version.subject === 'sale' ? 'console.sale' : 'console.appRecord'), {
              notice: isProposed ? 'consoleSale.proposed' : 'consoleSale.restore.done',
            })
          }}
          onClose={() => setAsking(false)}
        >
          <p>{t('consoleSale.restore.text')}</p>
          <ChangeList changes={changes} />
          <ConfirmRates changes={jumps} typed={typed} isChecked={isChecked} onTyped={setTyped} />
          {version.subject === 'sale' && <p>{t('consoleSale.ownPrice')}</p>}
        </ConfirmDialog>
      )}
    </div>
  )
}

function State({ version }: { version: Version }) {
  const { t } = useMessages()
  const { label, value } = useSettingLabels()
  return (
    <details className={styles.whole}>
      <summary>{t('consoleSale.version.whole')}</summary>
      <Facts
        facts={inOrder(version.state).map((each) => ({
          name: each.path,
          label: label(each.path),
          value: <span className={styles.value}>{value(each.path, each.value)}</span>,
        }))}
      />
    </details>
  )
}

export default page({ View: SaleVersionView })
