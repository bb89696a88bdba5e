import { useId } from 'react'
import { useMessages } from '../../kernel/i18n/messages.tsx'
import { Checkbox, FieldNotes } from '../../kernel/ui/field.tsx'
import { Amount } from '../amount.tsx'
import styles from './payouts.module.css'

type Item = { deliveryId: string; reference: string; amount: string; address: string }

export const allOf = (items: readonly Item[]): ReadonlySet<string> =>
  new Set(items.map(({ deliveryId }) => deliveryId))

type Props = {
  label: string
  items: readonly Item[]
  /** The IDs of the chosen deliveries. */
  chosen: ReadonlySet<string>
  error?: string | undefined
  onChoose: (chosen: ReadonlySet<string>) => void
}

/** The deliveries of a run that an action is about. */
export function ItemChoice({ label, items, chosen, error, onChoose }: Props) {
  const { t, addNote, formatNumber } = useMessages()
  const id = useId()
  const set = (ids: readonly string[], isChosen: boolean) => {
    const next = new Set(chosen)
    for (const each of ids) {
      if (isChosen) next.add(each)
      else next.delete(each)
    }
    onChoose(next)
  }
  const all = items.map(({ deliveryId }) => deliveryId)
  return (
    <fieldset className={styles.choice} aria-describedby={error ? `${id}-error` : undefined}>
      <legend>{label}</legend>
      <Checkbox
        label={addNote(t('consolePayouts.choose.all'), formatNumber(items.length))}
        checked={all.every((each) => chosen.has(each))}
        onChange={({ target }) => set(all, target.checked)}
      />
      <ul className={styles.rows}>
        {items.map(({ deliveryId, reference, amount, address }) => (
          <li key={deliveryId}>
            <Checkbox
              label={
                <>
                  <span className={styles.code}>{reference}</span> · <Amount value={amount} />
                  <small className={styles.code}>{address}</small>
                </>
              }
              checked={chosen.has(deliveryId)}
              onChange={({ target }) => set([deliveryId], target.checked)}
            />
          </li>
        ))}
      </ul>
      <FieldNotes id={id} error={error} />
    </fieldset>
  )
}
