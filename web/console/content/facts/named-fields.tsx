import { useState, type ReactNode } from 'react'
import type { ContentShape } from '#contract/content-shapes.ts'
import { useWords } from '../../../i18n/words.tsx'
import { TextButton } from '../../../ui/button.tsx'
import { TextField } from '../../../ui/field.tsx'
import { isRecord } from '../merge-values.ts'
import { fieldWord } from './field-words.ts'
import styles from './facts.module.css'
import { under, useForm, type FieldProps } from './form-state.ts'
import { blankOf } from './blank-value.ts'

type NamedShape = Extract<ContentShape, { kind: 'named' }>

/** Values by names that the editor gives, such as the networks where the project has a profile. */
export function NamedFields({
  shape,
  place,
  name,
  value,
  onValue,
  isOptional,
  draw,
}: FieldProps<NamedShape> & { draw: (entry: FieldProps) => ReactNode }) {
  const { t } = useWords()
  const { mayWrite, problemAt } = useForm()
  const [typed, setTyped] = useState('')
  const given = isRecord(value) ? value : {}
  const wanted = typed.trim()
  const isTaken = Object.hasOwn(given, wanted)
  const remove = (each: string) => {
    const { [each]: _, ...others } = given
    onValue(isOptional && Object.keys(others).length === 0 ? undefined : others)
  }
  const add = () => {
    if (wanted === '' || isTaken) return
    onValue({ ...given, [wanted]: blankOf(shape.item) })
    setTyped('')
  }
  return (
    <fieldset className={styles.part} data-place={place}>
      <legend>{fieldWord(t, name)}</legend>
      <div className={styles.fields}>
        {Object.entries(given).map(([each, of]) => (
          <div key={each}>
            {draw({
              shape: shape.item,
              name: each,
              place: under(place, each),
              value: of,
              onValue: (next) => onValue({ ...given, [each]: next }),
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
          <div>
            <TextField
              label={t('consoleContent.named.name')}
              error={isTaken ? t('consoleContent.named.taken') : problemAt(place)}
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              value={typed}
              onChange={({ target }) => setTyped(target.value)}
            />
            <TextButton onClick={add}>{t('consoleContent.named.add')}</TextButton>
          </div>
        )}
      </div>
    </fieldset>
  )
}
