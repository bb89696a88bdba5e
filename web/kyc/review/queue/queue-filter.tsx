import { useEffect, useState, type Ref } from 'react'
import { listKycCases } from '#contract/kyc-review.ts'
import { boundsOf } from '../../../forms/field-bounds.ts'
import { useMessages } from '../../../i18n/messages.tsx'
import type { PlainKey } from '../../../i18n/message-key.ts'
import { Select, TextField } from '../../../ui/field.tsx'
import { ageLabel } from '../age.ts'
import { KeyHint } from '../keys/key-hint.tsx'
import { queueAges, queueOfficers, queueStates, type QueueFilter as Filter } from '../review-address.ts'
import { reviewStates } from '../review-states.ts'
import styles from './queue.module.css'

type Props = {
  filter: Filter
  /** `isTyping`: the change is one of several keystrokes of a search, which share one history entry. */
  onChange: (filter: Filter, isTyping?: boolean) => void
  searchRef: Ref<HTMLInputElement>
}

const statusLabels: Readonly<Record<Filter['status'], PlainKey>> = {
  waiting: 'review.status.waiting',
  any: 'review.status.any',
  submitted: reviewStates.submitted.words,
  in_review: reviewStates.in_review.words,
  approved: reviewStates.approved.words,
  rejected: reviewStates.rejected.words,
  more_info: reviewStates.more_info.words,
  expired: reviewStates.expired.words,
  withdrawn: reviewStates.withdrawn.words,
}
const officerWords: Readonly<Record<Filter['assignee'], PlainKey>> = {
  '': 'review.assignee.any',
  me: 'review.assignee.me',
  nobody: 'review.assignee.nobody',
  available: 'review.assignee.available',
}
/** Delay of the search after the last keystroke, in milliseconds. */
const pause = 300

export function QueueFilter({ filter, onChange, searchRef }: Props) {
  const { t } = useMessages()
  const [q, setQ] = useState(filter.q)
  // Back and forward change the address and therefore the field.
  useEffect(() => setQ(filter.q), [filter.q])
  useEffect(() => {
    if (q.trim() === filter.q) return undefined
    const timer = setTimeout(() => onChange({ ...filter, q: q.trim() }, true), pause)
    return () => clearTimeout(timer)
  }, [q, filter, onChange])
  return (
    <div className={styles.filter} role="search" aria-label={t('review.filter')}>
      <Select
        label={t('review.status')}
        value={filter.status}
        onChange={({ target }) => onChange({ ...filter, status: target.value as Filter['status'] })}
      >
        {queueStates.map((state) => (
          <option key={state} value={state}>
            {t(statusLabels[state])}
          </option>
        ))}
      </Select>
      <Select
        label={t('review.assignee')}
        value={filter.assignee}
        onChange={({ target }) => onChange({ ...filter, assignee: target.value as Filter['assignee'] })}
      >
        {(['', ...queueOfficers] as const).map((officer) => (
          <option key={officer} value={officer}>
            {t(officerWords[officer])}
          </option>
        ))}
      </Select>
      <Select
        label={t('review.flags')}
        value={filter.flag}
        onChange={({ target }) => onChange({ ...filter, flag: target.value as Filter['flag'] })}
      >
        <option value="">{t('review.flags.any')}</option>
        <option value="possible_match">{t('review.flags.match')}</option>
        <option value="refused_before">{t('review.flags.refused')}</option>
      </Select>
      <Select
        label={t('review.older')}
        value={filter.olderThanHours}
        onChange={({ target }) =>
          onChange({ ...filter, olderThanHours: Number(target.value) as Filter['olderThanHours'] })
        }
      >
        <option value={0}>{t('review.older.any')}</option>
        {queueAges.map((hours) => (
          <option key={hours} value={hours}>
            {t('review.older.than', { age: ageLabel(t, hours) })}
          </option>
        ))}
      </Select>
      <TextField
        ref={searchRef}
        label={
          <>
            {t('review.search')} <KeyHint of="search" />
          </>
        }
        type="search"
        placeholder={t('review.search.help')}
        autoComplete="off"
        maxLength={boundsOf(listKycCases.query.shape.q).maxLength}
        value={q}
        onChange={({ target }) => setQ(target.value)}
      />
    </div>
  )
}
