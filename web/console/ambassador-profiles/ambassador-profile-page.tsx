import { getConsoleAmbassador, type ConsoleAmbassador } from '#contract/console-ambassador-profiles.ts'
import { LoadFailed } from '../../actions/load-failed.tsx'
import { useLoaded } from '../../actions/use-loaded.ts'
import { call, CallFailed } from '../../call/call.ts'
import { useMessages } from '../../i18n/messages.tsx'
import { showNotice } from '../../notices/notices.ts'
import { page, type PageProps } from '../../routes/page.ts'
import { pathTo } from '../../routes/routes.ts'
import { useSession, type Member } from '../../session/session.ts'
import { Empty } from '../../ui/empty.tsx'
import { Message } from '../../ui/form-status.tsx'
import { Loading } from '../../ui/loading.tsx'
import { PageHead, PagePart } from '../../ui/page-head.tsx'
import { mayOpen } from '../can-access.ts'
import { AmbassadorFacts } from './ambassador-facts.tsx'
import styles from './ambassador-profiles.module.css'
import { BoardResults } from './board-results.tsx'
import { nameIn } from './name-in.ts'
import { PlaceForm } from './place-form.tsx'
import { PublicProfile } from './public-profile.tsx'
import { StandingActions } from './standing-actions.tsx'
import { StandingTag } from './standing-tag.tsx'
import { SubmittedProfile } from './submitted-profile.tsx'

function AmbassadorProfileView({ params }: PageProps<unknown>) {
  const { member } = useSession()
  const id = params['id'] ?? ''
  return member && <OneAmbassador key={id} id={id} reader={member} />
}

function OneAmbassador({ id, reader }: { id: string; reader: Member }) {
  const { t } = useMessages()
  const loaded = useLoaded(id, () => call(getConsoleAmbassador, { params: { id } }))
  if (loaded.state === 'loading') return <Loading label={t('forms.loading')} />
  if (loaded.state === 'failed')
    return loaded.failure instanceof CallFailed && loaded.failure.code === 'not_found' ? (
      <Empty title={t('consoleAmbassadorProfiles.gone')}>
        <a href={pathTo('console.ambassadorProfiles')}>{t('consoleAmbassadorProfiles.back')}</a>
      </Empty>
    ) : (
      <LoadFailed
        title={t('consoleAmbassadorProfiles.failed')}
        failure={loaded.failure}
        retry={loaded.retry}
      />
    )
  return (
    <LoadedAmbassador
      ambassador={loaded.data}
      reader={reader}
      onChanged={loaded.setData}
      onStale={() => {
        showNotice(t('consoleAmbassadorProfiles.conflict'))
        loaded.reload()
      }}
    />
  )
}

/** Props of every part with actions on the ambassador. */
export type AmbassadorActionProps = {
  ambassador: ConsoleAmbassador
  onChanged: (ambassador: ConsoleAmbassador) => void
  /** Called if the displayed state is outdated. */
  onStale: () => void
}

function LoadedAmbassador({ reader, ...acting }: AmbassadorActionProps & { reader: Member }) {
  const { t, language } = useMessages()
  const { ambassador } = acting
  const mayAct = mayOpen(reader, { needs: { level: 'employee', atLeast: 2 } })
  const mayDecide = mayAct && !ambassador.isOwn
  const isOver = ambassador.standing === 'ended'
  return (
    <>
      <PageHead
        heading={nameIn(ambassador, language)}
        lead={<StandingTag standing={ambassador.standing} />}
        action={<a href={pathTo('console.ambassadorProfiles')}>{t('consoleAmbassadorProfiles.back')}</a>}
      />
      {mayAct && ambassador.isOwn && (
        <Message kind="note">
          <p>{t('consoleAmbassadorProfiles.own')}</p>
        </Message>
      )}
      {!mayAct && <p>{t('consoleAmbassadorProfiles.readOnly')}</p>}
      <div className={styles.columns}>
        <div>
          <PagePart
            id="submitted"
            heading={t('consoleAmbassadorProfiles.submitted')}
            lead={ambassador.submitted ? t('consoleAmbassadorProfiles.submitted.lead') : undefined}
          >
            {ambassador.submitted ? (
              <SubmittedProfile
                {...acting}
                submitted={ambassador.submitted}
                mayDecide={mayDecide && !isOver}
              />
            ) : (
              <p>{t('consoleAmbassadorProfiles.submitted.none')}</p>
            )}
          </PagePart>
          <PagePart id="public" heading={t('consoleAmbassadorProfiles.public')}>
            {ambassador.approved ? (
              <PublicProfile version={ambassador.approved} />
            ) : (
              <p>{t('consoleAmbassadorProfiles.public.none')}</p>
            )}
          </PagePart>
        </div>
        <div>
          <PagePart id="facts" heading={t('consoleAmbassadorProfiles.facts')}>
            <AmbassadorFacts ambassador={ambassador} />
          </PagePart>
          <PagePart
            id="results"
            heading={t('consoleAmbassadorProfiles.results')}
            lead={ambassador.results ? t('consoleAmbassadorProfiles.results.lead') : undefined}
          >
            <BoardResults ambassador={ambassador} />
          </PagePart>
          {(mayDecide || ambassador.reason) && (
            <PagePart id="standing" heading={t('consoleAmbassadorProfiles.actions')}>
              {ambassador.reason && (
                <p>{t('consoleAmbassadorProfiles.reason.was', { reason: ambassador.reason })}</p>
              )}
              {mayDecide && ambassador.place !== null && <PlaceForm key={ambassador.place} {...acting} />}
              {mayDecide && !isOver && <StandingActions {...acting} />}
            </PagePart>
          )}
        </div>
      </div>
    </>
  )
}

export default page({ View: AmbassadorProfileView })
