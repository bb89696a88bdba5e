import {
  endMemberSessions,
  exportConsoleMembers,
  listConsoleMembers,
  resendMemberActivation,
  type ConsoleMember,
} from '#contract/console-members.ts'
import { kycStates } from '#contract/kyc.ts'
import { call } from '../../call/call.ts'
import { useWords } from '../../i18n/words.tsx'
import { pathTo } from '../../routes/routes.ts'
import { Address } from '../list/address.tsx'
import type { ListSpec } from '../list/list-spec.ts'
import styles from './members.module.css'
import { Day, KycTag, RightTags, StateTag } from './member-labels.tsx'
import { kycWords, rightWords } from './member-words.ts'

const list = {
  name: 'members',
  route: 'console.members',
  endpoint: listConsoleMembers,
  file: exportConsoleMembers,
  rowsOf: (rows) => rows,
  caption: 'consoleMembers.caption',
  rowKey: ({ id }) => id,
  nameOf: ({ email }) => email,
  defaultSort: '-joined',
  none: { title: 'consoleMembers.none' },
  columns: [
    {
      name: 'member',
      heading: 'consoleMembers.member',
      isAddress: true,
      cell: ({ id, email }) => (
        <a className={styles.email} href={pathTo('console.member', { id })}>
          <Address email={email} />
        </a>
      ),
    },
    {
      name: 'name',
      heading: 'consoleMembers.name',
      cell: ({ name }) => <span className={styles.name}>{name || '–'}</span>,
    },
    { name: 'state', heading: 'consoleMembers.state', cell: (member) => <StateTag member={member} /> },
    {
      name: 'kyc',
      heading: 'consoleMembers.kyc',
      cell: ({ kyc }) => (kyc === 'none' ? '–' : <KycTag kyc={kyc} />),
    },
    {
      name: 'factor',
      heading: 'consoleMembers.factor',
      cell: (member) => <FactorText member={member} />,
      isExtra: true,
    },
    { name: 'rights', heading: 'consoleMembers.rights', cell: (member) => <RightTags member={member} /> },
    {
      name: 'joined',
      heading: 'consoleMembers.joined',
      sort: 'joined',
      cell: ({ memberSince }) => <Day at={memberSince} />,
    },
    {
      name: 'signIn',
      heading: 'consoleMembers.signIn',
      sort: 'signIn',
      cell: ({ lastSignIn }) => (lastSignIn ? <Day at={lastSignIn} /> : '–'),
    },
    { name: 'id', heading: 'consoleMembers.id', cell: ({ id }) => id, isExtra: true },
  ],
  filters: [
    {
      kind: 'search',
      name: 'q',
      label: 'consoleMembers.search',
      placeholder: 'consoleMembers.search.placeholder',
    },
    {
      kind: 'choice',
      name: 'active',
      label: 'consoleMembers.filter.active',
      options: [
        { value: 'yes', label: 'consoleMembers.filter.active.yes' },
        { value: 'no', label: 'consoleMembers.filter.active.no' },
      ],
    },
    {
      kind: 'choice',
      name: 'right',
      label: 'consoleMembers.filter.right',
      options: (['any', 'news', 'employee', 'finance', 'coins', 'admin'] as const).map((value) => ({
        value,
        label: rightWords[value],
      })),
    },
    {
      kind: 'choice',
      name: 'kyc',
      label: 'consoleMembers.kyc',
      options: kycStates.map((value) => ({ value, label: kycWords[value] })),
    },
    {
      kind: 'choice',
      name: 'factor',
      label: 'consoleMembers.factor',
      options: [
        { value: 'yes', label: 'consoleMembers.factor.yes' },
        { value: 'no', label: 'consoleMembers.factor.no' },
      ],
    },
    { kind: 'day', name: 'from', label: 'consoleMembers.from' },
    { kind: 'day', name: 'to', label: 'consoleMembers.to' },
  ],
} as const satisfies ListSpec<typeof listConsoleMembers, ConsoleMember>

const bulk = [
  {
    name: 'activation',
    label: 'consoleMembers.activation',
    run: ({ id }: ConsoleMember) => call(resendMemberActivation, { params: { id }, body: null }),
  },
  {
    name: 'sessions',
    label: 'consoleMembers.ending.bulk',
    isDangerous: true,
    run: ({ id }: ConsoleMember) => call(endMemberSessions, { params: { id }, body: null }),
  },
] as const

/** With what can be done with several, for who may. */
export const listOfMembers = (mayAct: boolean): ListSpec<typeof listConsoleMembers, ConsoleMember> =>
  mayAct ? { ...list, bulk } : list

function FactorText({ member }: { member: ConsoleMember }) {
  const { t } = useWords()
  return t(member.hasFactor ? 'consoleMembers.factor.yes' : 'consoleMembers.factor.no')
}
