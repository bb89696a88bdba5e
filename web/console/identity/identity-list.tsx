import { kycStates } from '#contract/people/kyc.ts'
import { assignKycCases, kycCases, type KycCase } from '#contract/people/kyc-review.ts'
import { useMessages, type UsedMessages } from '../../kernel/i18n/messages.tsx'
import { Tag } from '../../kernel/ui/tag.tsx'
import { ageLabel, CaseAge } from '../../kyc/review/case-age.tsx'
import { nameOf } from '../../kyc/review/case/case-head.tsx'
import { pathToCase } from '../../kyc/review/review-address.ts'
import { isWaiting, reviewStates } from '../../kyc/review/review-states.ts'
import type { ListSpec } from '../list/list-spec.ts'
import { ListTime } from '../list/list-time.tsx'
import styles from './identity.module.css'

/** Ages in hours. */
const ages = [24, 72, 168]

export const rowLinkId = (id: string): string => `case-${id}`

type Shown = {
  t: UsedMessages['t']
  /** The address of the queue, which the links to its cases contain. */
  search: URLSearchParams
  /** Cases that have waited longer are marked. */
  usualHours: number | null
}

const filters: ListSpec<typeof kycCases>['filters'] = {
  q: { label: 'review.search', kind: 'search', placeholder: 'review.search.help' },
  status: {
    label: 'review.status',
    kind: 'choice',
    options: [
      { value: 'waiting', label: 'review.status.waiting' },
      ...kycStates.map((value) => ({ value, label: reviewStates[value].words })),
    ],
  },
  assignee: {
    label: 'review.assignee',
    kind: 'choice',
    options: [
      { value: 'me', label: 'review.assignee.me' },
      { value: 'nobody', label: 'review.assignee.nobody' },
      { value: 'available', label: 'review.assignee.available' },
    ],
  },
  flag: {
    label: 'review.flags',
    kind: 'choice',
    options: [
      { value: 'possible_match', label: 'review.flags.match' },
      { value: 'refused_before', label: 'review.flags.refused' },
      { value: 'answered', label: 'review.flags.answered' },
      { value: 'second_person', label: 'review.flags.final' },
    ],
  },
  olderThanHours: {
    label: 'review.older',
    kind: 'choice',
    options: ages.map((hours) => ({
      value: String(hours),
      label: (t) => t('review.older.than', { age: ageLabel(t, hours) }),
    })),
  },
}

/** The queue, which always begins with the case that has waited longest. */
export const identityList = ({ t, search, usualHours }: Shown): ListSpec<typeof kycCases> => ({
  resource: kycCases,
  route: 'console.identity',
  caption: 'review.cases',
  nameOf: (row) => nameOf(t, row),
  tagOf: (row) => <CaseState of={row} />,
  none: { title: 'review.none.waiting', help: 'review.none.waiting.help' },
  filters,
  readEarlier,
  columns: [
    {
      name: 'name',
      heading: 'review.name',
      cell: (row) => (
        <a id={rowLinkId(row.id)} href={pathToCase(row.id, search)}>
          {nameOf(t, row)}
        </a>
      ),
    },
    { name: 'status', heading: 'review.status', cell: (row) => <CaseState of={row} /> },
    { name: 'age', heading: 'review.age', cell: (row) => <CaseAge of={row} usualHours={usualHours} /> },
    { name: 'assignee', heading: 'review.assignee', cell: ({ assignee }) => assignee?.name },
    { name: 'country', heading: 'review.country', cell: ({ country }) => country },
    { name: 'flags', heading: 'review.flags', cell: (row) => <Flags of={row} /> },
    {
      name: 'email',
      heading: 'forms.email.label',
      isAddress: true,
      isExtra: true,
      cell: ({ email }) => email,
    },
    {
      name: 'created',
      heading: 'kyc.createdAt',
      isExtra: true,
      cell: ({ createdAt }) => <ListTime at={createdAt} />,
    },
  ],
  bulk: [
    {
      name: 'assign',
      label: 'review.bulk.assign',
      endpoint: assignKycCases,
      fields: [
        {
          kind: 'choice',
          name: 'to',
          label: 'review.assignee',
          options: async () => [
            { value: 'me', label: 'review.assignee.me' },
            { value: 'nobody', label: 'review.assignee.nobody' },
          ],
        },
        { kind: 'check', name: 'takeOver', label: 'review.bulk.assign.takeOver' },
      ],
    },
  ],
})

function readEarlier(search: URLSearchParams): URLSearchParams {
  const older = search.get('older')
  return older === null ? search : new URLSearchParams([...search, ['olderThanHours', older]])
}

function CaseState({ of: { status } }: { of: KycCase }) {
  const { t } = useMessages()
  const { colour, words } = reviewStates[status]
  return <Tag colour={colour}>{t(words)}</Tag>
}

function Flags({ of }: { of: KycCase }) {
  const { t } = useMessages()
  const { approvalProposedBy, finalProposedBy, isFinal, possibleMatches } = of
  const isProposed = approvalProposedBy !== null || (finalProposedBy !== null && !isFinal)
  const hasMatches = possibleMatches !== null && possibleMatches > 0
  // The list cannot be read at the moment, or the case has just arrived.
  const isNotCompared = possibleMatches === null && isWaiting(of.status) && !of.isDeleted
  const flags = [
    { isSet: of.isAnswered, colour: 'green', label: 'review.flags.answered' },
    { isSet: of.hasRefusal, colour: 'red', label: 'review.flags.refused' },
    { isSet: of.hasDuplicates, colour: 'yellow', label: 'review.flags.duplicate' },
    { isSet: hasMatches, colour: 'red', label: 'review.flags.match' },
    { isSet: isNotCompared, colour: 'yellow', label: 'review.flags.notCompared' },
    { isSet: isProposed, colour: 'red', label: 'review.flags.final' },
  ] as const
  const set = flags.filter(({ isSet }) => isSet)
  if (set.length === 0) return null
  return (
    <span className={styles.flags}>
      {set.map(({ colour, label }) => (
        <Tag key={label} colour={colour}>
          {t(label)}
        </Tag>
      ))}
    </span>
  )
}
