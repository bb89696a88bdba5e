import type { ReactNode } from 'react'
import type { PlainKey } from '../../kernel/i18n/message-key.ts'
import { useMessages } from '../../kernel/i18n/messages.tsx'
import { Facts } from '../../kernel/ui/description-list.tsx'

/** Values by the keys of their labels, in display order. Empty ones are left out. */
export type LabeledValues = Readonly<Partial<Record<PlainKey, ReactNode>>>

const isEmpty = (value: ReactNode) => value === null || value === undefined || value === false || value === ''

export function LabeledFacts({ facts }: { facts: LabeledValues }) {
  const { t } = useMessages()
  const entries = Object.entries(facts) as [PlainKey, ReactNode][]
  return (
    <Facts
      facts={entries
        .filter(([, value]) => !isEmpty(value))
        .map(([label, value]) => ({ name: label, label: t(label), value }))}
    />
  )
}
