import { useEffect, useRef, useState } from 'react'
import { TextDifferences } from '../../announcements/compare/text-differences.tsx'
import { useAction } from '../../actions/use-action.ts'
import { useWords } from '../../i18n/words.tsx'
import { Button } from '../../ui/button.tsx'
import { FormStatus, Message } from '../../ui/form-status.tsx'
import styles from './content.module.css'
import { placeWords } from './facts/field-words.ts'
import type { Side } from './merge-values.ts'
import type { Clash } from './use-draft.ts'

const textOf = (value: unknown): string =>
  typeof value === 'string'
    ? value
    : value === undefined || value === null
      ? ''
      : JSON.stringify(value, null, 1)

/** What was typed here beside what a colleague wrote at the same place meanwhile. */
export function DraftClash({
  piece,
  clash,
  onChosen,
}: {
  piece: string
  clash: Clash
  onChosen: (choices: Readonly<Record<string, Side>>) => Promise<unknown>
}) {
  const { t, formatDateTime } = useWords()
  const { isBusy, error, run } = useAction()
  const places = clash.flatMap(({ their, places: own }) => own.map((each) => ({ ...each, their })))
  const [choices, setChoices] = useState<Readonly<Record<string, Side>>>(() =>
    Object.fromEntries(places.map(({ place }) => [place, 'mine'])),
  )
  const top = useRef<HTMLDivElement>(null)
  useEffect(() => {
    top.current?.focus({ preventScroll: true })
    top.current?.scrollIntoView({ block: 'center' })
  }, [])
  const names = { mine: t('consoleContent.clash.mine'), theirs: t('consoleContent.clash.theirs') }
  return (
    <form
      className={styles.clash}
      method="post"
      aria-label={t('consoleContent.clash')}
      onSubmit={(event) => {
        event.preventDefault()
        void run(() => onChosen(choices))
      }}
    >
      <div ref={top} tabIndex={-1} className={styles.top}>
        <Message kind="note" role="alert">
          <p>
            <strong>{t('consoleContent.clash')}</strong>
          </p>
          <p>{t('consoleContent.clash.text')}</p>
        </Message>
      </div>
      {places.map(({ place, mine, theirs, their }) => (
        <fieldset key={place}>
          <legend>{placeWords(t, piece, place)}</legend>
          <p className={styles.sign}>
            {t('consoleContent.clash.by', {
              name: their.by?.name || t('consoleContent.somebody'),
              time: formatDateTime(their.at),
            })}
          </p>
          <TextDifferences
            before={{ name: names.theirs }}
            after={{ name: names.mine }}
            differences={[{ key: place, label: '', from: textOf(theirs), to: textOf(mine) }]}
          />
          <div className={styles.sides}>
            {(['theirs', 'mine'] as const).map((side) => (
              <label key={side}>
                <input
                  type="radio"
                  name={place}
                  checked={choices[place] === side}
                  onChange={() => setChoices({ ...choices, [place]: side })}
                />
                {t(side === 'mine' ? 'consoleContent.clash.takeMine' : 'consoleContent.clash.takeTheirs')}
              </label>
            ))}
          </div>
        </fieldset>
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
