import type { ReactNode } from 'react'
import type { CallOf, Endpoint } from '#contract/platform/endpoint.ts'
import { FileButton } from '../../kernel/actions/file-button.tsx'
import { useMessages } from '../../kernel/i18n/messages.tsx'
import { Checkbox } from '../../kernel/ui/field.tsx'
import styles from './console-list.module.css'
import { ListFilters } from './list-filters.tsx'
import { queryOf } from './list-address.ts'
import type { AnyRow, ShownList } from './list-spec.ts'
import type { List } from './use-list.ts'

/** The controls above a list: its filters, columns, and export. */
export function ListTools<Row extends AnyRow>({
  spec,
  list,
  save,
}: {
  spec: ShownList<Row>
  list: List<Row>
  /** The button that saves the current view. */
  save: ReactNode
}) {
  const { t } = useMessages()
  const { declared, list: endpoint, file } = spec.resource
  return (
    <ListFilters
      endpoint={endpoint}
      filters={spec.filters}
      values={list.state.filters}
      onChange={(filters, isTyping) => list.change({ filters }, isTyping)}
    >
      {save}
      <Columns spec={spec} list={list} />
      {file && (
        <FileButton
          label={t('console.list.file')}
          endpoint={file}
          input={() => ({ query: queryOf(spec, list.state) }) as unknown as CallOf<Endpoint>}
          name={`${declared.name}.csv`}
        />
      )}
    </ListFilters>
  )
}

function Columns<Row extends AnyRow>({ spec, list }: { spec: ShownList<Row>; list: List<Row> }) {
  const { t } = useMessages()
  const { columns } = list.state
  const toggle = (name: string) => {
    const wanted = columns.includes(name) ? columns.filter((each) => each !== name) : [...columns, name]
    list.change({ columns: spec.columns.map((each) => each.name).filter((each) => wanted.includes(each)) })
  }
  return (
    <details className={styles.columns} data-dropdown>
      <summary>{t('console.list.columns')}</summary>
      <div className={styles.panel}>
        {spec.columns.slice(1).map(({ name, heading }) => (
          <Checkbox
            key={name}
            label={t(heading)}
            checked={columns.includes(name)}
            onChange={() => toggle(name)}
          />
        ))}
      </div>
    </details>
  )
}
