import { listAmbassadors } from '#contract/ambassador-profiles.ts'
import { useLoaded } from '../../actions/use-loaded.ts'
import { call } from '../../call/call.ts'
import { loadFacts } from '../../content/load-facts.ts'
import { useMessages } from '../../i18n/messages.tsx'
import type { Member } from '../../session/session.ts'
import { Message } from '../../ui/form-status.tsx'
import { pathToItem } from '../content/item-address.ts'
import { mayOpen } from '../can-access.ts'
import styles from './ambassador-profiles.module.css'

const file = 'facts/ambassadors.json'

/** Counts the samples in the content if there are also real ambassadors. */
async function countSamples(): Promise<number> {
  if ((await call(listAmbassadors, {})).length === 0) return 0
  const entries: readonly { note?: string }[] = (await loadFacts(file))[file]
  return entries.filter(({ note }) => note === 'sample').length
}

/** Samples are marked on the page. Editors remove them once there are real ambassadors. */
export function SamplesNote({ reader }: { reader: Member | null }) {
  const { t } = useMessages()
  const loaded = useLoaded('samples', countSamples)
  if (loaded.state !== 'ready' || loaded.data === 0) return null
  const mayEdit = mayOpen(reader, { needs: { level: 'news', atLeast: 2 } })
  return (
    <div className={styles.note}>
      <Message kind="note">
        <p>
          {t('consoleAmbassadorProfiles.samples', { count: loaded.data })}{' '}
          {mayEdit && <a href={pathToItem(file)}>{t('consoleAmbassadorProfiles.samples.go')}</a>}
        </p>
      </Message>
    </div>
  )
}
