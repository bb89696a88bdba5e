import {
  addApplicationNote,
  getAmbassadorApplication,
  removeApplicationNote,
  shownMax,
  type ApplicationDetail,
  type DuplicateApplication,
} from '#contract/console-ambassadors.ts'
import { call } from '../../call/call.ts'
import { useMessages, type UsedMessages } from '../../i18n/messages.tsx'
import { NewTabLink } from '../../layout/new-tab-link.tsx'
import { pathTo } from '../../routes/routes.ts'
import { Address } from '../../ui/address.tsx'
import type { StateLines } from '../detail/conflict.tsx'
import { detailPage, type DetailContext } from '../detail/detail-page.tsx'
import type { LabeledValues } from '../detail/labeled-facts.tsx'
import type { NotesSpec } from '../detail/staff-notes.tsx'
import type { TimelineEvent } from '../detail/timeline.tsx'
import { languageLabel } from '../language-label.ts'
import { applicationActions } from './application-actions.tsx'
import { LanguageName, StateTag, WaitTags } from './application-tags.tsx'
import styles from './applications.module.css'

type Context = DetailContext<ApplicationDetail>

const nameOfAssignee = ({ assignee }: ApplicationDetail, t: UsedMessages['t']): string =>
  assignee ? (assignee.name ?? t('console.formerColleague')) : t('consoleAmbassadors.assignee.nobody')

function factsOf({ record, t, formatDate, moment }: Context): LabeledValues {
  const { status, reason, erasedAt, ambassadorId, sentAgainAt } = record
  return {
    'consoleAmbassadors.email': <Applicant application={record} />,
    'consoleAmbassadors.social': <Profiles given={record.socialMedia} />,
    'consoleAmbassadors.language': <LanguageName language={record.language} />,
    'consoleAmbassadors.sent': moment(record.createdAt),
    'consoleAmbassadors.sentAgain': sentAgainAt && (
      <>
        {moment(sentAgainAt)}
        <span className={`${styles.quiet} ${styles.note}`}>{t('consoleAmbassadors.sentAgain.help')}</span>
      </>
    ),
    'consoleAmbassadors.stateSince': status !== 'received' && moment(record.stateAt),
    'consoleAmbassadors.assignee': nameOfAssignee(record, t),
    'consoleAmbassadors.ambassador.label': ambassadorId && (
      <a href={pathTo('console.ambassadorProfile', { id: ambassadorId })}>
        {t('consoleAmbassadors.ambassador')}
      </a>
    ),
    [record.isReasonTold ? 'consoleAmbassadors.reason.told' : 'consoleAmbassadors.reason.untold']: reason && (
      <span className={styles.why}>{reason}</span>
    ),
    [status === 'declined' ? 'consoleAmbassadors.erasedOn' : 'consoleAmbassadors.erasedUndecided']:
      erasedAt && <time dateTime={erasedAt}>{formatDate(erasedAt)}</time>,
  }
}

function Applicant({ application: { email, memberId } }: { application: ApplicationDetail }) {
  const { t } = useMessages()
  if (memberId)
    return (
      <a href={pathTo('console.member', { id: memberId })}>
        <Address email={email} />
      </a>
    )
  return (
    <>
      <Address email={email} />
      <span className={`${styles.quiet} ${styles.note}`}>{t('consoleAmbassadors.noAccount')}</span>
    </>
  )
}

