import { getAppRecord, appInput, updateAppRecord, type AppRecord } from '#contract/apps.ts'
import { appOfFlat, flattenApp } from '#contract/flat-app.ts'
import { levelOf } from '#contract/level-of.ts'
import { NotLoaded } from '../../actions/not-loaded.tsx'
import { useLoaded } from '../../actions/use-loaded.ts'
import { call } from '../../call/call.ts'
import { useMessages } from '../../i18n/messages.tsx'
import { showNotice } from '../../notices/notices.ts'
import { page } from '../../routes/page.ts'
import { pathTo } from '../../routes/routes.ts'
import { useSession, type Member } from '../../session/session.ts'
import { PageHead } from '../../ui/page-head.tsx'
import { RecordRows } from './record-rows.tsx'
import styles from './sale.module.css'
import { SettingField } from './setting-field.tsx'
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
      <section className={styles.part}>
        <h2>{t('consoleSale.app.names')}</h2>
        <div className={styles.fields}>
          <SettingField of={form} path="name" label={t('consoleSale.app.name')} schema={shape.name} />
          <SettingField
            of={form}
            path="fullName"
            label={t('consoleSale.app.fullName')}
            schema={shape.fullName}
            help={t('consoleSale.app.fullName.help')}
          />
          <SettingField
            of={form}
            path="contact"
            label={t('consoleSale.app.contact')}
            schema={shape.contact}
          />
        </div>
      </section>
      <RecordRows
        of={form}
        path="coins"
        heading={t('consoleSale.app.coins')}
        columns={[
          {
            name: 'symbol',
            label: t('consoleSale.app.symbol'),
            schema: shape.coins.def.element.shape.symbol,
          },
        ]}
        add={t('consoleSale.app.coins.add')}
      />
      <RecordRows
        of={form}
        path="docs"
        heading={t('consoleSale.app.docs')}
        columns={[
          { name: 'name', label: t('consoleSale.app.doc.name'), schema: shape.docs.def.element.shape.name },
          { name: 'type', label: t('consoleSale.app.doc.type'), schema: shape.docs.def.element.shape.type },
          { name: 'url', label: t('consoleSale.app.doc.url'), schema: shape.docs.def.element.shape.url },
        ]}
        add={t('consoleSale.app.docs.add')}
      />
    </SettingsForm>
  )
}

export default page({ View: AppRecordView })
