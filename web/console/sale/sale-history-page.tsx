import { settingVersions, type SettingVersion } from '#contract/people/settings.ts'
import { useMessages } from '../../kernel/i18n/messages.tsx'
import { pathTo } from '../../kernel/routes/routes.ts'
import { listPage } from '../list/list-page.tsx'
import type { ListSpec } from '../list/list-spec.ts'
import { ListTime } from '../list/list-time.tsx'
import { Who } from './change-list.tsx'
import styles from './sale.module.css'
import { inOrder, useSettingLabels } from './setting-labels.ts'

const list: ListSpec<typeof settingVersions> = {
  resource: settingVersions,
  route: 'console.saleHistory',
  nameOf: ({ at }) => at,
  columns: [
    {
      name: 'at',
      heading: 'consoleSale.history.at',
      sort: 'at',
      cell: (version) => <VersionLink version={version} />,
    },
    { name: 'by', heading: 'consoleSale.history.by', cell: (version) => <Who version={version} /> },
    {
      name: 'subject',
      heading: 'consoleSale.history.subject',
      cell: ({ subject }) => <Subject subject={subject} />,
    },
    {
      name: 'changes',
      heading: 'consoleSale.history.changes',
      cell: (version) => <Summary version={version} />,
    },
  ],
  filters: {
    field: {
      label: 'consoleSale.history.field',
      kind: 'choice',
      options: [
        { value: 'rate', label: 'consoleSale.method.rate' },
        { value: 'receivingAddress', label: 'consoleSale.method.receivingAddress' },
        { value: 'limits', label: 'consoleSale.history.limits' },
        { value: 'open', label: 'consoleSale.history.open' },
        { value: 'window', label: 'consoleSale.history.window' },
        { value: 'caps', label: 'consoleSale.history.caps' },
        { value: 'quoteMinutes', label: 'consoleSale.quoteMinutes' },
      ],
    },
    method: { label: 'consoleSale.history.method', kind: 'text' },
    from: { label: 'consoleSale.history.from', kind: 'day' },
    to: { label: 'consoleSale.history.to', kind: 'day' },
    subject: {
      label: 'consoleSale.history.subject',
      kind: 'choice',
      options: [
        { value: 'sale', label: 'console.nav.sale' },
        { value: 'app', label: 'console.nav.appRecord' },
      ],
    },
  },
  none: { title: 'consoleSale.history.none', help: 'consoleSale.history.none.help' },
}

function VersionLink({ version: { id, at } }: { version: SettingVersion }) {
  return (
    <a href={pathTo('console.saleVersion', { id })}>
      <ListTime at={at} />
    </a>
  )
}

function Subject({ subject }: { subject: SettingVersion['subject'] }) {
  const { t } = useMessages()
  return t(subject === 'sale' ? 'console.nav.sale' : 'console.nav.appRecord')
}

const shownMax = 3

function Summary({ version: { changes, restoredId, rounds } }: { version: SettingVersion }) {
  const { t } = useMessages()
  const { label, value } = useSettingLabels({ rounds })
  const visible = inOrder(changes).slice(0, shownMax)
  const rest = changes.length - visible.length
  return (
    <ul className={styles.summary}>
      {restoredId && <li className={styles.sign}>{t('consoleSale.history.restored')}</li>}
      {changes.length === 0 && <li>{t('consoleSale.history.first')}</li>}
      {visible.map(({ path, from, to }) => (
        <li key={path}>
          {t('consoleSale.history.change', {
            label: label(path),
            from: value(path, from),
            to: value(path, to),
          })}
        </li>
      ))}
      {rest > 0 && <li className={styles.sign}>{t('consoleSale.history.more', { count: rest })}</li>}
    </ul>
  )
}

export default listPage({ list, lead: 'consoleSale.history.lead' })
