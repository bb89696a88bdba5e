import { useState, type ReactNode } from 'react'
import { levelOf, type Rights } from '#contract/people/level-of.ts'
import { memberNoteKinds, readMemberTimeline } from '#contract/people/console-members.ts'
import { consoleStepKinds } from '#contract/money/console-orders.ts'
import { kycStates } from '#contract/people/kyc.ts'
import { getMail } from '#contract/platform/console-mails.ts'
import { timelineKinds, type TimelineEntry, type TimelineKind } from '#contract/platform/timeline.ts'
import { NotLoaded } from '../../kernel/actions/not-loaded.tsx'
import { useAction } from '../../kernel/actions/use-action.ts'
import { useLoaded } from '../../kernel/actions/use-loaded.ts'
import { call, callPage } from '../../kernel/call/call.ts'
import type { PlainKey } from '../../kernel/i18n/message-key.ts'
import { useMessages, type UsedMessages } from '../../kernel/i18n/messages.tsx'
import { pathToCase } from '../../kyc/review/review-address.ts'
import { pathTo } from '../../kernel/routes/routes.ts'
import { Button } from '../../kernel/ui/button.tsx'
import { Select } from '../../kernel/ui/field.tsx'
import { FormStatus } from '../../kernel/ui/form-status.tsx'
import { MailContent } from '../mails/mail-content.tsx'
import { Timeline, type TimelineEvent } from '../detail/timeline.tsx'
import styles from './members.module.css'

const limit = 20

type Page = { rows: readonly TimelineEntry[]; next: string | undefined }

/** The history of the account, page by page, of all kinds or one. `state` changes after each action here. */
export function MemberTimeline({ id, state, reader }: { id: string; state: string; reader: Rights }) {
  const { t } = useMessages()
  const [kind, setKind] = useState<TimelineKind | ''>('')
  return (
    <>
      <Select
        label={t('consoleMembers.timeline.kind')}
        value={kind}
        onChange={({ target }) => setKind(timelineKinds.find((each) => each === target.value) ?? '')}
      >
        <option value="">{t('consoleMembers.timeline.kind.all')}</option>
        {timelineKinds
          .filter((each) => maySee(reader, each))
          .map((each) => (
            <option key={each} value={each}>
              {t(`consoleMembers.timeline.kind.${each}`)}
            </option>
          ))}
      </Select>
      <Events key={kind} id={id} state={state} kind={kind || undefined} />
    </>
  )
}

/** Whether the server shows this kind of event to the reader. */
function maySee(reader: Rights, kind: TimelineKind): boolean {
  if (kind === 'view') return reader.isWriteAccessAdmin
  return (kind !== 'order' && kind !== 'case') || levelOf(reader, 'finance') >= 1
}

function Events({ id, state, kind }: { id: string; state: string; kind: TimelineKind | undefined }) {
  const messages = useMessages()
  const { t } = messages
  const read = (after?: string): Promise<Page> =>
    callPage(readMemberTimeline, {
      params: { id },
      query: { limit, ...(kind && { kind }), ...(after && { after }) },
    })
  const loaded = useLoaded(`${id} ${state}`, () => read())
  const { isBusy, error, run } = useAction()
  if (loaded.state !== 'ready') return <NotLoaded of={loaded} title={t('consoleMembers.timeline.failed')} />
  const { rows, next } = loaded.data
  const more = () =>
    run(async () => {
      const page = await read(next)
      loaded.setData({ rows: [...rows, ...page.rows], next: page.next })
    })
  return (
    <>
      {rows.length === 0 && <p role="status">{t('consoleMembers.timeline.none')}</p>}
      <Timeline events={rows.map((entry) => eventOf(messages, entry))} />
      {next !== undefined && (
        <div className={styles.more}>
          <Button kind="quiet" busy={isBusy} onClick={() => void more()}>
            {t('consoleMembers.timeline.more')}
          </Button>
        </div>
      )}
      <FormStatus error={error} />
    </>
  )
}

const isOneOf = <Name extends string>(names: readonly Name[], name: string): name is Name =>
  (names as readonly string[]).includes(name)

const wordsIn = (messages: Readonly<Record<string, PlainKey>>, name: string): PlainKey | undefined =>
  Object.hasOwn(messages, name) ? messages[name] : undefined

