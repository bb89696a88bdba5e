import { getConsoleMember, type ConsoleMemberDetail } from '#contract/console-members.ts'
import { LoadFailed } from '../../actions/load-failed.tsx'
import { useLoaded } from '../../actions/use-loaded.ts'
import { call } from '../../call/call.ts'
import { useMessages } from '../../i18n/messages.tsx'
import { navigate } from '../../navigation/navigate.ts'
import { page, type PageProps } from '../../routes/page.ts'
import { pathTo } from '../../routes/routes.ts'
import { useSession, type Member } from '../../session/session.ts'
import { Loading } from '../../ui/loading.tsx'
import { PageHead, PagePart } from '../../ui/page-head.tsx'
import { Address } from '../../ui/address.tsx'
import { mayOpen } from '../can-access.ts'
import { ErasureNotice } from './erasure-notice.tsx'
import { MailboxNotice } from './mailbox-notice.tsx'
import { MemberActions } from './member-actions.tsx'
import { MemberFacts } from './member-facts.tsx'
import { StateTag } from './member-labels.tsx'
import { MemberNotes } from './member-notes.tsx'
import { MemberTimeline } from './member-timeline.tsx'
import styles from './members.module.css'

function MemberView({ params }: PageProps<unknown>) {
  const { member } = useSession()
  const id = params['id'] ?? ''
  return member && <OneMember key={id} id={id} reader={member} />
}

function OneMember({ id, reader }: { id: string; reader: Member }) {
  const { t } = useMessages()
  const loaded = useLoaded(id, () => call(getConsoleMember, { params: { id } }))
  if (loaded.state === 'loading')
    return (
      <>
        <PageHead heading={t('consoleMembers.member')} />
        <Loading label={t('forms.loading')} />
      </>
    )
  if (loaded.state === 'failed')
    return (
      <>
        <PageHead heading={t('consoleMembers.member')} />
        <LoadFailed
          title={t('consoleMembers.failed')}
          failure={loaded.failure}
          retry={loaded.retry}
          alternative={<a href={pathTo('console.members')}>{t('consoleMembers.back')}</a>}
        />
      </>
    )
  return (
    <LoadedMember member={loaded.data} reader={reader} onChanged={loaded.setData} onStale={loaded.reload} />
  )
}

export type MemberChanged = (member: ConsoleMemberDetail) => void

type Props = {
  member: ConsoleMemberDetail
  reader: Member
  onChanged: MemberChanged
  /** Called if the displayed state is outdated. */
  onStale: () => void
}

function LoadedMember({ member, reader, onChanged, onStale }: Props) {
  const { t } = useMessages()
  const mayAct = mayOpen(reader, { needs: { level: 'employee', atLeast: 2 } })
  const acting = { member, reader, onChanged, onStale }
  return (
    <>
      <PageHead
        heading={member.name || <Address email={member.email} />}
        lead={
          <span className={styles.lead}>
            {member.name && member.email}
            <StateTag member={member} />
          </span>
        }
        action={<a href={pathTo('console.members')}>{t('consoleMembers.back')}</a>}
      />
      {member.mailbox && (
        <MailboxNotice member={member} refusal={member.mailbox} mayAct={mayAct} onChanged={onChanged} />
      )}
      {member.erasure && (
        <ErasureNotice
          member={member}
          erasure={member.erasure}
          mayAct={mayAct}
          onChanged={onChanged}
          onErased={() => void navigate(pathTo('console.members'))}
        />
      )}
      <div className={styles.columns}>
        <div>
          <PagePart id="actions" heading={t('consoleMembers.actions')}>
            {mayAct ? <MemberActions {...acting} /> : <p>{t('consoleMembers.readOnly')}</p>}
          </PagePart>
          <PagePart
            id="timeline"
            heading={t('consoleMembers.timeline')}
            lead={t('consoleMembers.timeline.help')}
          >
            <MemberTimeline id={member.id} state={`${member.lastUpdated} ${member.notes.length}`} />
          </PagePart>
        </div>
        <div>
          <PagePart id="facts" heading={t('consoleMembers.facts')}>
            <MemberFacts member={member} />
          </PagePart>
          <PagePart id="notes" heading={t('consoleMembers.notes')}>
            <MemberNotes member={member} mayAct={mayAct} onChanged={onChanged} />
          </PagePart>
        </div>
      </div>
    </>
  )
}

export default page({ View: MemberView })
