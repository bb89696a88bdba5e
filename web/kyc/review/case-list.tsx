import { useState } from 'react'
import { kycStates, type KycState } from '#contract/kyc.ts'
import { listKycCases, readKycStatistics, type KycCase } from '#contract/kyc-review.ts'
import { pageSizeMax } from '#contract/fields.ts'
import { call } from '../../call.ts'
import { useWords } from '../../i18n/words.tsx'
import { LoadFailed } from '../../loaded/load-failed.tsx'
import { useLoaded } from '../../loaded/use-loaded.ts'
import { TextButton } from '../../ui/button.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Select, TextField } from '../../ui/field.tsx'
import { Loading } from '../../ui/loading.tsx'
import { Table, type Column } from '../../ui/table.tsx'
import { stateWords } from '../state-words.ts'
import styles from './review.module.css'

type Officer = 'me' | 'nobody'

/** The queue with its filter and its counts. */
export function CaseList({ onOpen }: { onOpen: (id: string) => void }) {
  const { t } = useWords()
  const [status, setStatus] = useState<KycState | ''>('submitted')
  const [assignee, setAssignee] = useState<Officer | ''>('')
  const [q, setQ] = useState('')
  const counted = useLoaded('counts', () => call(readKycStatistics, {}))
  const loaded = useLoaded(`${status} ${assignee} ${q}`, () =>
    call(listKycCases, {
      query: {
        limit: pageSizeMax,
        ...(status && { status }),
        ...(assignee && { assignee }),
        ...(q.trim() && { q: q.trim() }),
      },
    }),
  )
  return (
    <>
      {counted.state === 'ready' && (
        <p>
          {t('review.waiting', {
            submitted: counted.data.waiting.submitted,
            inReview: counted.data.waiting.in_review,
            moreInfo: counted.data.waiting.more_info,
          })}
        </p>
      )}
      <div className={styles.filter} role="search" aria-label={t('review.filter')}>
        <Select
          label={t('review.status')}
          value={status}
          onChange={(event) => setStatus(event.target.value as KycState | '')}
        >
          <option value="">{t('review.status.any')}</option>
          {kycStates.map((state) => (
            <option key={state} value={state}>
              {t(stateWords[state])}
            </option>
          ))}
        </Select>
        <Select
          label={t('review.assignee')}
          value={assignee}
          onChange={(event) => setAssignee(event.target.value as Officer | '')}
        >
          <option value="">{t('review.assignee.any')}</option>
          <option value="me">{t('review.assignee.me')}</option>
          <option value="nobody">{t('review.assignee.nobody')}</option>
        </Select>
        <TextField
          label={t('review.search')}
          type="search"
          maxLength={200}
          value={q}
          onChange={(event) => setQ(event.target.value)}
        />
      </div>
      {loaded.state === 'loading' && <Loading label={t('forms.loading')} />}
      {loaded.state === 'failed' && (
        <LoadFailed title={t('review.loadFailed')} failure={loaded.failure} retry={loaded.retry} />
      )}
      {loaded.state === 'ready' && <Cases cases={loaded.data} onOpen={onOpen} />}
    </>
  )
}

function Cases({ cases, onOpen }: { cases: readonly KycCase[]; onOpen: (id: string) => void }) {
  const { t } = useWords()
  if (cases.length === 0) return <Empty title={t('review.none')} />
  const columns: Column<KycCase>[] = [
    { name: 'name', heading: t('review.name'), cell: (row) => row.firstName },
    { name: 'status', heading: t('review.status'), cell: (row) => t(stateWords[row.status]) },
    { name: 'assignee', heading: t('review.assignee'), cell: (row) => row.assignee?.name ?? '–' },
    {
      name: 'age',
      heading: t('review.age'),
      isFigure: true,
      cell: (row) => t('review.age.hours', { hours: row.ageHours }),
    },
    {
      name: 'open',
      heading: t('review.open'),
      cell: (row) => (
        <TextButton
          aria-label={t('review.openNamed', { name: row.firstName })}
          onClick={() => onOpen(row._id)}
        >
          {t('review.open')}
        </TextButton>
      ),
    },
  ]
  return <Table caption={t('review.cases')} columns={columns} rows={cases} rowKey={(row) => row._id} />
}
