import { useEffect, useId, useState, type ReactNode } from 'react'
import type { Endpoint } from '#contract/platform/endpoint.ts'
import { boundsOf } from '../../kernel/forms/field-bounds.ts'
import { useMessages, type UsedMessages } from '../../kernel/i18n/messages.tsx'
import { readTypedAmount } from '../../orders/placing/typed-amount.ts'
import { TextButton } from '../../kernel/ui/button.tsx'
import { Select, TextField } from '../../kernel/ui/field.tsx'
import styles from './console-list.module.css'
import type { ListFilter, ListFilters as Filters, ListOption } from './list-spec.ts'

/** Delay of the search after the last keystroke, in milliseconds. */
const pause = 300

/** The filters, followed by actions on the selection. `isTyping`: the change is one of several keystrokes. */
export function ListFilters({
  endpoint,
  filters,
  values,
  onChange,
  children,
}: {
  endpoint: Endpoint
  filters: Filters
  values: Readonly<Record<string, string>>
  onChange: (values: Readonly<Record<string, string>>, isTyping?: boolean) => void
  children?: ReactNode
}) {
  const { t } = useMessages()
  const setFilter = (name: string, value: string, isTyping?: boolean) => {
    const { [name]: _, ...others } = values
    onChange(value ? { ...others, [name]: value } : others, isTyping)
  }
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  const count = Object.keys(values).length
  return (
    <div className={styles.tools}>
      <div
        id={id}
        className={styles.filters}
        role="search"
        aria-label={t('console.list.filters')}
        data-open={isOpen}
      >
        {withDaysTogether(filters).map((group) => (
          <FilterGroup key={group[0]!.name}>
            {group.map((filter) => (
              <FilterField
                key={filter.name}
                filter={filter}
                value={values[filter.name] ?? ''}
                lengthMax={lengthMaxOf(endpoint, filter.name)}
                onChange={(value, isTyping) => setFilter(filter.name, value, isTyping)}
              />
            ))}
          </FilterGroup>
        ))}
      </div>
      <div className={styles.buttons}>
        {/* Shown if the filters would fill the first screen. */}
        <TextButton
          className={styles.more}
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => setOpen(!isOpen)}
        >
          {count === 0 ? t('console.list.filters') : t('console.list.filters.set', { count })}
        </TextButton>
        {count > 0 && <TextButton onClick={() => onChange({})}>{t('console.list.clear')}</TextButton>}
        {children}
      </div>
    </div>
  )
}

type NamedFilter = ListFilter & { name: string }

/** Several fields in a group get a box of their own, so that they wrap together. */
const FilterGroup = ({ children }: { children: ReactNode[] }) =>
  children.length === 1 ? children : <div className={styles.days}>{children}</div>

/** Keeps the first and the last day on one line. */
function withDaysTogether(filters: Filters): NamedFilter[][] {
  const groups: NamedFilter[][] = []
  for (const [name, filter] of Object.entries(filters)) {
    const last = groups.at(-1)
    if (filter?.kind === 'day' && last?.[0]?.kind === 'day') last.push({ name, ...filter })
    else if (filter) groups.push([{ name, ...filter }])
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