/** Describes an entry of the account's history. Entries from newer releases are shown by name. */
function eventOf(messages: UsedMessages, entry: TimelineEntry): TimelineEvent {
  const by = entry.isMember ? messages.t('consoleMembers.timeline.member') : entry.by
  const said = detailOf(messages, entry)
  const more =
    entry.kind === 'mail' ? (
      <>
        {said}
        <MailInPlace id={entry.key.slice(1)} />
      </>
    ) : (
      said
    )
  const mark = markOf(entry)
  return {
    key: entry.key,
    at: entry.at,
    what: whatOf(messages, entry),
    ...(by && { by }),
    ...(more && { more }),
    ...(mark && { mark }),
  }
}

/** The email as the member sees it, loaded when it is opened. */
function MailInPlace({ id }: { id: string }) {
  const { t } = useMessages()
  const [isOpen, setOpen] = useState(false)
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{t('consoleMembers.timeline.mail.show')}</summary>
      {isOpen && <LoadedMail id={id} />}
    </details>
  )
}

function LoadedMail({ id }: { id: string }) {
  const { t } = useMessages()
  const loaded = useLoaded(id, () => call(getMail, { params: { id } }))
  if (loaded.state !== 'ready') return <NotLoaded of={loaded} title={t('consoleMails.failedToLoad')} />
  return <MailContent mail={loaded.data} />
}

const mailStatusLabels = {
  waiting: 'consoleMembers.timeline.mail.waiting',
  sent: 'consoleMembers.timeline.mail.sent',
  failed: 'consoleMembers.timeline.mail.failed',
} as const satisfies Record<string, PlainKey>

/** Messages for audit log actions about a member. */
const changeMessages = {
  joined: 'consoleMembers.change.joined',
  'member-updated': 'consoleMembers.change.member-updated',
  'member-assigned': 'consoleMembers.change.member-assigned',
  'password-changed': 'consoleMembers.change.password-changed',
  'email-changed': 'consoleMembers.change.email-changed',
  'email-change-opened': 'consoleMembers.change.email-change-opened',
  'email-change-stopped': 'consoleMembers.change.email-change-stopped',
  'rights-granted-by-setting': 'consoleMembers.change.rights-granted-by-setting',
  'rights-granted-by-command': 'consoleMembers.change.rights-granted-by-command',
  'staff-invited': 'consoleMembers.change.staff-invited',
  'staff-invitation-revoked': 'consoleMembers.change.staff-invitation-revoked',
  'staff-invitation-accepted': 'consoleMembers.change.staff-invitation-accepted',
  'factors-ended': 'consoleMembers.change.factors-ended',
  'factors-removed-by-command': 'consoleMembers.change.factors-removed-by-command',
  'second-factor-added': 'consoleMembers.change.second-factor-added',
  'second-factor-removed': 'consoleMembers.change.second-factor-removed',
  'passkey-added': 'consoleMembers.change.passkey-added',
  'passkey-removed': 'consoleMembers.change.passkey-removed',
  'recovery-codes-renewed': 'consoleMembers.change.recovery-codes-renewed',
  'consent-given': 'consoleMembers.change.consent-given',
  'refresh-token-reused': 'consoleMembers.change.refresh-token-reused',
  'member-exported': 'consoleMembers.change.member-exported',
  'phrase-set': 'consoleMembers.change.phrase-set',
  'phrase-changed': 'consoleMembers.change.phrase-changed',
  'mailbox-proved': 'consoleMembers.change.mailbox-proved',
  'phrase-removed': 'consoleMembers.change.phrase-removed',
  'emails-turned-on': 'consoleMembers.change.emails-turned-on',
  'emails-turned-off': 'consoleMembers.change.emails-turned-off',
  'kyc-handoff-made': 'consoleMembers.change.kyc-handoff-made',
  'kyc-handoff-opened': 'consoleMembers.change.kyc-handoff-opened',
  'kyc-handoff-ended': 'consoleMembers.change.kyc-handoff-ended',
  'lost-factor-asked': 'consoleMembers.change.lost-factor-asked',
  'lost-factor-opened': 'consoleMembers.change.lost-factor-opened',
  'lost-factor-confirmed': 'consoleMembers.change.lost-factor-confirmed',
  'lost-factor-declined': 'consoleMembers.change.lost-factor-declined',
  'lost-factor-stopped': 'consoleMembers.change.lost-factor-stopped',
  'lost-factor-done': 'consoleMembers.change.lost-factor-done',
  'activation-sent': 'consoleMembers.change.activation-sent',
  'reset-sent': 'consoleMembers.change.reset-sent',
  'export-offered': 'consoleMembers.change.export-offered',
  'recovery-offered': 'consoleMembers.change.recovery-offered',
  'sessions-ended': 'consoleMembers.change.sessions-ended',
  'mailbox-mark-removed': 'consoleMembers.change.mailbox-mark-removed',
  'note-removed': 'consoleMembers.change.note-removed',
  'erasure-opened': 'consoleMembers.change.erasure-opened',
  'erasure-dropped': 'consoleMembers.change.erasure-dropped',
} as const satisfies Record<string, PlainKey>

