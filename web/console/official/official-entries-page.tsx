import { useState } from 'react'
import {
  addImpersonator,
  addOfficialEntry,
  changeOfficialEntry,
  type ChannelStatus,
  channelStatuses,
  entryInput,
  type EntryInput,
  type ListedChannel,
  listedChannels,
  listOfficialSources,
  updateImpersonator,
  withdrawImpersonator,
  withdrawOfficialEntry,
} from '#contract/publishing/console-official.ts'
import type { OutputOf } from '#contract/platform/endpoint.ts'
import { levelOf } from '#contract/people/level-of.ts'
import { channelKinds } from '#contract/publishing/official.ts'
import { NotLoaded } from '../../kernel/actions/not-loaded.tsx'
import { useLoaded } from '../../kernel/actions/use-loaded.ts'
import { call } from '../../kernel/call/call.ts'
import { ConfirmDialog } from '../../kernel/forms/confirm-dialog.tsx'
import { FormFrame } from '../../kernel/forms/form-frame.tsx'
import { FormInput, FormSelect, FormTextArea } from '../../kernel/forms/form-input.tsx'
import { useContractForm } from '../../kernel/forms/use-contract-form.ts'
import { useMessages, FormattedMessage } from '../../kernel/i18n/messages.tsx'
import { showNotice } from '../../kernel/notices/notices.ts'
import { channelName } from '../../official/sign-labels.ts'
import { page, type PageProps } from '../../kernel/routes/page.ts'
import { pathTo } from '../../kernel/routes/routes.ts'
import { useSession } from '../../kernel/session/session.ts'
import { Button, TextButton } from '../../kernel/ui/button.tsx'
import { Message } from '../../kernel/ui/form-status.tsx'
import { PageHead, PagePart } from '../../kernel/ui/page-head.tsx'
import { Tag } from '../../kernel/ui/tag.tsx'
import { ConsoleList } from '../list/console-list.tsx'
import type { ListSpec } from '../list/list-spec.ts'
import { ListTime } from '../list/list-time.tsx'
import styles from './official.module.css'

type Open = { standing: ChannelStatus; entry?: ListedChannel }

function OfficialEntriesView({ search }: PageProps<unknown>) {
  const { t } = useMessages()
  const { member } = useSession()
  const [open, setOpen] = useState<Open>()
  const [withdrawing, setWithdrawing] = useState<ListedChannel>()
  const [version, setVersion] = useState(0)
  const mayAct = (standing: ChannelStatus) =>
    member !== null && levelOf(member, standing === 'false' ? 'news' : 'coins') >= 2
  const finish = (notice: string) => {
    showNotice(notice)
    setVersion((last) => last + 1)
  }
  return (
    <>
      <Head mayAct={mayAct} onAdd={(standing) => setOpen({ standing })} />
      {open && (
        <EntryForm
          key={open.entry?.id ?? open.standing}
          {...open}
          onClose={() => setOpen(undefined)}
          onSaved={({ value }) => {
            setOpen(undefined)
            finish(t('consoleOfficial.saved', { value }))
          }}
        />
      )}
      <ConsoleList
        // A change reloads the list.
        key={version}
        spec={officialList}
        search={search}
        rowActions={(entry) =>
          !entry.withdrawnAt &&
          mayAct(entry.standing) && (
            <EntryActions entry={entry} onEdit={setOpen} onWithdraw={() => setWithdrawing(entry)} />
          )
        }
      />
      {withdrawing && (
        <WithdrawDialog entry={withdrawing} onDone={finish} onClose={() => setWithdrawing(undefined)} />
      )}
      <OfficialSources />
    </>
  )
}

type HeadProps = {
  mayAct: (standing: ChannelStatus) => boolean
  onAdd: (standing: ChannelStatus) => void
}

function Head({ mayAct, onAdd }: HeadProps) {
  const { t } = useMessages()
  return (
    <PageHead
      heading={t('consoleOfficial.heading')}
      lead={
        <FormattedMessage
          k="consoleOfficial.lead"
          tags={{ link: (words) => <a href={pathTo('official')}>{words}</a> }}
        />
      }
      action={
        <div className={styles.buttons}>
          {mayAct('false') && <Button onClick={() => onAdd('false')}>{t('consoleOfficial.addFalse')}</Button>}
          {mayAct('official') && (
            <Button kind="quiet" onClick={() => onAdd('official')}>
              {t('consoleOfficial.addOfficial')}
            </Button>
          )}
        </div>
      }
    />
  )
}

