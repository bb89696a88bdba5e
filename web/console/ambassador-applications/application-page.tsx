import { getAmbassadorApplication, type ApplicationDetail } from '#contract/console-ambassadors.ts'
import { LoadFailed } from '../../actions/load-failed.tsx'
import { useLoaded } from '../../actions/use-loaded.ts'
import { call } from '../../call/call.ts'
import { useMessages } from '../../i18n/messages.tsx'
import { navigate } from '../../navigation/navigate.ts'
import { page, type PageProps } from '../../routes/page.ts'
import { labelOf, pathTo } from '../../routes/routes.ts'
import { useSession, type Member } from '../../session/session.ts'
import { Loading } from '../../ui/loading.tsx'
import { PageHead, PagePart } from '../../ui/page-head.tsx'
import { mayOpen } from '../can-access.ts'
import { ApplicationActions } from './application-actions.tsx'
import { ApplicationFacts } from './application-facts.tsx'
import { ApplicationHistory } from './application-history.tsx'
import { ApplicationNotes } from './application-notes.tsx'
import styles from './applications.module.css'
import { Duplicates } from './duplicates.tsx'
import { StateTag } from './state-tag.tsx'
import { WaitTags } from './wait-tags.tsx'

function ApplicationView({ params }: PageProps<unknown>) {
  const { member } = useSession()
  const id = params['id'] ?? ''
  return member && <OneApplication key={id} id={id} reader={member} />
}

const toBoard = () => pathTo('console.ambassadors')

function OneApplication({ id, reader }: { id: string; reader: Member }) {
  const { t } = useMessages()
  const loaded = useLoaded(id, () => call(getAmbassadorApplication, { params: { id } }))
  if (loaded.state === 'loading')
    return (
      <>
        <PageHead heading={t(labelOf('console.ambassadorApplication'))} />
        <Loading label={t('forms.loading')} />
      </>
    )
  if (loaded.state === 'failed')
    return (
      <LoadFailed
        title={t('consoleAmbassadors.failed')}
        failure={loaded.failure}
        retry={loaded.retry}
        alternative={<a href={toBoard()}>{t('consoleAmbassadors.back')}</a>}
      />
    )
  return <LoadedApplication application={loaded.data} reader={reader} onChanged={loaded.setData} />
}

type Props = {
  application: ApplicationDetail
  reader: Member
  onChanged: (application: ApplicationDetail) => void
}

function LoadedApplication({ application, reader, onChanged }: Props) {
  const { t } = useMessages()
  const mayAct = mayOpen(reader, { needs: { level: 'employee', atLeast: 2 } })
  const { id, fullName, city, country, status, description, duplicates } = application
  return (
    <>
      <PageHead
        heading={fullName}
        lead={
          <span className={styles.lead}>
            {t('consoleAmbassadors.place', { city, country })}
            <StateTag status={status} />
            <WaitTags application={application} />
          </span>
        }
        action={<a href={toBoard()}>{t('consoleAmbassadors.back')}</a>}
      />
      <div className={styles.columns}>
        <div>
          <PagePart id="why" heading={t('consoleAmbassadors.why')}>
            <p className={styles.why}>{description || t('consoleAmbassadors.why.none')}</p>
          </PagePart>
          <PagePart id="facts" heading={t('consoleAmbassadors.facts')}>
            <ApplicationFacts application={application} />
          </PagePart>
          {duplicates.length > 0 && (
            <PagePart
              id="duplicates"
              heading={t('consoleAmbassadors.duplicates')}
              lead={t('consoleAmbassadors.duplicates.help')}
            >
              <Duplicates duplicates={duplicates} />
            </PagePart>
          )}
        </div>
        <div>
          <PagePart id="actions" heading={t('consoleAmbassadors.actions')}>
            {mayAct ? (
              <ApplicationActions
                application={application}
                reader={reader}
                onChanged={onChanged}
                onErased={() => void navigate(toBoard())}
              />
            ) : (
              <p>{t('consoleAmbassadors.readOnly')}</p>
            )}
          </PagePart>
          <PagePart id="notes" heading={t('consoleAmbassadors.notes')}>
            <ApplicationNotes key={id} application={application} mayAct={mayAct} onChanged={onChanged} />
          </PagePart>
          <PagePart id="history" heading={t('consoleAmbassadors.history')}>
            <ApplicationHistory application={application} />
          </PagePart>
        </div>
      </div>
    </>
  )
}

export default page({ View: ApplicationView })
