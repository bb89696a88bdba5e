import { useEffect, useId, useRef, useState, type ReactNode } from 'react'
import type { Endpoint } from '#contract/platform/endpoint.ts'
import { boundsOf } from '../../kernel/forms/field-bounds.ts'
import { useMessages, type UsedMessages } from '../../kernel/i18n/messages.tsx'
import { readTypedAmount } from '../../kernel/typed-amount.ts'
import { Button, TextButton } from '../../kernel/ui/button.tsx'
import { Hidden } from '../../kernel/layout/hidden.tsx'
import { Select, TextField } from '../../kernel/ui/field.tsx'
import styles from './console-list.module.css'
import { FindChoice } from './find-choice.tsx'
import type { ListFilter, ListFilters as Filters, ListOption } from './list-spec.ts'

/** Delay of the search after the last keystroke, in milliseconds. */
const pause = 300

/**
 * One line with the search field, the button that opens the other filters, and further tools. Below it are the opened
 * filters, and the filters that are set. `isTyping`: the change is one of several keystrokes.
 */
export function ListFilters({ endpoint, filters, values, onChange, children }: Props) {
  const { t } = useMessages()
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  const tools = useRef<HTMLDivElement>(null)
  const named = Object.entries(filters).flatMap(([name, filter]) => (filter ? [{ name, ...filter }] : []))
  const search = named.find(isSearch)
  const others = named.filter((filter) => !isSearch(filter))
  const set = others.filter(({ name }) => values[name])
  const fieldOf = (filter: NamedFilter) => (
    <FilterField
      key={filter.name}
      filter={narrowed(filter, values)}
      value={values[filter.name] ?? ''}
      lengthMax={lengthMaxOf(endpoint, filter.name)}
      onChange={(value, isTyping) =>
        onChange(withoutImpossible(named, withValue(values, filter.name, value)), isTyping)
      }
    />
  )
  const remove = (remaining: Values) => {
    // The button that was used disappears.
    tools.current?.querySelector<HTMLElement>(others.length > 0 ? '[aria-controls]' : 'input')?.focus()
    onChange(remaining)
  }
  return (
    <div ref={tools} className={styles.tools} role="search" aria-label={t('console.list.filters')}>
      <div className={styles.bar}>
        {search && <div className={styles.search}>{fieldOf(search)}</div>}
        <div className={styles.buttons}>
          {others.length > 0 && (
            <Button kind="quiet" aria-expanded={isOpen} aria-controls={id} onClick={() => setOpen(!isOpen)}>
              {set.length === 0
                ? t('console.list.filters')
                : t('console.list.filters.set', { count: set.length })}
            </Button>
          )}
          {children}
        </div>
      </div>
      <div id={id} className={styles.filters} hidden={!isOpen}>
        {withDaysTogether(others).map((group) => (
          <FilterGroup key={group[0]!.name}>{group.map(fieldOf)}</FilterGroup>
        ))}
      </div>
      {Object.keys(values).length > 0 && <SetFilters filters={set} values={values} onRemove={remove} />}
    </div>
  )
}

type Values = Readonly<Record<string, string>>

type Props = {
  endpoint: Endpoint
  filters: Filters
  values: Values
  onChange: (values: Values, isTyping?: boolean) => void
  children?: ReactNode
}

type NamedFilter = ListFilter & { name: string }

const isSearch = ({ kind }: NamedFilter): boolean => kind === 'search'

function withValue(values: Values, name: string, value: string): Values {
  const { [name]: _, ...others } = values
  return value ? { ...others, [name]: value } : others
}

/** Leaves the options that fit the filter that narrows them. */
function narrowed<Filter extends ListFilter>(filter: Filter, values: Values): Filter {
  const wanted = filter.kind === 'find' && values[filter.narrowedBy]
  if (!wanted || filter.kind !== 'find') return filter
  return { ...filter, options: filter.options.filter(({ within }) => within === wanted) }
}

