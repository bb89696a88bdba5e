import type { ZodMiniType } from 'zod/mini'
import { getAppRecord, appInput, updateAppRecord, type AppRecord } from '#contract/people/apps.ts'
import { appOfFlat, flattenApp } from '#contract/people/flat-app.ts'
import { levelOf } from '#contract/people/level-of.ts'
import { NotLoaded } from '../../kernel/actions/not-loaded.tsx'
import { useLoaded } from '../../kernel/actions/use-loaded.ts'
import { call } from '../../kernel/call/call.ts'
import { boundsOf } from '../../kernel/forms/field-bounds.ts'
import { useMessages } from '../../kernel/i18n/messages.tsx'
import { showNotice } from '../../kernel/notices/notices.ts'
import { page } from '../../kernel/routes/page.ts'
import { pathTo } from '../../kernel/routes/routes.ts'
import { useSession, type Member } from '../../kernel/session/session.ts'
import { Button, TextButton } from '../../kernel/ui/button.tsx'
import { PageHead } from '../../kernel/ui/page-head.tsx'
import styles from './sale.module.css'
import { type FieldsOf, SettingField, SettingText } from './setting-field.tsx'
import { SettingsForm } from './settings-form.tsx'
import { useSettingsForm, type SavedSettings } from './use-settings-form.ts'

const savedOf = (record: AppRecord): SavedSettings => ({
  flat: flattenApp(record),
  lastUpdated: record.lastUpdated,
})

const shape = appInput.shape

/** The data of apps/findOne: names, coin symbols, and documents of the installation. */
function AppRecordView() {
  const { t } = useMessages()
  const { member } = useSession()
  const head = (
    <PageHead
      heading={t('console.nav.appRecord')}
      lead={t('consoleSale.app.lead')}
      action={<a href={`${pathTo('console.saleHistory')}?subject=app`}>{t('consoleSale.toHistory')}</a>}
    />
  )
  if (!member) return head
  return (
    <>
      {head}
      <Loaded member={member} />
    </>
  )
}

function Loaded({ member }: { member: Member }) {
  const { t } = useMessages()
  const loaded = useLoaded('application record', () => call(getAppRecord, {}))
  if (loaded.state !== 'ready') return <NotLoaded of={loaded} title={t('consoleSale.app.failed')} />
  const { data, setData, reload } = loaded
  return (
    <RecordForm
      key={data.lastUpdated}
      member={member}
      record={data}
      onSaved={(saved) => (saved ? setData(saved) : reload())}
    />
  )
}

function RecordForm({
  member,
  record,
  onSaved,
}: {
  member: Member
  record: AppRecord
  onSaved: (record: AppRecord | undefined) => void
}) {
  const { t } = useMessages()
  const form = useSettingsForm<AppRecord>({
    memberId: member.id,
    name: 'console application record',
    saved: savedOf(record),
    schema: appInput,
    bodyOf: appOfFlat,
    fieldOf: (path) => path,
    load: async () => savedOf(await call(getAppRecord, {})),
    send: (flat, lastUpdated) =>
      call(updateAppRecord, {
        body: { ...appOfFlat(flat), ...(lastUpdated !== null && { lastUpdated }) },
      }),
    onSaved: (answer) => {
      showNotice(t('consoleSale.saved'), 'success')
      onSaved(answer)
    },
  })
  return (
    <SettingsForm
      of={form}
      mayWrite={levelOf(member, 'coins') >= 2}
      note={!record.isEdited && <p>{t('consoleSale.app.fromContent')}</p>}
    >
      <Names of={form} />
      <Coins of={form} />
      <Documents of={form} />
    </SettingsForm>
  )
}

function Names({ of }: { of: FieldsOf }) {
  const { t } = useMessages()
  return (
    <section className={styles.part}>
      <h2>{t('consoleSale.app.names')}</h2>
      <div className={styles.fields}>
        <SettingField of={of} path="name" label={t('consoleSale.app.name')} schema={shape.name} />
        <SettingField
          of={of}
          path="fullName"
          label={t('consoleSale.app.fullName')}
          schema={shape.fullName}
          help={t('consoleSale.app.fullName.help')}
        />
        <SettingField of={of} path="contact" label={t('consoleSale.app.contact')} schema={shape.contact} />
      </div>
    </section>
  )
}

function Coins({ of }: { of: FieldsOf }) {
  const { t } = useMessages()
  const coin = shape.coins.def.element.shape
  return (
    <RecordRows
      of={of}
      path="coins"
      heading={t('consoleSale.app.coins')}
      columns={[{ name: 'symbol', label: t('consoleSale.app.symbol'), schema: coin.symbol }]}
      add={t('consoleSale.app.coins.add')}
    />
  )
}

function Documents({ of }: { of: FieldsOf }) {
  const { t } = useMessages()
  const document = shape.docs.def.element.shape
  return (
    <RecordRows
      of={of}
      path="docs"
      heading={t('consoleSale.app.docs')}
      columns={[
        { name: 'name', label: t('consoleSale.app.doc.name'), schema: document.name },
        { name: 'type', label: t('consoleSale.app.doc.type'), schema: document.type },
        { name: 'url', label: t('consoleSale.app.doc.url'), schema: document.url },
      ]}
      add={t('consoleSale.app.docs.add')}
    />
  )
}

type Column = { name: string; label: string; schema: ZodMiniType }

/**
 * A list in the app profile, edited row by row as one value. Rows with one column are stored as strings, others as
 * arrays.
 */
function RecordRows({
  of,
  path,
  heading,
  columns,
  add,
}: {
  of: FieldsOf
  path: 'coins' | 'docs'
  heading: string
  columns: readonly Column[]
  add: string
}) {
  const { t } = useMessages()
  const isPlain = columns.length === 1
  const kept = JSON.parse(of.flat[path] ?? '[]') as (string | string[])[]
  const rows = kept.map((row) => (typeof row === 'string' ? [row] : row))
  const write = (next: readonly (readonly string[])[]) =>
    of.set({ [path]: JSON.stringify(isPlain ? next.map(([only]) => only) : next) })
  return (
    <section className={styles.part} id={path} tabIndex={-1}>
      <h2>{heading}</h2>
      {rows.map((row, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- a row is identified by its position in the list
        <div key={index} className={styles.row} data-columns={columns.length}>
          {columns.map(({ name, label, schema }, column) => (
            <SettingText
              key={name}
              label={label}
              error={of.errors[`${path}.${index}.${name}`]}
              value={row[column] ?? ''}
              maxLength={boundsOf(schema).maxLength}
              autoComplete="off"
              onChange={(event) => write(rows.with(index, row.with(column, event.target.value)))}
            />
          ))}
          <TextButton
            aria-label={t('consoleSale.app.removeNamed', { name: row[0] ?? '' })}
            onClick={() => write(rows.toSpliced(index, 1))}
          >
            {t('consoleSale.method.remove')}
          </TextButton>
        </div>
      ))}
      {of.errors[path] && <p role="alert">{of.errors[path]}</p>}
      <div>
        <Button kind="quiet" onClick={() => write([...rows, columns.map(() => '')])}>
          {add}
        </Button>
      </div>
    </section>
  )
}

export default page({ View: AppRecordView })