/** The fields of a member in entries of the history. */
const fieldLabels: Readonly<Record<string, PlainKey>> = {
  active: 'consoleMembers.filter.active',
  isWriteAccessAdmin: 'consoleMembers.right.admin',
  manageNews: 'consoleMembers.right.news',
  manageEmployee: 'consoleMembers.right.employee',
  manageFinance: 'consoleMembers.right.finance',
  manageCoins: 'consoleMembers.right.coins',
}

function whatOf({ t }: UsedMessages, { kind, what, subject, subjectId }: TimelineEntry): ReactNode {
  if (kind === 'signIn') return t('consoleMembers.timeline.signIn')
  if (kind === 'view') return t('consoleMembers.timeline.view')
  if (kind === 'mail') return t('consoleMembers.timeline.mail', { title: subject })
  if (kind === 'note') return isOneOf(memberNoteKinds, what) ? t(`consoleMembers.note.${what}`) : what
  if (kind === 'change') {
    const change = wordsIn(changeMessages, what)
    return change ? t(change) : t('consoleMembers.change.other', { action: what })
  }
  const detailText =
    kind === 'order'
      ? t('consoleMembers.timeline.order', {
          reference: subject,
          step: isOneOf(consoleStepKinds, what) ? t(`consoleMembers.step.${what}`) : what,
        })
      : t('consoleMembers.timeline.case', {
          state: isOneOf(kycStates, what) ? t(`consoleMembers.kyc.${what}`) : what,
        })
  if (subjectId === null) return detailText
  const path = kind === 'order' ? pathTo('console.order', { id: subjectId }) : pathToCase(subjectId)
  return <a href={path}>{detailText}</a>
}

function detailOf(messages: UsedMessages, { kind, what, detail }: TimelineEntry): string {
  if (kind === 'change' && what === 'member-updated') return describeChanges(messages, detail)
  const state = kind === 'mail' ? wordsIn(mailStatusLabels, detail) : undefined
  return state ? messages.t(state) : detail
}

/** Translates the API's list of changes, such as `active true → false`, and of changed fields. */
const describeChanges = (messages: UsedMessages, detail: string): string =>
  messages.joinNames(
    detail.split(', ').map((change) => {
      const [field = '', before, , after] = change.split(' ')
      const label = wordsIn(fieldLabels, field)
      if (label === undefined) return change
      if (before === undefined || after === undefined) return messages.t(label)
      const value = (text: string) => valueOf(messages, field, text)
      return messages.nameValue(messages.t(label), `${value(before)} → ${value(after)}`)
    }),
  )

function valueOf({ t }: UsedMessages, field: string, value: string): string {
  if (value !== 'true' && value !== 'false') return value
  if (field === 'active')
    return t(value === 'true' ? 'consoleMembers.filter.active.yes' : 'consoleMembers.filter.active.no')
  return t(value === 'true' ? 'consoleMembers.change.yes' : 'consoleMembers.change.no')
}

/** Marks entries that need attention. */
const markOf = ({ kind, what, detail }: TimelineEntry): TimelineEvent['mark'] =>
  (kind === 'mail' && detail === 'failed') || what === 'refresh-token-reused' || what === 'disputed'
    ? 'waits'
    : undefined
