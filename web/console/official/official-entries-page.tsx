import { useState } from 'react'
import {
  withdrawImpersonator,
  withdrawOfficialEntry,
  type ListedChannel,
  type ChannelStatus,
} from '#contract/console-official.ts'
import { levelOf } from '#contract/level-of.ts'
import { call } from '../../call/call.ts'
import { ConfirmDialog } from '../../forms/confirm-dialog.tsx'
import { useMessages, FormattedMessage } from '../../i18n/messages.tsx'
import { showNotice } from '../../notices/notices.ts'
import { page, type PageProps } from '../../routes/page.ts'
import { pathTo } from '../../routes/routes.ts'
import { useSession } from '../../session/session.ts'
import { Button, TextButton } from '../../ui/button.tsx'
import { PageHead, PagePart } from '../../ui/page-head.tsx'
import { ConsoleList } from '../list/console-list.tsx'
import { EntryForm } from './entry-form.tsx'
import { officialList } from './official-list.tsx'
import { OfficialSources } from './official-sources.tsx'
import styles from './official.module.css'

type Open = { standing: ChannelStatus; entry?: ListedChannel | undefined; reload?: (() => void) | undefined }

function OfficialEntriesView({ search }: PageProps<unknown>) {
  const { t } = useMessages()
  const { member } = useSession()
  const [open, setOpen] = useState<Open>()
  const [openDialog, setOpenDialog] = useState<{ entry: ListedChannel; reload: () => void }>()
  const [version, setVersion] = useState(0)
  const mayAct = (standing: ChannelStatus) =>
    member !== null && levelOf(member, standing === 'false' ? 'news' : 'coins') >= 2
  return (
    <>
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
            {mayAct('false') && (
              <Button onClick={() => setOpen({ standing: 'false' })}>{t('consoleOfficial.addFalse')}</Button>
            )}
            {mayAct('official') && (
              <Button kind="quiet" onClick={() => setOpen({ standing: 'official' })}>
                {t('consoleOfficial.addOfficial')}
              </Button>
            )}
          </div>
        }
      />
      {open && (
        <PagePart id="entry" heading={headingOf(open, t)}>
          <div className={styles.form}>
            <EntryForm
              key={open.entry?.id ?? open.standing}
              {...open}
              onClose={() => setOpen(undefined)}
              onSaved={({ value }) => {
                showNotice(t('consoleOfficial.saved', { value }))
                setOpen(undefined)
                setVersion((last) => last + 1)
              }}
            />
          </div>
        </PagePart>
      )}
      <ConsoleList
        key={version}
        spec={officialList}
        search={search}
        rowActions={(entry, reload) =>
          !entry.withdrawnAt &&
          mayAct(entry.standing) && (
            <span className={styles.actions}>
              <TextButton
                aria-label={t('consoleOfficial.edit.named', { value: entry.value })}
                onClick={() => setOpen({ standing: entry.standing, entry })}
              >
                {t('consoleOfficial.edit')}
              </TextButton>
              <TextButton
                aria-label={t('consoleOfficial.withdraw.named', { value: entry.value })}
                onClick={() => setOpenDialog({ entry, reload })}
              >
                {t('consoleOfficial.withdraw')}
              </TextButton>
            </span>
          )
        }
      />
      {openDialog && (
        <ConfirmDialog
          title={t('consoleOfficial.withdraw.ask', { value: openDialog.entry.value })}
          label={t('consoleOfficial.withdraw')}
          kind="danger"
          step={() =>
            call(openDialog.entry.standing === 'false' ? withdrawImpersonator : withdrawOfficialEntry, {
              params: { id: openDialog.entry.id },
              body: null,
            })
          }
          onDone={({ value }) => {
            showNotice(t('consoleOfficial.withdrawn', { value }))
            openDialog.reload()
          }}
          onClose={() => setOpenDialog(undefined)}
        >
          <p>
            {t(
              openDialog.entry.standing === 'false'
                ? 'consoleOfficial.withdraw.false'
                : 'consoleOfficial.withdraw.official',
            )}
          </p>
        </ConfirmDialog>
      )}
      <OfficialSources />
    </>
  )
}

const headingOf = ({ standing, entry }: Open, t: ReturnType<typeof useMessages>['t']): string => {
  if (entry) return t(standing === 'false' ? 'consoleOfficial.editFalse' : 'consoleOfficial.editOfficial')
  return t(standing === 'false' ? 'consoleOfficial.addFalse' : 'consoleOfficial.addOfficial')
}

export default page({ View: OfficialEntriesView })
