import { useState, type ComponentProps, type ReactNode } from 'react'
import type { AnyResource } from '#contract/platform/resource.ts'
import { NotLoaded } from '../../kernel/actions/not-loaded.tsx'
import { useLoaded } from '../../kernel/actions/use-loaded.ts'
import { CallFailed } from '../../kernel/call/call.ts'
import type { PlainKey } from '../../kernel/i18n/message-key.ts'
import { formatMoment } from '../../kernel/i18n/format-moment.ts'
import { useMessages, type UsedMessages } from '../../kernel/i18n/messages.tsx'
import { showNotice } from '../../kernel/notices/notices.ts'
import { navigate } from '../../kernel/navigation/navigate.ts'
import { page, type Page, type PageProps } from '../../kernel/routes/page.ts'
import { getRoute, labelOf, pathTo, type RouteName } from '../../kernel/routes/routes.ts'
import { useSession, type Member } from '../../kernel/session/session.ts'
import { Empty } from '../../kernel/ui/empty.tsx'
import { PageHead, PagePart } from '../../kernel/ui/page-head.tsx'
import { mayOpen } from '../can-access.ts'
import { useRecordPlace } from '../list-place.ts'
import type { StateLines } from './conflict.tsx'
import { DetailActions, type ActionList } from './detail-actions.tsx'
import styles from './detail.module.css'
import { LabeledFacts, type LabeledValues } from './labeled-facts.tsx'
import { StaffNotes, type NotesSpec } from '../../kernel/staff-notes/staff-notes.tsx'
import { RecordLinks } from './record-links.tsx'
import { Timeline, type TimelineEvent } from './timeline.tsx'

/** How the console shows one record. Everything else about the page is the same for all records. */
export type DetailSpec<R> = {
  /** Its title is the heading until the record is loaded, and `within` is the list. */
  route: RouteName
  /** The text of the link to the list. By default, it is the title of the list. */
  back?: PlainKey
  failed?: PlainKey
  /** Shown if the record doesn't exist. If missing, the page shows what the server says. */
  gone?: PlainKey
  read: (id: string) => Promise<R>
  /** Whether the record contains texts in the reader's language. */
  isTranslated?: true
  /** By default, staff with Members level 2 can act. */
  mayAct?: (reader: Member, record: R) => boolean
  /** The record's name in the titles and texts of dialogs. */
  name?: (of: Pick<DetailContext<R>, 'record' | 'language'>) => string
  title: (of: DetailContext<R>) => ReactNode
  /** The status and other details that identify the record, below the title. */
  lead?: (of: DetailContext<R>) => ReactNode
  /** Actions next to the title. Other actions are in a section. */
  actions?: (of: DetailContext<R>) => ActionList<R>
  /** What staff should know before acting. */
  notices?: (of: DetailContext<R>) => ReactNode
  /** One or two columns of sections. */
  columns?: readonly ((of: DetailContext<R>) => readonly (DetailSection<R> | false | null | undefined)[])[]
  /** Shown below the columns. */
  below?: (of: DetailContext<R>) => ReactNode
  /**
   * If someone else acted first: the values to compare in the dialog, or the message with which the current record is
   * shown. If missing, the dialog shows the failure.
   */
  conflict?: PlainKey | ((record: R, messages: UsedMessages) => StateLines)
}

export type DetailSection<R> = { id: string; heading: PlainKey; lead?: PlainKey | undefined } & (
  | { body: ReactNode }
  | { facts: LabeledValues }
  | { events: readonly TimelineEvent[] }
  | { notes: NotesSpec<R> }
  /** `readOnly` is shown to staff who can't act. */
  | { actions: ActionList<R>; readOnly?: PlainKey }
)

/** What the functions of a declaration receive: the record, who reads it, and what the page can do. */
export type DetailContext<R> = UsedMessages & {
  record: R
  reader: Member
  mayAct: boolean
  name: string
  conflict: DetailSpec<R>['conflict']
  /** Reads the record without showing it. */
  read: () => Promise<R>
  /** Shows the record as an action left it. */
  show: (record: R) => void
  /** Reads and shows the record after an action. */
  reload: () => void
  /** Reads and shows the record, which may have changed by itself. */
  refresh: () => void
  /** How often an action reloaded the record. */
  changes: number
  /** Says that someone else acted first, and shows the current record. */
  onConflict: () => void
  /** Shows the list instead, because the record was deleted. */
  leave: () => void
  /** A time with its time zone. */
  moment: (at: string) => ReactNode
}

