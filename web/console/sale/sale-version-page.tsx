import { useState } from 'react'
import { getAppRecord } from '#contract/people/apps.ts'
import { flattenApp } from '#contract/people/flat-app.ts'
import { flattenSale, nameRate, roundNamesIn, saleOfFlat } from '#contract/money/flat-sale.ts'
import { levelOf } from '#contract/people/level-of.ts'
import { restoreSettingVersion } from '#contract/money/sale-proposals.ts'
import { getSaleSettings, type SaleSettings } from '#contract/money/sale.ts'
import { changesBetween, getSettingVersion, type SettingSubject } from '#contract/people/settings.ts'
import type { OutputOf } from '#contract/platform/endpoint.ts'
import { call } from '../../kernel/call/call.ts'
import { ConfirmDialog } from '../../kernel/forms/confirm-dialog.tsx'
import { useMessages } from '../../kernel/i18n/messages.tsx'
import { navigate } from '../../kernel/navigation/navigate.ts'
import { pathTo } from '../../kernel/routes/routes.ts'
import { Button } from '../../kernel/ui/button.tsx'
import { Facts } from '../../kernel/ui/description-list.tsx'
import { Tag } from '../../kernel/ui/tag.tsx'
import { detailPage } from '../detail/detail-page.tsx'
import { LabeledFacts } from '../detail/labeled-facts.tsx'
import { loadAddressChanges } from './address-changes.ts'
import { ConfirmRates, isTyped, ratesIn, type TypedRates } from './confirm-rates.tsx'
import { ChangeList, Who } from './change-list.tsx'
import { jumpsBetween } from './sale-settings-form.tsx'
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

/** The state to restore. A state from before there were rounds leaves them as they are. */
function targetOf({ subject, state }: Version, now: Now['flat']): Now['flat'] {
  const flat = Object.fromEntries(state.map(({ path, value }) => [path, value]))
  return subject === 'sale' ? flattenSale({ ...saleOfFlat(now), ...saleOfFlat(flat) }) : flat
}

function Restore({ version, now, mayWrite }: Held & { mayWrite: boolean }) {
  const { t } = useMessages()
  const [isAsking, setAsking] = useState(false)
  const target = targetOf(version, now.flat)
  const changes = changesBetween(now.flat, target)
  if (changes.length === 0)
    return (
      <p>
        <Tag colour="green">{t('consoleSale.version.current')}</Tag>
      </p>
    )
  if (!mayWrite) return null
  return (
    <div className={styles.actions}>
      <Button kind="quiet" onClick={() => setAsking(true)}>
        {t('consoleSale.restore')}
      </Button>
      {isAsking && (
        <RestoreDialog
          version={version}
          now={now}
          target={target}
          changes={changes}
          onClose={() => setAsking(false)}
        />
      )}
    </div>
  )
}

type RestoreProps = Held & {
  target: Now['flat']
  changes: ReturnType<typeof changesBetween>
  onClose: () => void
}

function RestoreDialog({ version, now, target, changes, onClose }: RestoreProps) {
  const { t, language } = useMessages()
  const [typed, setTyped] = useState<TypedRates>({})
  const [isChecked, setChecked] = useState(false)
  const isSale = version.subject === 'sale'
  const jumps = isSale ? jumpsBetween(saleOfFlat(now.flat), saleOfFlat(target), now) : []
  return (
    <ConfirmDialog
      title={t('consoleSale.restore.title')}
      label={t('consoleSale.restore.now')}
      step={() => {
        setChecked(true)
        if (!jumps.every((each) => isTyped(each, typed))) return null
        return call(restoreSettingVersion, {
          params: { id: version.id },
          body: { lastUpdated: now.lastUpdated, ...ratesIn({ changes: jumps, typed }) },
        })
      }}
      onDone={({ isProposed }) => {
        void loadAddressChanges()
        // Shown on arrival, because leaving a page clears its notices.
        void navigate(pathTo(isSale ? 'console.sale' : 'console.appRecord'), {
          notice: isProposed ? 'consoleSale.proposed' : 'consoleSale.restore.done',
        })
      }}
      onClose={onClose}
    >
      <p>{t('consoleSale.restore.text')}</p>
      <ChangeList changes={changes} rounds={roundNamesIn(target, changes)} />
      <ConfirmRates
        changes={jumps}
        typed={typed}
        isChecked={isChecked}
        onTyped={setTyped}
        nameOf={(code) => nameRate(code, saleOfFlat(target), language)}
      />
      {isSale && <p>{t('consoleSale.ownPrice')}</p>}
    </ConfirmDialog>
  )
}

function State({ version }: { version: Version }) {
  const { t } = useMessages()
  const { label, value } = useSettingLabels(version)
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

/** One change of the settings: its differences, the full state after it, and a button to restore it. */
export default detailPage<Held>({
  route: 'console.saleVersion',
  back: 'consoleSale.allChanges',
  failed: 'consoleSale.version.failed',
  read: async (id) => {
    const version = await call(getSettingVersion, { params: { id } })
    return { version, now: await readNow(version.subject) }
  },
  mayAct: (reader) => levelOf(reader, 'coins') >= 2,
  title: ({ t, formatDateTime, record }) =>
    t('consoleSale.version.at', { time: formatDateTime(record.version.at) }),
  lead: ({ t, record }) =>
    t(record.version.subject === 'sale' ? 'console.nav.sale' : 'console.nav.appRecord'),
  below: ({ t, mayAct, record: { version, now } }) => (
    <div className={styles.version}>
      <LabeledFacts
        facts={{
          'consoleSale.history.by': <Who version={version} />,
          'consoleSale.version.restored': version.restoredId && (
            <a href={pathTo('console.saleVersion', { id: version.restoredId })}>
              {t('consoleSale.version.restored.link')}
            </a>
          ),
        }}
      />
      <section className={styles.part}>
        <h2>{t('consoleSale.history.changes')}</h2>
        <ChangeList changes={version.changes} rounds={version.rounds} />
      </section>
      <Restore version={version} now={now} mayWrite={mayAct} />
      <State version={version} />
    </div>
  ),
})
