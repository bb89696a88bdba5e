import {
  assignMembers,
  type ConsoleMember,
  consoleMembers,
  endSessionsOfMembers,
  listMemberColleagues,
  resendMemberActivations,
} from '#contract/people/console-members.ts'
import { kycStates } from '#contract/people/kyc.ts'
import { call } from '../../kernel/call/call.ts'
import { useMessages } from '../../kernel/i18n/messages.tsx'
import { pathTo } from '../../kernel/routes/routes.ts'
import { ButtonLink } from '../../kernel/ui/button.tsx'
import { Address } from '../../kernel/ui/address.tsx'
import { assigneeColumn, assigneeField, assigneeFilter, assigneeOf } from '../list/assignee.tsx'
import { listPage } from '../list/list-page.tsx'
import type { ListSpec } from '../list/list-spec.ts'
import { ListDay } from '../list/list-time.tsx'
import { RightTags, StateTag } from './member-labels.tsx'
import { KycTag } from '../kyc-tag.tsx'
import styles from './members.module.css'

const list = {
  resource: consoleMembers,
  route: 'console.members',
  caption: 'consoleMembers.caption',
  nameOf: ({ email }) => email,
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
      cell: ({ name }) => name && <span className={styles.name}>{name}</span>,
    },
    { name: 'state', heading: 'consoleMembers.state', cell: (member) => <StateTag member={member} /> },
    {
      name: 'kyc',
      heading: 'consoleMembers.kyc',
      cell: ({ kyc }) => kyc !== 'none' && <KycTag kyc={kyc} />,
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
      cell: ({ memberSince }) => <ListDay at={memberSince} />,
    },
    {
      name: 'signIn',
      heading: 'consoleMembers.signIn',
      sort: 'signIn',
      cell: ({ lastSignIn }) => lastSignIn && <ListDay at={lastSignIn} />,
    },
    { ...assigneeColumn, isExtra: true },
    { name: 'id', heading: 'consoleMembers.id', cell: ({ id }) => id, isExtra: true },
  ],
  filters: {
    q: {
      kind: 'search',
      label: 'consoleMembers.search',
      placeholder: 'consoleMembers.search.placeholder',
    },
    similarTo: null,
    active: {
      kind: 'choice',
      label: 'consoleMembers.filter.active',
      options: [
        { value: 'yes', label: 'consoleMembers.filter.active.yes' },
        { value: 'no', label: 'consoleMembers.filter.active.no' },
      ],
    },
    right: {
      kind: 'choice',
      label: 'consoleMembers.filter.right',
      options: (['any', 'news', 'employee', 'finance', 'coins', 'admin'] as const).map((value) => ({
        value,
        label: `consoleMembers.right.${value}`,
      })),
    },
    kyc: {
      kind: 'choice',
      label: 'consoleMembers.kyc',
      options: kycStates.map((value) => ({ value, label: `consoleMembers.kyc.${value}` })),
    },
    factor: {
      kind: 'choice',
      label: 'consoleMembers.factor',
      options: [
        { value: 'yes', label: 'consoleMembers.factor.yes' },
        { value: 'no', label: 'consoleMembers.factor.no' },
      ],
    },
    assignee: assigneeFilter,
    waitingFor: {
      kind: 'choice',
      label: 'consoleMembers.filter.erasure',
      options: [{ value: 'me', label: 'consoleMembers.filter.erasure.me' }],
    },
    from: { kind: 'day', label: 'consoleMembers.from' },
    to: { kind: 'day', label: 'consoleMembers.to' },
  },
  tagOf: (member) => <StateTag member={member} />,
  bulk: [
    {
      name: 'assign',
      label: 'consoleMembers.bulk.assign',
      endpoint: assignMembers,
      versionOf: assigneeOf,
      fields: [assigneeField(() => call(listMemberColleagues, {}))],
    },
    { name: 'activation', label: 'consoleMembers.bulk.activation', endpoint: resendMemberActivations },
    {
      name: 'sessions',
      label: 'consoleMembers.bulk.sessions',
      endpoint: endSessionsOfMembers,
      isDangerous: true,
    },
  ],
} as const satisfies ListSpec<typeof consoleMembers>

function FactorText({ member }: { member: ConsoleMember }) {
  const { t } = useMessages()
  return t(member.hasFactor ? 'consoleMembers.factor.yes' : 'consoleMembers.factor.no')
}

function InvitationsLink() {
  const { t } = useMessages()
  return (
    <ButtonLink kind="quiet" href={pathTo('console.invitations')}>
      {t('consoleMembers.invite.link')}
    </ButtonLink>
  )
}

export default listPage({
  list,
  lead: 'consoleMembers.lead',
  action: (reader) => reader.isWriteAccessAdmin && <InvitationsLink />,
})
