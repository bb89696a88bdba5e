import { useState } from 'react'
import { TextDifferences } from '../../announcements/compare/text-differences.tsx'
import { useAction } from '../../actions/use-action.ts'
import { ConflictNotice } from '../../forms/conflict-notice.tsx'
import { useMessages } from '../../i18n/messages.tsx'
import { Button } from '../../ui/button.tsx'
import { Radios } from '../../ui/field.tsx'
import { FormStatus } from '../../ui/form-status.tsx'
import styles from './content.module.css'
import { placeLabel } from './facts/field-labels.ts'
import type { Side } from './merge-values.ts'
import type { EditConflict } from './use-draft.ts'

const textOf = (value: unknown): string =>
  typeof value === 'string'
    ? value
    : value === undefined || value === null
      ? ''
      : JSON.stringify(value, null, 1)

/** The editor's input next to a colleague's concurrent changes in the same places. */
export function DraftConflict({
  piece,
  conflict,
  onChosen,
}: {
  piece: string
  conflict: EditConflict
  onChosen: (choices: Readonly<Record<string, Side>>) => Promise<unknown>
}) {
  const { t } = useMessages()
  const { isBusy, error, run } = useAction()
  const places = conflict.flatMap(({ their, places: own }) => own.map((each) => ({ ...each, their })))
  const [choices, setChoices] = useState<Readonly<Record<string, Side>>>(() =>
    Object.fromEntries(places.map(({ place }) => [place, 'mine'])),
  )
  return (
    <form
      className={styles.conflict}
      method="post"
      aria-label={t('consoleContent.clash')}
      onSubmit={(event) => {
        event.preventDefault()
        void run(() => onChosen(choices))
      }}
    >
      <ConflictNotice heading={t('consoleContent.clash')} text={t('consoleContent.clash.text')} />
      {places.map((each) => (
        <OnePlace
          key={each.place}
          piece={piece}
          clashing={each}
          choice={choices[each.place]}
          onChoice={(side) => setChoices({ ...choices, [each.place]: side })}
        />
      ))}
      <div className={styles.actions}>
        <Button type="submit" busy={isBusy}>
          {t('consoleContent.clash.goOn')}
        </Button>
      </div>
      <FormStatus error={error} />
    </form>
  )
}

function OnePlace({
  piece,
  clashing: { place, mine, theirs, their },
  choice,
  onChoice,
}: {
  piece: string
  clashing: EditConflict[number]['places'][number] & Pick<EditConflict[number], 'their'>
  choice: Side | undefined
  onChoice: (side: Side) => void
}) {
  const { t, formatDateTime } = useMessages()
  return (
    <fieldset>
      <legend>{placeLabel(t, piece, place)}</legend>
      <p className={styles.sign}>
        {t('consoleContent.clash.by', {
          name: their.by?.name || t('consoleContent.somebody'),
          time: formatDateTime(their.at),
        })}
      </p>
      <TextDifferences
        before={{ name: t('consoleContent.clash.theirs') }}
        after={{ name: t('consoleContent.clash.mine') }}
        differences={[{ key: place, label: '', from: textOf(theirs), to: textOf(mine) }]}
      />
      <Radios
        options={[
          { value: 'theirs', label: t('consoleContent.clash.takeTheirs') },
          { value: 'mine', label: t('consoleContent.clash.takeMine') },
        ]}
        chosen={choice}
        onChoose={onChoice}
      />
    </fieldset>
  )
}
