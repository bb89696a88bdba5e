import {
  acceptAmbassadorApplication,
  addApplicationNote,
  type ApplicationDetail,
  assignAmbassadorApplication,
  type DuplicateApplication,
  eraseAmbassadorApplication,
  getAmbassadorApplication,
  listApplicationColleagues,
  listApplicationReaders,
  removeApplicationNote,
  reviewAmbassadorApplication,
} from '#contract/people/console-ambassadors.ts'
import { call } from '../../kernel/call/call.ts'
import { useMessages, type UsedMessages } from '../../kernel/i18n/messages.tsx'
import { NewTabLink } from '../../kernel/layout/new-tab-link.tsx'
import { pathTo } from '../../kernel/routes/routes.ts'
import { Address } from '../../kernel/ui/address.tsx'
import { AssignForm, nameOfAssignee } from '../detail/assign-form.tsx'
import type { StateLines } from '../detail/conflict.tsx'
import type { ActionList } from '../detail/detail-actions.tsx'
import { detailPage, type DetailContext } from '../detail/detail-page.tsx'
import type { LabeledValues } from '../detail/labeled-facts.tsx'
import type { NotesSpec } from '../../kernel/staff-notes/staff-notes.tsx'
import type { TimelineEvent } from '../detail/timeline.tsx'
import { languageLabel } from '../../kernel/i18n/language-label.ts'
import { LanguageName, StateTag, WaitTags } from './application-tags.tsx'
import { DeclineDialog } from './decline-dialog.tsx'
import styles from './applications.module.css'

type Context = DetailContext<ApplicationDetail>

function factsOf(of: Context): LabeledValues {
  const { record, t, formatDate, moment } = of
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
    'console.assignee': nameOfAssignee(record, of),
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
  draft: `application ${id}`,
  help: t('consoleAmbassadors.notes.help'),
  schema: addApplicationNote.body.shape.text,
  colleagues: () => call(listApplicationReaders, { params: { id } }),
  add: (text, mentions) => call(addApplicationNote, { params: { id }, body: { text, mentions } }),
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

const comparedIn = (application: ApplicationDetail, words: UsedMessages): StateLines => [
  ['consoleAmbassadors.state', words.t(`consoleAmbassadors.state.${application.status}`)],
  ['console.assignee', nameOfAssignee(application, words)],
  ['consoleAmbassadors.name', application.fullName],
  ['consoleAmbassadors.city', application.city],
  ['consoleAmbassadors.country', application.country],
  ['consoleAmbassadors.language', languageLabel(words.t, application.language)],
  ['consoleAmbassadors.social', application.socialMedia.join(', ') || '–'],
  ['consoleAmbassadors.why', application.description || '–'],
]

type ActionContext = DetailContext<ApplicationDetail>

function applicationActions(of: ActionContext): ActionList<ApplicationDetail> {
  const { t, record } = of
  const { status, isErasable, ambassadorId, lastUpdated, assignee } = record
  const params = { id: record.id }
  const seen = { params, body: { lastUpdated } }
  const isOpen = status === 'received' || status === 'in_review'
  return {
    before: (act, isBusy) =>
      isOpen && (
        <AssignForm
          key={assignee?.id ?? ''}
          assignee={assignee}
          reader={of.reader}
          colleagues={() => call(listApplicationColleagues, {})}
          assign={(to) => call(assignAmbassadorApplication, { params, body: { to, lastUpdated } })}
          act={act}
          isBusy={isBusy}
        />
      ),
    actions: [
      {
        words: 'consoleAmbassadors.review',
        isOffered: status === 'received',
        kind: 'primary',
        isImmediate: true,
        step: () => call(reviewAmbassadorApplication, seen),
      },
      {
        words: 'consoleAmbassadors.accept',
        isOffered: status === 'in_review',
        kind: 'primary',
        text: t('consoleAmbassadors.accept.text', { language: languageLabel(t, record.language) }),
        step: () => call(acceptAmbassadorApplication, seen),
      },
      {
        words: 'consoleAmbassadors.decline',
        isOffered: isOpen,
        kind: 'danger',
        dialog: (tools) => <DeclineDialog application={record} {...tools} />,
      },
      {
        words: 'consoleAmbassadors.erase',
        isOffered: isErasable,
        confirmKind: 'danger',
        more: ambassadorId && <p>{t('consoleAmbassadors.erase.invitation')}</p>,
        step: () => call(eraseAmbassadorApplication, { params }),
        next: 'leave',
      },
    ],
    after: status === 'accepted' && ambassadorId && (
      <p>{t(isErasable ? 'consoleAmbassadors.invited' : 'consoleAmbassadors.accepted')}</p>
    ),
  }
}

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
      { id: 'notes', heading: 'console.notes', notes: notesOf(of) },
      { id: 'history', heading: 'consoleAmbassadors.history', events: eventsOf(of) },
    ],
  ],
})
