import type { ZodMiniType } from 'zod/mini'
import { boundsOf } from '../../forms/field-bounds.ts'
import { useMessages } from '../../i18n/messages.tsx'
import { Button, TextButton } from '../../ui/button.tsx'
import styles from './sale.module.css'
import { SettingText, type FieldsOf } from './setting-field.tsx'

type Column = { name: string; label: string; schema: ZodMiniType }

/**
 * A list in the app profile, edited row by row as one value. Rows with one column are stored as strings, others as
 * arrays.
 */
export function RecordRows({
  of,
  path,
  heading,
  columns,
  add,
}: {
  of: FieldsOf
  path: 'coins' | 'docs'
  heading: string
  columns: readonly Column[]
  add: string
}) {
  const { t } = useMessages()
  const isPlain = columns.length === 1
  const kept = JSON.parse(of.flat[path] ?? '[]') as (string | string[])[]
  const rows = kept.map((row) => (typeof row === 'string' ? [row] : row))
  const write = (next: readonly (readonly string[])[]) =>
    of.set({ [path]: JSON.stringify(isPlain ? next.map(([only]) => only) : next) })
  return (
    <section className={styles.part}>
      <h2>{heading}</h2>
      {rows.map((row, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- a row is identified by its position in the list
        <div key={index} className={styles.row} data-columns={columns.length}>
          {columns.map(({ name, label, schema }, column) => (
            <SettingText
              key={name}
              label={label}
              error={of.errors[`${path}.${index}.${name}`]}
              value={row[column] ?? ''}
              maxLength={boundsOf(schema).maxLength}
              autoComplete="off"
              onChange={(event) => write(rows.with(index, row.with(column, event.target.value)))}
            />
          ))}
          <TextButton
            aria-label={t('consoleSale.app.removeNamed', { name: row[0] ?? '' })}
            onClick={() => write(rows.toSpliced(index, 1))}
          >
            {t('consoleSale.method.remove')}
          </TextButton>
        </div>
      ))}
      {of.errors[path] && <p role="alert">{of.errors[path]}</p>}
      <div>
        <Button kind="quiet" onClick={() => write([...rows, columns.map(() => '')])}>
          {add}
        </Button>
      </div>
    </section>
  )
}