/** Applicants can enter any text, so only web addresses become links. */
function Profiles({ given }: { given: readonly string[] }) {
  if (given.length === 0) return '–'
  return (
    <ul className={styles.links}>
      {given.map((each) => (
        <li key={each}>{/^https?:\/\//i.test(each) ? <NewTabLink href={each}>{each}</NewTabLink> : each}</li>
      ))}
    </ul>
  )
}

/** Other applications that share data with this one, and the shared data. */
function Duplicates({ duplicates }: { duplicates: readonly DuplicateApplication[] }) {
  const { t, formatDate } = useMessages()
  return (
    <ul className={styles.duplicates}>
      {duplicates.map(({ id, fullName, city, country, status, createdAt, by }) => (
        <li key={id}>
          <a href={pathTo('console.ambassadorApplication', { id })}>{fullName}</a>
          <StateTag status={status} />
          <span className={styles.quiet}>
            {t('consoleAmbassadors.place', { city, country })} ·{' '}
            <time dateTime={createdAt}>{formatDate(createdAt)}</time>
          </span>
          <span>
            {t('consoleAmbassadors.same', {
              signs: by
                .map((sign) => t(`consoleAmbassadors.same.${sign}`))
                .join(t('consoleAmbassadors.same.separator')),
            })}
          </span>
        </li>
      ))}
    </ul>
  )
}

const notesOf = ({ t, record: { id, notes } }: Context): NotesSpec<ApplicationDetail> => ({
  notes,
  help: t('consoleAmbassadors.notes.help'),
  schema: addApplicationNote.body.shape.text,
  shownMax,
  add: (text) => call(addApplicationNote, { params: { id }, body: { text } }),
  remove: (noteId) => call(removeApplicationNote, { params: { id, noteId } }),
})

const eventsOf = ({ t, record: { steps, createdAt, sentAgainAt } }: Context): TimelineEvent[] => [
  ...steps.map(({ id, kind, at, by, to }) => ({
    key: id,
    at,
    what: t(`consoleAmbassadors.step.${kind}`, { name: to ?? t('console.formerColleague') }),
    by: by ?? t('console.formerColleague'),
  })),
  ...(sentAgainAt
    ? [{ key: 'sentAgain', at: sentAgainAt, what: t('consoleAmbassadors.step.sentAgain') }]
    : []),
  { key: 'sent', at: createdAt, what: t('consoleAmbassadors.step.sent') },
]

const comparedIn = (application: ApplicationDetail, { t }: UsedMessages): StateLines => [
  ['consoleAmbassadors.state', t(`consoleAmbassadors.state.${application.status}`)],
  ['consoleAmbassadors.assignee', nameOfAssignee(application, t)],
  ['consoleAmbassadors.name', application.fullName],
  ['consoleAmbassadors.city', application.city],
  ['consoleAmbassadors.country', application.country],
  ['consoleAmbassadors.language', languageLabel(t, application.language)],
  ['consoleAmbassadors.social', application.socialMedia.join(', ') || '–'],
  ['consoleAmbassadors.why', application.description || '–'],
]

export default detailPage<ApplicationDetail>({
  route: 'console.ambassadorApplication',
  back: 'consoleAmbassadors.back',
  failed: 'consoleAmbassadors.failed',
  read: (id) => call(getAmbassadorApplication, { params: { id } }),
  conflict: comparedIn,
  name: ({ record }) => record.fullName,
  title: ({ record }) => record.fullName,
  lead: ({ t, record }) => (
    <>
      {t('consoleAmbassadors.place', record)}
      <StateTag status={record.status} />
      <WaitTags application={record} />
    </>
  ),
  columns: [
    (of) => [
      {
        id: 'why',
        heading: 'consoleAmbassadors.why',
        body: <p className={styles.why}>{of.record.description || of.t('consoleAmbassadors.why.none')}</p>,
      },
      { id: 'facts', heading: 'consoleAmbassadors.facts', facts: factsOf(of) },
      of.record.duplicates.length > 0 && {
        id: 'duplicates',
        heading: 'consoleAmbassadors.duplicates',
        lead: 'consoleAmbassadors.duplicates.help',
        body: <Duplicates duplicates={of.record.duplicates} />,
      },
    ],
    (of) => [
      {
        id: 'actions',
        heading: 'consoleAmbassadors.actions',
        actions: applicationActions(of),
        readOnly: 'consoleAmbassadors.readOnly',
      },
      { id: 'notes', heading: 'consoleAmbassadors.notes', notes: notesOf(of) },
      { id: 'history', heading: 'consoleAmbassadors.history', events: eventsOf(of) },
    ],
  ],
})