type ActionsProps = { entry: ListedChannel; onEdit: (open: Open) => void; onWithdraw: () => void }

function EntryActions({ entry, onEdit, onWithdraw }: ActionsProps) {
  const { t } = useMessages()
  const { value, standing } = entry
  return (
    <span className={styles.actions}>
      <TextButton
        aria-label={t('consoleOfficial.edit.named', { value })}
        onClick={() => onEdit({ standing, entry })}
      >
        {t('consoleOfficial.edit')}
      </TextButton>
      <TextButton aria-label={t('consoleOfficial.withdraw.named', { value })} onClick={onWithdraw}>
        {t('consoleOfficial.withdraw')}
      </TextButton>
    </span>
  )
}

type DialogProps = { entry: ListedChannel; onDone: (notice: string) => void; onClose: () => void }

function WithdrawDialog({ entry: { id, standing, value }, onDone, onClose }: DialogProps) {
  const { t } = useMessages()
  const endpoint = standing === 'false' ? withdrawImpersonator : withdrawOfficialEntry
  return (
    <ConfirmDialog
      title={t('consoleOfficial.withdraw.ask', { value })}
      label={t('consoleOfficial.withdraw.now')}
      kind="danger"
      step={() => call(endpoint, { params: { id }, body: null })}
      onDone={() => onDone(t('consoleOfficial.withdrawn', { value }))}
      onClose={onClose}
    >
      <p>{t(`consoleOfficial.withdraw.${standing}`)}</p>
    </ConfirmDialog>
  )
}

function Standing({ row }: { row: ListedChannel }) {
  const { t } = useMessages()
  return (
    <>
      <Tag colour={row.standing === 'official' ? 'verdigris' : 'red'}>
        {t(`consoleOfficial.${row.standing}`)}
      </Tag>
      {row.withdrawnAt && (
        <>
          {' '}
          <Tag colour="quiet">{t('consoleOfficial.state.withdrawn')}</Tag> <ListTime at={row.withdrawnAt} />
        </>
      )}
    </>
  )
}

function Kind({ row }: { row: ListedChannel }) {
  const { t } = useMessages()
  return t(`consoleOfficial.kind.${row.kind}`)
}

const officialList: ListSpec<typeof listedChannels> = {
  resource: listedChannels,
  route: 'console.official',
  caption: 'consoleOfficial.caption',
  nameOf: ({ value }) => value,
  none: { title: 'consoleOfficial.none', help: 'consoleOfficial.none.help' },
  columns: [
    // Never rendered as a link, because it may belong to an impostor.
    {
      name: 'value',
      heading: 'consoleOfficial.value',
      isWide: true,
      cell: ({ value }) => <code className={styles.value}>{value}</code>,
    },
    { name: 'standing', heading: 'consoleOfficial.standing', cell: (row) => <Standing row={row} /> },
    { name: 'kind', heading: 'consoleOfficial.kind', cell: (row) => <Kind row={row} /> },
    { name: 'note', heading: 'consoleOfficial.note', cell: ({ note }) => note },
    {
      name: 'evidence',
      heading: 'consoleOfficial.evidence',
      isExtra: true,
      cell: ({ evidence }) => evidence && <code className={styles.value}>{evidence}</code>,
    },
    {
      name: 'added',
      heading: 'consoleOfficial.added',
      sort: 'added',
      cell: ({ addedAt }) => <ListTime at={addedAt} />,
    },
    {
      name: 'by',
      heading: 'consoleOfficial.addedBy',
      isExtra: true,
      cell: ({ addedBy }) => addedBy?.name,
    },
  ],
  filters: {
    q: { label: 'consoleOfficial.search', kind: 'search' },
    standing: {
      label: 'consoleOfficial.standing',
      kind: 'choice',
      options: channelStatuses.map((value) => ({ value, label: `consoleOfficial.${value}` })),
    },
    kind: {
      label: 'consoleOfficial.kind',
      kind: 'choice',
      options: channelKinds.map((value) => ({ value, label: `consoleOfficial.kind.${value}` })),
    },
    state: {
      label: 'consoleOfficial.state',
      kind: 'choice',
      options: [
        { value: 'withdrawn', label: 'consoleOfficial.state.withdrawn' },
        { value: 'all', label: 'consoleOfficial.state.all' },
      ],
    },
  },
}

