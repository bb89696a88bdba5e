import { listContentReleases, type ContentRelease } from '#contract/publishing/console-content.ts'
import { useState } from 'react'
import { useAction } from '../../../kernel/actions/use-action.ts'
import { callPage } from '../../../kernel/call/call.ts'
import { useMessages } from '../../../kernel/i18n/messages.tsx'
import { staffName } from '../../../kernel/i18n/staff-name.ts'
import { Button } from '../../../kernel/ui/button.tsx'
import { FormStatus } from '../../../kernel/ui/form-status.tsx'
import { Tag } from '../../../kernel/ui/tag.tsx'
import { pathToItem } from '../item-address.ts'
import { useItemName } from '../item-labels.ts'
import { endedLabels, endingMessage } from './release-labels.ts'
import styles from './publish.module.css'

type Ended = { releases: readonly ContentRelease[]; next: string | undefined }

/** Releases that ended without being published, newest first. */
export async function loadEnded(after?: string): Promise<Ended> {
  const { rows, next } = await callPage(listContentReleases, {
    query: { state: 'dropped', limit: 10, ...(after !== undefined && { after }) },
  })
  return { releases: rows, next }
}

/** Unpublished releases, with who ended them and why. Authors of proposals can read the reason here. */
export function EndedReleases({ first }: { first: Ended }) {
  const { t } = useMessages()
  const [further, setFurther] = useState<Ended>()
  const { isBusy, error, run } = useAction()
  const releases = [...first.releases, ...(further?.releases ?? [])]
  const next = further ? further.next : first.next
  const more = () =>
    run(async () => {
      const found = await loadEnded(next)
      setFurther({ releases: [...(further?.releases ?? []), ...found.releases], next: found.next })
    })
  return (
    <details className={styles.fold}>
      <summary>
        <h2>{t('consoleContent.ended')}</h2>
      </summary>
      <ul className={styles.ended}>
        {releases.map((release) => (
          <EndedRelease key={release.id} release={release} />
        ))}
      </ul>
      {next !== undefined && (
        <Button kind="quiet" busy={isBusy} onClick={() => void more()}>
          {t('consoleContent.history.more')}
        </Button>
      )}
      <FormStatus error={error} />
    </details>
  )
}

function EndedRelease({ release: { pieces, state, by, at, ended } }: { release: ContentRelease }) {
  const { t, language, formatDateTime } = useMessages()
  const nameOfItem = useItemName()
  const nameOf = (person: typeof by) =>
    person ? staffName(person.name, language) : t('consoleContent.somebody')
  return (
    <li>
      <p className={styles.releaseHead}>
        {pieces.map((piece) => (
          <a key={piece} href={pathToItem(piece)}>
            {nameOfItem(piece)}
          </a>
        ))}
        <Tag colour="quiet">{t(endedLabels[state])}</Tag>
      </p>
      <p>{t('consoleContent.release.by', { name: nameOf(by), time: formatDateTime(at) })}</p>
      {ended && (
        <p>
          {t(endingMessage(state, ended), {
            name: nameOf(ended.by),
            time: formatDateTime(ended.at),
          })}
          {ended.cause && ` ${t(`consoleContent.ended.cause.${ended.cause}`)}`}
        </p>
      )}
      {ended && ended.reason !== '' && (
        <p>
          <strong>{t('consoleContent.release.reason')}</strong> <q>{ended.reason}</q>
        </p>
      )}
    </li>
  )
}
