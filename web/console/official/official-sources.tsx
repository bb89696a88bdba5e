import { listOfficialSources } from '#contract/console-official.ts'
import { LoadFailed } from '../../actions/load-failed.tsx'
import { useLoaded } from '../../actions/use-loaded.ts'
import { call } from '../../call/call.ts'
import { useWords } from '../../i18n/words.tsx'
import { Loading } from '../../ui/loading.tsx'
import { PagePart } from '../../ui/page-head.tsx'
import styles from './official.module.css'
import { roleWords } from './official-words.ts'

/** What is ours without an entry in the console. */
export function OfficialSources() {
  const { t } = useWords()
  const loaded = useLoaded('sources', () => call(listOfficialSources, {}))
  return (
    <PagePart id="sources" heading={t('consoleOfficial.sources')} lead={t('consoleOfficial.sources.lead')}>
      {loaded.state === 'loading' && <Loading label={t('forms.loading')} />}
      {loaded.state === 'failed' && (
        <LoadFailed
          title={t('consoleOfficial.sources.failed')}
          failure={loaded.failure}
          retry={loaded.retry}
        />
      )}
      {loaded.state === 'ready' && (
        <ul className={styles.sources}>
          {loaded.data
            .filter(({ role }) => role !== 'added')
            .map(({ role, kind, name, value }) => (
              <li key={`${kind} ${value}`}>
                <span>
                  {t(roleWords[role])}
                  {name && ` · ${name}`}
                </span>
                <code className={styles.value}>{value}</code>
              </li>
            ))}
        </ul>
      )}
    </PagePart>
  )
}