/** The page of one record in the console. */
export const detailPage = <R,>(spec: DetailSpec<R>): Page =>
  page({ View: ({ params: { id = '' } }: PageProps<unknown>) => <DetailView spec={spec} id={id} /> })

/** One record, for a page that also shows the list. */
export function DetailView<R>({ spec, id }: { spec: DetailSpec<R>; id: string }) {
  const { t, language } = useMessages()
  const { member } = useSession()
  if (!member) return <PageHead heading={t(labelOf(spec.route))} />
  return <Detail key={spec.isTranslated ? `${id} ${language}` : id} spec={spec} id={id} reader={member} />
}

function Detail<R>({ spec, id, reader }: { spec: DetailSpec<R>; id: string; reader: Member }) {
  const messages = useMessages()
  const { t, language } = messages
  const { route, conflict } = spec
  const read = () => spec.read(id)
  const loaded = useLoaded(id, read)
  const [changes, setChanges] = useState(0)
  const { within, resource } = getRoute(route) as { within?: RouteName; resource?: AnyResource }
  const place = useRecordPlace(
    reader.id,
    { resource, list: pathTo(within!), pathOf: (other) => pathTo(route, { id: other }) },
    id,
  )
  const links = <RecordLinks place={place} back={spec.back ?? labelOf(within!)} />
  if (loaded.state !== 'ready')
    return (
      <>
        {links}
        <PageHead heading={t(labelOf(route))} />
        <NotShown spec={spec} of={loaded} />
      </>
    )
  const { data: record, setData: show, reload: refresh } = loaded
  const context: DetailContext<R> = {
    ...messages,
    record,
    reader,
    mayAct: (spec.mayAct ?? isMemberDesk)(reader, record),
    name: spec.name?.({ record, language }) ?? '',
    conflict,
    read,
    show,
    refresh,
    reload: () => {
      setChanges((before) => before + 1)
      refresh()
    },
    changes,
    onConflict: () => {
      if (typeof conflict === 'string') showNotice(t(conflict))
      refresh()
    },
    leave: () => void navigate(place.list),
    moment: (at) => <time dateTime={at}>{formatMoment(at, language)}</time>,
  }
  return (
    <>
      {links}
      <LoadedDetail spec={spec} of={context} />
    </>
  )
}

const isMemberDesk = (reader: Member): boolean =>
  mayOpen(reader, { needs: { level: 'employee', atLeast: 2 } })

type NotShownProps<R> = { spec: DetailSpec<R>; of: ComponentProps<typeof NotLoaded>['of'] }

function NotShown<R>({ spec, of }: NotShownProps<R>) {
  const { t } = useMessages()
  const { failed = 'console.detail.failed', gone } = spec
  const isMissing =
    of.state === 'failed' && of.failure instanceof CallFailed && of.failure.code === 'not_found'
  if (!isMissing || !gone) return <NotLoaded of={of} title={t(failed)} />
  return <Empty role="status" title={t(gone)} />
}

function LoadedDetail<R>({ spec, of }: { spec: DetailSpec<R>; of: DetailContext<R> }) {
  const { title, lead, actions, notices, columns = [], below } = spec
  return (
    <>
      <PageHead
        heading={title(of)}
        lead={lead && <span className={styles.lead}>{lead(of)}</span>}
        action={of.mayAct && actions && <DetailActions of={of} {...actions(of)} />}
      />
      {notices?.(of)}
      <div className={columns.length > 1 ? styles.columns : undefined}>
        {columns.map((sections, index) => (
          <div key={index}>
            {sections(of).map((section) => section && <Section key={section.id} section={section} of={of} />)}
          </div>
        ))}
      </div>
      {below?.(of)}
    </>
  )
}

function Section<R>({ section, of }: { section: DetailSection<R>; of: DetailContext<R> }) {
  const { id, heading, lead } = section
  return (
    <PagePart id={id} heading={of.t(heading)} lead={lead && of.t(lead)}>
      <SectionBody section={section} of={of} />
    </PagePart>
  )
}

function SectionBody<R>({ section, of }: { section: DetailSection<R>; of: DetailContext<R> }): ReactNode {
  const { mayAct, show, t } = of
  if ('body' in section) return section.body
  if ('facts' in section) return <LabeledFacts facts={section.facts} />
  if ('events' in section) return <Timeline events={section.events} />
  if ('notes' in section)
    return <StaffNotes {...section.notes} mayAct={mayAct && !section.notes.isOwn} onChanged={show} />
  if (mayAct) return <DetailActions of={of} {...section.actions} />
  return section.readOnly && <p>{t(section.readOnly)}</p>
}
