import { useState, type ReactNode } from 'react'
import type { ContentShape } from '#contract/content-shapes.ts'
import { useMessages } from '../../../i18n/messages.tsx'
import { TextButton } from '../../../ui/button.tsx'
import { TextField } from '../../../ui/field.tsx'
import { isRecord } from '../merge-values.ts'
import { fieldWord } from './field-labels.ts'
import styles from './facts.module.css'
import { under, useForm, type FieldProps } from './form-state.ts'
import { blankOf } from './blank-value.ts'

type NamedShape = Extract<ContentShape, { kind: 'named' }>

/** Values under names chosen by the editor, such as networks where the project has a profile. */
export function NamedFields({
  shape,
  place,
  name,
  value,
  onValue,
  isOptional,
  draw,
}: FieldProps<NamedShape> & { draw: (entry: FieldProps) => ReactNode }) {
  const { t } = useMessages()
  const { mayWrite, problemAt } = useForm()
  const record = isRecord(value) ? value : {}
  const remove = (each: string) => {
    const { [each]: _, ...others } = record
    onValue(isOptional && Object.keys(others).length === 0 ? undefined : others)
  }
  return (
    <fieldset className={styles.part} data-place={place}>
      <legend>{fieldWord(t, name)}</legend>
      <div className={styles.fields}>
        {Object.entries(record).map(([each, of]) => (
          <div key={each}>
            {draw({
              shape: shape.item,
              name: each,
              place: under(place, each),
              value: of,
              onValue: (next) => onValue({ ...record, [each]: next }),
            })}
            {mayWrite && (
              <TextButton
                aria-label={t('consoleContent.removeNamed', { name: fieldWord(t, each) })}
                onClick={() => remove(each)}
              >
                {t('consoleContent.remove')}
              </TextButton>
            )}
          </div>
        ))}
        {mayWrite && (
          <NewName
            taken={Object.keys(record)}
            problem={problemAt(place)}
            onAdd={(added) => onValue({ ...record, [added]: blankOf(shape.item) })}
          />
        )}
      </div>
    </fieldset>
  )
}

function NewName({
  taken,
  problem,
  onAdd,
}: {
  taken: readonly string[]
  problem: string | undefined
  onAdd: (name: string) => void
}) {
  const { t } = useMessages()
  const [typed, setTyped] = useState('')
  const name = typed.trim()
  const isTaken = taken.includes(name)
  const add = () => {
    if (name === '' || isTaken) return
    onAdd(name)
    setTyped('')
  }
  return (
    <div>
      <TextField
        label={t('consoleContent.named.name')}
        error={isTaken ? t('consoleContent.named.taken') : problem}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
      />
      <TextButton onClick={add}>{t('consoleContent.named.add')}</TextButton>
    </div>
  )
}
