import { useState } from 'react'
import {
  resendStaffInvitation,
  revokeStaffInvitation,
  staffInvitations,
  staffInvitationStates,
  type StaffInvitation,
} from '#contract/people/staff-invitations.ts'
import { call } from '../../kernel/call/call.ts'
import { ConfirmDialog } from '../../kernel/forms/confirm-dialog.tsx'
import { staffName } from '../../kernel/i18n/staff-name.ts'
import { useMessages } from '../../kernel/i18n/messages.tsx'
import { showNotice } from '../../kernel/notices/notices.ts'
import { page, type PageProps } from '../../kernel/routes/page.ts'
import { pathTo } from '../../kernel/routes/routes.ts'
import { useSession } from '../../kernel/session/session.ts'
import { Address } from '../../kernel/ui/address.tsx'
import { Button, TextButton } from '../../kernel/ui/button.tsx'
import { PageHead } from '../../kernel/ui/page-head.tsx'
import { Tag, type TagColor } from '../../kernel/ui/tag.tsx'
import { ConsoleList } from '../list/console-list.tsx'
import type { ListSpec } from '../list/list-spec.ts'
import { ListTime } from '../list/list-time.tsx'
import { useActionDialog } from '../use-asked-action.ts'
import { InviteDialog } from './invite-dialog.tsx'
import { RightTags } from './member-labels.tsx'
import styles from './members.module.css'

const stateColors: Readonly<Record<StaffInvitation['state'], TagColor>> = {
  open: 'yellow',
  accepted: 'green',
  expired: 'quiet',
  revoked: 'red',
}

type Act = { kind: 'send' | 'revoke'; invitation: StaffInvitation }

const listOf = (act: (wanted: Act) => void): ListSpec<typeof staffInvitations> => ({
  resource: staffInvitations,
  route: 'console.invitations',
  nameOf: ({ email }) => email,
  none: { title: 'consoleMembers.invitations.none', help: 'consoleMembers.invitations.none.help' },
  columns: [
    {
      name: 'email',
      heading: 'consoleMembers.invitations.email',
      isAddress: true,
      cell: ({ memberId, email }) => (
        <a className={styles.email} href={pathTo('console.member', { id: memberId })}>
          <Address email={email} />
        </a>
      ),
    },
    {
      name: 'rights',
      heading: 'consoleMembers.rights',
      cell: (invitation) => <RightTags member={invitation} />,
    },
    {
      name: 'state',
      heading: 'consoleMembers.state',
      cell: ({ state }) => <InvitationState state={state} />,
    },
    {
      name: 'by',
      heading: 'consoleMembers.invitations.by',
      cell: (invitation) => <InvitedBy {...invitation} />,
    },
    {
      name: 'sent',
      heading: 'consoleMembers.invitations.sent',
      sort: 'sent',
      cell: ({ sentAt }) => <ListTime at={sentAt} />,
    },
    {
      name: 'expires',
      heading: 'consoleMembers.invitations.expires',
      cell: ({ expiresAt }) => <ListTime at={expiresAt} />,
    },
    {
      name: 'actions',
      heading: 'consoleMembers.invitations.actions',
      cell: (invitation) => <RowActions invitation={invitation} act={act} />,
    },
  ],
  filters: {
    q: { kind: 'search', label: 'consoleMembers.search', placeholder: 'consoleMembers.invitations.email' },
    state: {
      kind: 'choice',
      label: 'consoleMembers.state',
      options: staffInvitationStates.map((value) => ({
        value,
        label: `consoleMembers.invitations.state.${value}`,
      })),
    },
  },
})

function InvitationState({ state }: Pick<StaffInvitation, 'state'>) {
  const { t } = useMessages()
  return <Tag colour={stateColors[state]}>{t(`consoleMembers.invitations.state.${state}`)}</Tag>
}

function InvitedBy({ invitedBy }: StaffInvitation) {
  const { language } = useMessages()
  return invitedBy && staffName(invitedBy, language)
}

function RowActions({ invitation, act }: { invitation: StaffInvitation; act: (wanted: Act) => void }) {
  const { t } = useMessages()
  if (invitation.state !== 'open' && invitation.state !== 'expired') return null
  return (
    <span className={styles.rowActions}>
      <TextButton onClick={() => act({ kind: 'send', invitation })}>
        {t('consoleMembers.invitations.send')}
      </TextButton>
      <TextButton onClick={() => act({ kind: 'revoke', invitation })}>
        {t('consoleMembers.invitations.revoke')}
      </TextButton>
    </span>
  )
}

/** The invitations of colleagues, which only administrators can send. */
function InvitationsView({ search }: PageProps<unknown>) {
  const { t } = useMessages()
  const { member } = useSession()
  const [isInviting, setInviting] = useActionDialog('consoleMembers.invite')
  const [acting, setActing] = useState<Act>()
  /** Increased to load the list again. */
  const [round, setRound] = useState(0)
  const finish = (notice: string) => {
    showNotice(notice, 'success')
    setRound(round + 1)
  }
  return (
    <>
      <PageHead
        heading={t('console.nav.invitations')}
        lead={t('consoleMembers.invitations.lead')}
        action={member && <Button onClick={() => setInviting(true)}>{t('consoleMembers.invite')}</Button>}
      />
      {member && <ConsoleList key={round} spec={listOf(setActing)} search={search} />}
      {isInviting && (
        <InviteDialog
          onDone={({ email }) => finish(t('consoleMembers.invite.done', { email }))}
          onClose={() => setInviting(false)}
        />
      )}
      {acting && <ActDialog {...acting} finish={finish} onClose={() => setActing(undefined)} />}
    </>
  )
}

type ActDialogProps = Act & { finish: (notice: string) => void; onClose: () => void }

function ActDialog({ kind, invitation: { id, email }, finish, onClose }: ActDialogProps) {
  const { t } = useMessages()
  const endpoint = { send: resendStaffInvitation, revoke: revokeStaffInvitation }[kind]
  return (
    <ConfirmDialog
      title={t(`consoleMembers.invitations.${kind}.title`, { email })}
      label={t(`consoleMembers.invitations.${kind}.do`)}
      kind={kind === 'revoke' ? 'danger' : 'primary'}
      step={() => call(endpoint, { params: { id }, body: null })}
      onDone={() => finish(t(`consoleMembers.invitations.${kind}.done`, { email }))}
      onClose={onClose}
    >
      <p>{t(`consoleMembers.invitations.${kind}.text`)}</p>
    </ConfirmDialog>
  )
}

export default page({ View: InvitationsView })
