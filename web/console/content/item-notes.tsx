import { useMessages } from '../../i18n/messages.tsx'
import { TextButton } from '../../ui/button.tsx'
import { Message } from '../../ui/form-status.tsx'
import styles from './content.module.css'
import { placeLabel } from './facts/field-labels.ts'
import type { Draft } from './use-draft.ts'

/** What an editor should know before editing an item. */
export function ItemNotes({ draft, isWriter }: { draft: Draft; isWriter: boolean }) {
  const { t, formatDateTime } = useMessages()
  const { piece, isDirty, isRestored } = draft
  const { waiting, outdated, isLeftOut, legal, hasDraft, changedBy, changedAt } = piece
  return (
    <div className={styles.notes}>
      {hasDraft && changedAt && (
        <p className={styles.sign}>
          {t('consoleContent.draftBy', {
            name: changedBy?.name || t('consoleContent.somebody'),
            time: formatDateTime(changedAt),
          })}
        </p>
      )}
      {!isWriter && <p>{t('consoleContent.readOnly')}</p>}
      {isRestored && isDirty && (
        <Message kind="note" role="status">
          <p>
            {t('consoleContent.restored')}{' '}
            <TextButton onClick={draft.clearInput}>{t('consoleContent.restored.drop')}</TextButton>
          </p>
        </Message>
      )}
      {isLeftOut && (
        <Message kind="bad">
          <p>{t('consoleContent.leftOut')}</p>
        </Message>
      )}
      {outdated.length > 0 && <OutdatedPlaces piece={piece.piece} places={outdated} />}
      {waiting && isWriter && (
        <Message kind="note">
          <p>
            {t(
              waiting.state === 'scheduled'
                ? 'consoleContent.scheduled.locked'
                : 'consoleContent.proposed.ends',
            )}
          </p>
        </Message>
      )}
      {legal && (
        <Message kind="note">
          <p>
            <strong>
              {t('consoleContent.legal.versions', { terms: legal.terms, privacy: legal.privacy })}
            </strong>
          </p>
          <p>{t('consoleContent.legal.text')}</p>
        </Message>
      )}
    </div>
  )
}

/** The maximum number of places listed. */
const outdatedMax = 10

function OutdatedPlaces({ piece, places }: { piece: string; places: readonly string[] }) {
  const { t } = useMessages()
  return (
    <Message kind="note">
      <p>{t('consoleContent.outdated', { count: places.length })}</p>
      <ul className={styles.places}>
        {places.slice(0, outdatedMax).map((place) => (
          <li key={place}>{placeLabel(t, piece, place)}</li>
        ))}
      </ul>
    </Message>
  )
}
