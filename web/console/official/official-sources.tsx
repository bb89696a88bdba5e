import { listOfficialSources } from '#contract/console-official.ts'
import type { OutputOf } from '#contract/endpoint.ts'
import { NotLoaded } from '../../actions/not-loaded.tsx'
import { useLoaded } from '../../actions/use-loaded.ts'
import { call } from '../../call/call.ts'
import { useMessages } from '../../i18n/messages.tsx'
import { PagePart } from '../../ui/page-head.tsx'
import { channelName } from '../../official/sign-labels.ts'
import styles from './official.module.css'

/** Official items that are not entries in the console. */
export function OfficialSources() {
  const { t } = useMessages()
  const loaded = useLoaded('sources', () => call(listOfficialSources, {}))
  return (
    <PagePart id="sources" heading={t('consoleOfficial.sources')} lead={t('consoleOfficial.sources.lead')}>
      {loaded.state !== 'ready' && <NotLoaded of={loaded} title={t('consoleOfficial.sources.failed')} />}
      {loaded.state === 'ready' && (
        <>
          <Sources entries={loaded.data.filter(({ role }) => role !== 'added' && role !== 'document')} />
          <details className={styles.documents}>
            <summary>{t('consoleOfficial.sources.documents')}</summary>
            <Sources entries={loaded.data.filter(({ role }) => role === 'document')} />
          </details>
        </>
      )}
    </PagePart>
  )
}

function Sources({ entries }: { entries: OutputOf<typeof listOfficialSources> }) {
  const { t } = useMessages()
  return (
    <ul className={styles.sources}>
      {entries.map(({ role, kind, name, value }) => (
        <li key={`${kind} ${name} ${value}`}>
          <span>
            {t(`consoleOfficial.role.${role}`)}
            {name && ` · ${channelName(t, name)}`}
          </span>
          {value === '' ? (
            <span>{t('consoleOfficial.sources.hidden')}</span>
          ) : (
            <code className={styles.value}>{value}</code>
          )}
        </li>
      ))}
    </ul>
  )
}
