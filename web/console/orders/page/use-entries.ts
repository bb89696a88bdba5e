import { useState } from 'react'
import type { OrderFieldChange } from '#contract/money/console-orders.ts'
import type { FieldError } from '#contract/platform/errors.ts'
import { problemMessage } from '../../../kernel/forms/problem-message.ts'
import { useMessages } from '../../../kernel/i18n/messages.tsx'
import { typedAmount } from '../../../kernel/typed-amount.ts'
import type { ActionField, Confirmed, OrderAction, ReasonNeed, Values } from './action.ts'

export type Entries = ReturnType<typeof useEntries>

const unconfirmed: Confirmed = {
  isShared: false,
  isQuantityMeant: false,
  isExcessMeant: false,
  isRight: false,
}

type EntriesOf = Pick<OrderAction, 'fields' | 'changes' | 'quantityAtRate' | 'excess'> & {
  /** Whether a transaction that is also used for another order can be confirmed. */
  asksAboutUse?: boolean
}

/** The entries and confirmations in the dialog of an action, and their problems. */
export function useEntries({ fields, asksAboutUse = false, ...action }: EntriesOf) {
  const { t } = useMessages()
  const [values, setValues] = useState<Values>(() =>
    Object.fromEntries(fields.map(({ name, initial = '' }) => [name, initial])),
  )
  const [problems, setProblems] = useState<readonly FieldError[]>([])
  const [confirmed, setConfirmed] = useState(unconfirmed)
  /** What the server found and this page can't know. */
  const [found, setFound] = useState({ isUsed: false, isOffRate: false, isOverCap: false })
  const changes = action.changes?.(values)
  const quantityAtRate = action.quantityAtRate?.(values)
  const excess = action.excess?.(values)
  const fieldNames = [...fields.map(({ name }) => name), 'isRight', 'quantityAtRate', 'excess']
  const confirm = (more: Partial<Confirmed>) => setConfirmed({ ...confirmed, ...more })
  return {
    values,
    confirmed,
    confirm,
    changes,
    quantityAtRate,
    excess,
    ...found,
    problemOf: (name: string) => problems.find(({ path }) => path === name)?.message,
    /** The problems that don't belong to a field. */
    elsewhere: problems
      .filter(({ path }) => !fieldNames.includes(path))
      .map(({ message }) => message)
      .join(' '),
    edit(name: string, value: string) {
      setValues({ ...values, [name]: value })
      // The confirmed values have changed, so the confirmation is reset.
      if (!changes || name === 'reason') return
      setFound({ ...found, isOffRate: false, isOverCap: false })
      confirm({ isRight: false, isQuantityMeant: false, isExcessMeant: false })
    },
    /** Returns the entries in the contract's format, or null if something is missing or wrong. */
    read(): Values | null {
      const { read, wrong } = readEntries(fields, values)
      const missing = listMissing(confirmed, { changes, quantityAtRate, excess }, values)
      const all = [...wrong, ...missing]
      setProblems(all.map((each) => ({ ...each, message: problemMessage(t, each.code) })))
      return all.length > 0 ? null : read
    },
    /** Shows the errors of the server. */
    reject(errors: readonly FieldError[]) {
      const isUse = ({ code }: FieldError) => asksAboutUse && code === 'tx_used'
      setProblems(errors.filter((error) => !isUse(error)))
      setFound({
        ...found,
        isUsed: found.isUsed || errors.some(isUse),
        isOffRate: found.isOffRate || errors.some(({ code }) => code === 'differs_from_rate'),
      })
    },
    /** Asks to confirm that the quantity exceeds a cap, as the server found. */
    rejectExcess: () => setFound({ ...found, isOverCap: true }),
  }
}

type ToConfirm = Record<'quantityAtRate' | 'excess', string | undefined> & {
  changes: readonly OrderFieldChange[] | undefined
}

/** The confirmations that the entries still need. */
function listMissing(
  { isRight, isQuantityMeant, isExcessMeant, isShared }: Confirmed,
  { changes = [], quantityAtRate, excess }: ToConfirm,
  values: Values,
): Wrong[] {
  return [
    ...(changes.length > 0 && !isRight ? ['isRight'] : []),
    ...(quantityAtRate !== undefined && !isQuantityMeant ? ['quantityAtRate'] : []),
    ...(excess !== undefined && !isExcessMeant ? ['excess'] : []),
    ...(isShared && !values['reason']?.trim() ? ['reason'] : []),
  ].map((path) => ({ path, code: 'required' }))
}

type Wrong = { path: string; code: FieldError['code'] }

/** The entries in the contract's format, and their problems. */
function readEntries(fields: readonly ActionField[], values: Values): { read: Values; wrong: Wrong[] } {
  const read: Record<string, string> = { ...values }
  const wrong: Wrong[] = []
  for (const { name, kind, need, isRequired = false } of fields) {
    const typed = values[name]?.trim() ?? ''
    if (kind === 'decimal' && typed !== '') {
      const { success, data, error } = typedAmount.safeParse(typed)
      if (success) read[name] = data
      else wrong.push({ path: name, code: (error.issues[0]?.message ?? 'number') as FieldError['code'] })
    }
    if ((isRequired || (need && isRequiredBy(need(values)))) && typed === '')
      wrong.push({ path: name, code: 'required' })
  }
  return { read, wrong }
}

const isRequiredBy = (need: ReasonNeed): boolean => need !== 'none' && need !== 'colleagues'
