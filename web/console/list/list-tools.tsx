import type { CallOf, Endpoint } from '#contract/endpoint.ts'
import { useAction } from '../../actions/use-action.ts'
import { callFile } from '../../call/call.ts'
import { useWords } from '../../i18n/words.tsx'
import { saveFile } from '../../save-file.ts'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/field.tsx'
import { FormStatus } from '../../ui/form-status.tsx'
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
  return (
    <ListFilters
      endpoint={spec.endpoint}
      filters={spec.filters}
      values={list.state.filters}
      onChange={(filters, isTyping) => list.change({ filters }, isTyping)}
    >
      <Columns spec={spec} list={list} />
      {spec.file && <FileButton spec={spec} file={spec.file} list={list} />}
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

function FileButton<E extends Endpoint, Row>({
  spec,
  file: endpoint,
  list,
}: {
  spec: ListSpec<E, Row>
  file: Endpoint
  list: List<Row>
}) {
  const { t } = useWords()
  const { isBusy, error, run } = useAction()
  const download = () =>
    run(async () => {
      const query = queryOf(list.state, spec.defaultSort)
      const { file, name } = await callFile(endpoint, { query } as unknown as CallOf<Endpoint>)
      saveFile(file, name ?? `${spec.name}.csv`)
    })
  return (
    <>
      <Button kind="quiet" busy={isBusy} onClick={() => void download()}>
        {t('console.list.file')}
      </Button>
      <FormStatus error={error} />
    </>
  )
}