type Props = {
  standing: ChannelStatus
  /** The entry to edit. */
  entry?: ListedChannel | undefined
  onSaved: (entry: ListedChannel) => void
  onClose: () => void
}

const save = (standing: ChannelStatus, entry: ListedChannel | undefined, body: EntryInput) => {
  if (!entry) return call(standing === 'false' ? addImpersonator : addOfficialEntry, { body })
  const { id, lastUpdated } = entry
  return call(standing === 'false' ? updateImpersonator : changeOfficialEntry, {
    params: { id },
    body: { ...body, lastUpdated },
  })
}

const labels = {
  kind: 'consoleOfficial.kind',
  value: 'consoleOfficial.value',
  note: 'consoleOfficial.note',
  evidence: 'consoleOfficial.evidence',
} as const
const blank: EntryInput = { kind: 'domain', value: '', note: '', evidence: '' }
const given = ({ kind, value, note, evidence } = blank): EntryInput => ({ kind, value, note, evidence })

/** Adds or updates an entry. The server validates its kind and rejects duplicates. */
function EntryForm({ standing, entry, onSaved, onClose }: Props) {
  const { t } = useMessages()
  const form = useContractForm({
    schema: entryInput,
    labels,
    defaultValues: given(entry),
    submit: async (body) => onSaved(await save(standing, entry, body)),
  })
  const name = standing === 'official' ? 'Official' : 'False'
  const label = t(`consoleOfficial.add${name}`)
  return (
    <PagePart id="entry" heading={entry ? t(`consoleOfficial.edit${name}`) : label}>
      <div className={styles.form}>
        <FormFrame
          of={form}
          submitLabel={t('consoleOfficial.save')}
          busyLabel={t('consoleOfficial.saving')}
          label={label}
          beside={<TextButton onClick={onClose}>{t('forms.cancel')}</TextButton>}
          startAt="value"
          asksToLeave
        >
          {standing === 'official' && (
            <Message kind="note">
              <p>{t('consoleOfficial.form.official.warning')}</p>
            </Message>
          )}
          <FormSelect of={form} name="kind" help={t('consoleOfficial.form.kind.help')}>
            {channelKinds.map((kind) => (
              <option key={kind} value={kind}>
                {t(`consoleOfficial.kind.${kind}`)}
              </option>
            ))}
          </FormSelect>
          <FormInput of={form} name="value" autoComplete="off" help={t('consoleOfficial.form.value.help')} />
          <FormTextArea
            of={form}
            name="note"
            rows={2}
            help={t(`consoleOfficial.form.note.${standing}.help`)}
          />
          <FormInput
            of={form}
            name="evidence"
            autoComplete="off"
            help={t('consoleOfficial.form.evidence.help')}
          />
        </FormFrame>
      </div>
    </PagePart>
  )
}

/** Official items that are not entries in the console. */
function OfficialSources() {
  const { t } = useMessages()
  const loaded = useLoaded('sources', () => call(listOfficialSources, {}))
  return (
    <PagePart id="sources" heading={t('consoleOfficial.sources')} lead={t('consoleOfficial.sources.lead')}>
      {loaded.state !== 'ready' && <NotLoaded of={loaded} title={t('consoleOfficial.sources.failed')} />}
      {loaded.state === 'ready' && (
        <>
          <Sources entries={loaded.data.filter(({ role }) => role !== 'added' && role !== 'document')} />
          <details className={styles.documents}>
            <summary>{t('consoleOfficial.sources.documents')}</summary>
            <Sources entries={loaded.data.filter(({ role }) => role === 'document')} />
          </details>
        </>
      )}
    </PagePart>
  )
}

function Sources({ entries }: { entries: OutputOf<typeof listOfficialSources> }) {
  const { t } = useMessages()
  return (
    <ul className={styles.sources}>
      {entries.map(({ role, kind, name, value }) => (
        <li key={`${kind} ${name} ${value}`}>
          <span>
            {t(`consoleOfficial.role.${role}`)}
            {name && ` · ${channelName(t, name)}`}
          </span>
          {value === '' ? (
            <span>{t('consoleOfficial.sources.hidden')}</span>
          ) : (
            <code className={styles.value}>{value}</code>
          )}
        </li>
      ))}
    </ul>
  )
}

export default page({ View: OfficialEntriesView })
