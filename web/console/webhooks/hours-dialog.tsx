import { useState, type ComponentProps } from 'react'
import { ConfirmDialog } from '../../kernel/forms/confirm-dialog.tsx'
import { Select } from '../../kernel/ui/field.tsx'

type Props<Done> = Omit<ComponentProps<typeof ConfirmDialog<Done>>, 'step' | 'children'> & {
  text: string
  choice: string
  options: readonly { hours: number; label: string }[]
  step: (hours: number) => Promise<Done>
}

/** Asks for a number of hours; the default is one day. */
export function HoursDialog<Done>({ text, choice, options, step, ...rest }: Props<Done>) {
  const [hours, setHours] = useState(24)
  return (
    <ConfirmDialog step={() => step(hours)} {...rest}>
      <p>{text}</p>
      <Select label={choice} value={hours} onChange={({ target }) => setHours(Number(target.value))}>
        {options.map((option) => (
          <option key={option.hours} value={option.hours}>
            {option.label}
          </option>
        ))}
      </Select>
    </ConfirmDialog>
  )
}