/** Removes values that another filter, which was changed, no longer offers. */
const withoutImpossible = (filters: readonly NamedFilter[], values: Values): Values =>
  Object.fromEntries(
    Object.entries(values).filter(([name, value]) => {
      const filter = filters.find((each) => each.name === name)
      if (filter?.kind !== 'find') return true
      return narrowed(filter, values).options.some((option) => option.value === value)
    }),
  )

type SetProps = { filters: readonly NamedFilter[]; values: Values; onRemove: (remaining: Values) => void }

/** A button for each filter, which removes it. A search is visible in its field. */
function SetFilters({ filters, values, onRemove }: SetProps) {
  const messages = useMessages()
  const { t, nameValue } = messages
  return (
    <div className={styles.set}>
      {filters.map((filter) => {
        const text = nameValue(t(filter.label), valueOf(filter, values[filter.name] ?? '', messages))
        return (
          <button
            key={filter.name}
            type="button"
            className={styles.chip}
            aria-label={t('console.list.remove', { filter: text })}
            onClick={() => onRemove(withValue(values, filter.name, ''))}
          >
            {text}
            <span aria-hidden="true">×</span>
          </button>
        )
      })}
      <TextButton onClick={() => onRemove({})}>{t('console.list.clear')}</TextButton>
    </div>
  )
}

function valueOf(filter: NamedFilter, value: string, { t, formatDate }: UsedMessages): string {
  if (filter.kind === 'day') return formatDate(value)
  const option = 'options' in filter && filter.options.find((each) => each.value === value)
  return option ? textOf(option, t) : value
}

/** Several fields in a group get a box of their own, so that they wrap together. */
const FilterGroup = ({ children }: { children: ReactNode[] }) =>
  children.length === 1 ? children : <div className={styles.days}>{children}</div>

/** Keeps the first and the last day on one line. */
function withDaysTogether(filters: readonly NamedFilter[]): NamedFilter[][] {
  const groups: NamedFilter[][] = []
  for (const filter of filters) {
    const last = groups.at(-1)
    if (filter.kind === 'day' && last?.[0]?.kind === 'day') last.push(filter)
    else groups.push([filter])
  }
  return groups
}

const lengthMaxOf = (endpoint: Endpoint, name: string): number | undefined => {
  const shape = (endpoint.query as { shape?: Record<string, Parameters<typeof boundsOf>[0]> } | undefined)
    ?.shape
  const schema = shape?.[name]
  return schema && boundsOf(schema).maxLength
}

function textOf(option: ListOption, t: UsedMessages['t']): string {
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
  const { t } = useMessages()
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
  if (filter.kind === 'find')
    return (
      <FindChoice
        label={t(filter.label)}
        placeholder={t(filter.placeholder)}
        options={filter.options.map((option) => ({
          value: option.value,
          text: textOf(option, t),
          ...(option.group && { group: t(option.group) }),
        }))}
        value={value}
        onChange={onChange}
      />
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
  const { t } = useMessages()
  const [typed, setTyped] = useState(value)
  // Back and forward change the address and therefore the field.
  useEffect(() => setTyped(value), [value])
  useEffect(() => {
    // Accepts a decimal comma, as in members' forms.
    const read = filter.kind === 'number' ? readTypedAmount(typed) : typed.trim()
    if (read === value) return undefined
    const timer = setTimeout(() => onChange(read, true), pause)
    return () => clearTimeout(timer)
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- only typing restarts the delay
  }, [typed, value])
  const label = t(filter.label)
  const placeholder = 'placeholder' in filter && filter.placeholder ? t(filter.placeholder) : undefined
  const isSearchField = filter.kind === 'search'
  return (
    <TextField
      label={isSearchField ? <Hidden>{label}</Hidden> : label}
      type={isSearchField ? 'search' : 'text'}
      inputMode={filter.kind === 'number' ? 'decimal' : undefined}
      placeholder={isSearchField ? (placeholder ?? label) : placeholder}
      autoComplete="off"
      spellCheck={false}
      maxLength={lengthMax}
      value={typed}
      onChange={({ target }) => setTyped(target.value)}
    />
  )
}
