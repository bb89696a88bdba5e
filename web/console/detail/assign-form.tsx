import { useState, type FormEvent } from 'react'
import type { Colleague } from '#contract/people/assignment.ts'
import { useLoaded } from '../../kernel/actions/use-loaded.ts'
import { useMessages, type UsedMessages } from '../../kernel/i18n/messages.tsx'
import { staffName } from '../../kernel/i18n/staff-name.ts'
import type { Member } from '../../kernel/session/session.ts'
import { Button } from '../../kernel/ui/button.tsx'
import { Select } from '../../kernel/ui/field.tsx'
import type { Act } from './detail-actions.tsx'
import styles from './detail.module.css'

type Assigned = { assignee: Colleague | null }

export const nameOfAssignee = ({ assignee }: Assigned, { t, language }: UsedMessages): string => {
  if (!assignee) return t('console.assignee.nobody')
  return assignee.name === null ? t('console.formerColleague') : staffName(assignee.name, language)
}

type Props<R> = Assigned & {
  reader: Member
  /** Reads who can act on the record. */
  colleagues: () => Promise<readonly Colleague[]>
  assign: (to: string | null) => Promise<R>
  act: Act<R>
  isBusy: boolean
}

/** Assigns a record to a colleague who can act on it. Its key must name the current assignee. */
export function AssignForm<R>({ assignee, reader, colleagues, assign, act, isBusy }: Props<R>) {
  const words = useMessages()
  const { t } = words
  const held = assignee?.id ?? ''
  const [chosen, setChosen] = useState(held)
  const loaded = useLoaded('', colleagues)
  // The reader can act, and the current assignee stays in the list even without the right to act.
  const known = [
    { id: reader.id, name: reader.displayName },
    ...(assignee ? [assignee] : []),
    ...(loaded.state === 'ready' ? loaded.data : []),
  ]
  const choices = [...new Map(known.map((each) => [each.id, each])).values()]
  const submit = (event: FormEvent) => {
    event.preventDefault()
    act(assign(chosen || null), () => t(chosen ? 'console.assign.done' : 'console.unassign.done'))
  }
  return (
    <form className={styles.assign} onSubmit={submit}>
      <Select label={t('console.assignee')} value={chosen} onChange={({ target }) => setChosen(target.value)}>
        <option value="">{t('console.assignee.nobody')}</option>
        {choices.map((each) => (
          <option key={each.id} value={each.id}>
            {each.id === reader.id ? t('console.assignee.you') : nameOfAssignee({ assignee: each }, words)}
          </option>
        ))}
      </Select>
      <Button type="submit" kind="quiet" busy={isBusy} disabled={chosen === held}>
        {t('console.assign')}
      </Button>
    </form>
  )
}
