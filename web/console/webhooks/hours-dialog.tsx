import { useState } from 'react'
import { ConfirmDialog } from '../../forms/confirm-dialog.tsx'
import type { PlainKey } from '../../i18n/message-key.ts'
import { useMessages } from '../../i18n/messages.tsx'
import { Select } from '../../ui/field.tsx'
import styles from './webhooks.module.css'

type Props<Done> = {
  title: PlainKey
  /** The label of the confirming button. */
  label: PlainKey
  text: PlainKey
  choice: PlainKey
  options: readonly { hours: number; words: PlainKey }[]
  step: (hours: number) => Promise<Done>
  onDone: (done: Done) => void
  onClose: () => void
}

/** Asks for a number of hours; the default is one day. */
export function HoursDialog<Done>({ title, label, text, choice, options, step, ...rest }: Props<Done>) {
  const { t } = useMessages()
  const [hours, setHours] = useState(24)
  return (
    <ConfirmDialog title={t(title)} label={t(label)} step={() => step(hours)} {...rest}>
      <div className={styles.fields}>
        <p>{t(text)}</p>
        <Select label={t(choice)} value={hours} onChange={({ target }) => setHours(Number(target.value))}>
          {options.map((option) => (
            <option key={option.hours} value={option.hours}>
              {t(option.words)}
            </option>
          ))}
        </Select>
      </div>
    </ConfirmDialog>
  )
}
