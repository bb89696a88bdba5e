import { useEffect, useId, useState } from 'react'
import type { CallOf, Endpoint } from '#contract/endpoint.ts'
import { useAction } from '../../actions/use-action.ts'
import { callFile } from '../../call/call.ts'
import { boundsOf } from '../../forms/field-bounds.ts'
import { useWords, type UsedWords } from '../../i18n/words.tsx'
import { saveFile } from '../../save-file.ts'
import { Button, TextButton } from '../../ui/button.tsx'
import { Checkbox, Select, TextField } from '../../ui/field.tsx'
import { FormStatus } from '../../ui/form-status.tsx'
import styles from './console-list.module.css'
import type { ListFilter, ListOption, ListSpec } from './list-spec.ts'
import { queryOf, type List } from './use-list.ts'

/** Searches once typing has paused. */
const pause = 300

/** Above a list: what narrows it, which columns it has, and its file. */
export function ListTools<E extends Endpoint, Row>({
  spec,
  list,
}: {
  spec: ListSpec<E, Row>
  list: List<Row>
}) {
  const { t } = useWords()
  const { state, change } = list
  const { filters } = state
  const setFilter = (name: string, value: string, isTyping?: boolean) => {
    const { [name]: _, ...others } = filters
    change({ filters: value ? { ...others, [name]: value } : others }, isTyping)
  }
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  const count = Object.keys(filters).length
  const isNarrowed = count > 0
  return (
    <div className={styles.tools}>
      <div
        id={id}
        className={styles.filters}
        role="search"
        aria-label={t('console.list.filters')}
        data-open={isOpen}
      >
        {spec.filters.map((filter) => (
          <FilterField
            key={filter.name}
            filter={filter}
            value={filters[filter.name] ?? ''}
            lengthMax={lengthMaxOf(spec.endpoint, filter.name)}
            onChange={(value, isTyping) => setFilter(filter.name, value, isTyping)}
          />
        ))}
      </div>
      <div className={styles.buttons}>
        {/* Shown where the filters would fill the first screen. */}
        <TextButton
          className={styles.more}
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => setOpen(!isOpen)}
        >
          {count === 0 ? t('console.list.filters') : t('console.list.filters.set', { count })}
        </TextButton>
        {isNarrowed && (
          <TextButton onClick={() => change({ filters: {} })}>{t('console.list.clear')}</TextButton>
        )}
        <Columns spec={spec} list={list} />
        {spec.file && <FileButton spec={spec} file={spec.file} list={list} />}
      </div>
    </div>
  )
}

const lengthMaxOf = (endpoint: Endpoint, name: string): number | undefined => {
  const shape = (endpoint.query as { shape?: Record<string, Parameters<typeof boundsOf>[0]> } | undefined)
    ?.shape
  const schema = shape?.[name]
  return schema && boundsOf(schema).maxLength
}

function textOf(option: ListOption, t: UsedWords['t']): string {
  if ('text' in option) return option.text
  return typeof option.label === 'function' ? option.label(t) : t(option.label)
}

type FieldProps = {
  filter: ListFilter
  value: string
  lengthMax: number | undefined
  onChange: (value: string, isTyping?: boolean) => void
}

function FilterField({ filter, value, lengthMax, onChange }: FieldProps) {
  const { t } = useWords()
  if (filter.kind === 'choice')
    return (
      <Select label={t(filter.label)} value={value} onChange={({ target }) => onChange(target.value)}>
        <option value="">{t('console.list.any')}</option>
        {groupsOf(filter.options).map(({ group, options }) => {
          const choices = options.map((option) => (
            <option key={option.value} value={option.value}>
              {textOf(option, t)}
            </option>
          ))
          if (!group) return choices
          return (
            <optgroup key={group} label={t(group)}>
              {choices}
            </optgroup>
          )
        })}
      </Select>
    )
  if (filter.kind === 'day')
    return (
      <TextField
        label={t(filter.label)}
        type="date"
        value={value}
        onChange={({ target }) => onChange(target.value)}
      />
    )
  return <TypedFilter filter={filter} value={value} lengthMax={lengthMax} onChange={onChange} />
}

type Group = { group: ListOption['group']; options: ListOption[] }

function groupsOf(options: readonly ListOption[]): Group[] {
  const groups: Group[] = []
  for (const option of options) {
    const last = groups.at(-1)
    if (last && last.group === option.group) last.options.push(option)
    else groups.push({ group: option.group, options: [option] })
  }
  return groups
}

function TypedFilter({ filter, value, lengthMax, onChange }: FieldProps) {
  const { t } = useWords()
  const [typed, setTyped] = useState(value)
  // Back and forward change the address, and so the field.
  useEffect(() => setTyped(value), [value])
  useEffect(() => {
    if (typed.trim() === value) return undefined
    const timer = setTimeout(() => onChange(typed.trim(), true), pause)
    return () => clearTimeout(timer)
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- only typing starts the wait anew
  }, [typed, value])
  return (
    <TextField
      label={t(filter.label)}
      type={filter.kind === 'search' ? 'search' : 'text'}
      inputMode={filter.kind === 'number' ? 'decimal' : undefined}
      placeholder={'placeholder' in filter && filter.placeholder ? t(filter.placeholder) : undefined}
      autoComplete="off"
      spellCheck={false}
      maxLength={lengthMax}
      value={typed}
      onChange={({ target }) => setTyped(target.value)}
    />
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
