import type { CallOf, Endpoint } from '#contract/endpoint.ts'
import { FileButton } from '../../actions/file-button.tsx'
import { useWords } from '../../i18n/words.tsx'
import { Checkbox } from '../../ui/field.tsx'
import styles from './console-list.module.css'
import { ListFilters } from './list-filters.tsx'
import type { ListSpec } from './list-spec.ts'
import { queryOf, type List } from './use-list.ts'

/** Above a list: what narrows it, which columns it has, and its file. */
export function ListTools<E extends Endpoint, Row>({
  spec,
  list,
}: {
  spec: ListSpec<E, Row>
  list: List<Row>
}) {
  const { t } = useWords()
  return (
    <ListFilters
      endpoint={spec.endpoint}
      filters={spec.filters}
      values={list.state.filters}
      onChange={(filters, isTyping) => list.change({ filters }, isTyping)}
    >
      <Columns spec={spec} list={list} />
      {spec.file && (
        <FileButton
          label={t('console.list.file')}
          endpoint={spec.file}
          input={() => ({ query: queryOf(list.state, spec.defaultSort) }) as unknown as CallOf<Endpoint>}
          name={`${spec.name}.csv`}
        />
      )}
    </ListFilters>
  )
}

function Columns<E extends Endpoint, Row>({ spec, list }: { spec: ListSpec<E, Row>; list: List<Row> }) {
  const { t } = useWords()
  const { columns } = list.state
  const toggle = (name: string) => {
    const wanted = columns.includes(name) ? columns.filter((each) => each !== name) : [...columns, name]
    list.change({ columns: spec.columns.map((each) => each.name).filter((each) => wanted.includes(each)) })
  }
  return (
    <details className={styles.columns}>
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
