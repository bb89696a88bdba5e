import type { ReactNode } from 'react'
import type { ApplicationDetail } from '#contract/console-ambassadors.ts'
import { useMessages } from '../../i18n/messages.tsx'
import { NewTabLink } from '../../layout/new-tab-link.tsx'
import { pathTo } from '../../routes/routes.ts'
import { Facts, type Fact } from '../../ui/description-list.tsx'
import { Address } from '../../ui/address.tsx'
import { LanguageName } from './application-list.tsx'
import styles from './applications.module.css'

export function ApplicationFacts({ application }: { application: ApplicationDetail }) {
  const { t, formatMoment, formatDate } = useMessages()
  const { email, memberId, socialMedia, language, createdAt, stateAt, assignee } = application
  const { status, reason, isReasonTold, erasedAt, ambassadorId, sentAgainAt } = application
  const moment = (at: string) => <time dateTime={at}>{formatMoment(at)}</time>
  const facts: (Fact | null)[] = [
    {
      name: 'email',
      label: t('consoleAmbassadors.email'),
      value: memberId ? (
        <a href={pathTo('console.member', { id: memberId })}>
          <Address email={email} />
        </a>
      ) : (
        <>
          <Address email={email} />
          <span className={`${styles.quiet} ${styles.note}`}>{t('consoleAmbassadors.noAccount')}</span>
        </>
      ),
    },
    {
      name: 'social',
      label: t('consoleAmbassadors.social'),
      value:
        socialMedia.length === 0 ? (
          '–'
        ) : (
          <ul className={styles.links}>
            {socialMedia.map((given) => (
              <li key={given}>
                <Profile given={given} />
              </li>
            ))}
          </ul>
        ),
    },
    {
      name: 'language',
      label: t('consoleAmbassadors.language'),
      value: <LanguageName language={language} />,
    },
    { name: 'sent', label: t('consoleAmbassadors.sent'), value: moment(createdAt) },
    sentAgainAt
      ? {
          name: 'sentAgain',
          label: t('consoleAmbassadors.sentAgain'),
          value: (
            <>
              {moment(sentAgainAt)}
              <span className={`${styles.quiet} ${styles.note}`}>
                {t('consoleAmbassadors.sentAgain.help')}
              </span>
            </>
          ),
        }
      : null,
    status === 'received'
      ? null
      : { name: 'since', label: t('consoleAmbassadors.stateSince'), value: moment(stateAt) },
    {
      name: 'assignee',
      label: t('consoleAmbassadors.assignee'),
      value: assignee
        ? (assignee.name ?? t('console.formerColleague'))
        : t('consoleAmbassadors.assignee.nobody'),
    },
    ambassadorId
      ? {
          name: 'ambassador',
          label: t('consoleAmbassadors.ambassador.label'),
          value: (
            <a href={pathTo('console.ambassadorProfile', { id: ambassadorId })}>
              {t('consoleAmbassadors.ambassador')}
            </a>
          ),
        }
      : null,
    reason
      ? {
          name: 'reason',
          label: t(isReasonTold ? 'consoleAmbassadors.reason.told' : 'consoleAmbassadors.reason.untold'),
          value: <span className={styles.why}>{reason}</span>,
        }
      : null,
    erasedAt
      ? {
          name: 'erased',
          label: t(
            status === 'declined' ? 'consoleAmbassadors.erasedOn' : 'consoleAmbassadors.erasedUndecided',
          ),
          value: <time dateTime={erasedAt}>{formatDate(erasedAt)}</time>,
        }
      : null,
  ]
  return <Facts facts={facts.filter((fact): fact is Fact => fact !== null)} />
}

/** Applicants can enter any text, so only web addresses become links. */
function Profile({ given }: { given: string }): ReactNode {
  return /^https?:\/\//i.test(given) ? <NewTabLink href={given}>{given}</NewTabLink> : given
}
