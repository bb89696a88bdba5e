import { useState } from 'react'
import { type Autosave, discardAutosave, listAutosaves } from '#contract/publishing/newsroom.ts'
import { DataTable } from '../list/data-table.tsx'
import type { ListColumn } from '../list/list-spec.ts'
import { ListTime } from '../list/list-time.tsx'
import { NotLoaded } from '../../kernel/actions/not-loaded.tsx'
import { useLoaded } from '../../kernel/actions/use-loaded.ts'
import { call } from '../../kernel/call/call.ts'
import { ConfirmDialog } from '../../kernel/forms/confirm-dialog.tsx'
import { languageLabel } from '../../kernel/i18n/language-label.ts'
import { htmlLanguage } from '../../kernel/i18n/language.ts'
import { useMessages } from '../../kernel/i18n/messages.tsx'
import { useSession } from '../../kernel/session/session.ts'
import { Empty } from '../../kernel/ui/empty.tsx'
import { RowMenu } from '../../kernel/ui/row-menu.tsx'
import { deleteTabCopy } from '../../announcements/autosaves/tab-copy.ts'
import { newsroomAddress } from './newsroom-address.ts'
import { NewsroomHead } from './newsroom-head.tsx'

/** The editor's unsaved texts, from any browser. */
export function AutosaveList() {
  const { t } = useMessages()
  const loaded = useLoaded('unfinished', () => call(listAutosaves, {}))
  const nameOf = ({ title }: Autosave) => title.trim() || t('newsroom.untitled')
  const columns: ListColumn<Autosave>[] = [
    {
      name: 'title',
      heading: 'newsroom.column.title',
      isWide: true,
      cell: (autosave) => (
        <a href={formOf(autosave)} lang={autosave.title.trim() ? htmlLanguage[autosave.language] : undefined}>
          {nameOf(autosave)}
        </a>
      ),
    },
    { name: 'about', heading: 'newsroom.column.about', isWide: true, cell: (autosave) => aboutOf(autosave) },
    {
      name: 'language',
      heading: 'newsroom.column.language',
      cell: ({ language }) => languageLabel(t, language),
    },
    {
      name: 'saved',
      heading: 'newsroom.column.saved',
      cell: ({ savedAt }) => <ListTime at={savedAt} />,
    },
  ]
  function aboutOf({ postId, translationOf, postTitle }: Autosave): string {
    const title = postTitle ?? ''
    if (postId) return t('newsroom.unfinished.changes', { title })
    return translationOf ? t('newsroom.unfinished.translates', { title }) : t('newsroom.unfinished.isNew')
  }
  return (
    <>
      <NewsroomHead current="unfinished" mayWrite />
      {loaded.state !== 'ready' && <NotLoaded of={loaded} title={t('newsroom.unfinished.loadFailed')} />}
      {loaded.state === 'ready' && loaded.data.length === 0 && (
        <Empty role="status" title={t('newsroom.empty.unfinished')} />
      )}
      {loaded.state === 'ready' && loaded.data.length > 0 && (
        <DataTable
          caption={t('newsroom.tab.unfinished')}
          columns={columns}
          rows={loaded.data}
          nameOf={nameOf}
          actions={(autosave) => (
            <AutosaveActions
              autosave={autosave}
              name={nameOf(autosave)}
              onGone={() => loaded.setData(loaded.data.filter(({ id }) => id !== autosave.id))}
            />
          )}
        />
      )}
    </>
  )
}

/** The address of the form that resumes it. */
function formOf({ id: copy, postId, translationOf }: Autosave): string {
  if (postId) return newsroomAddress({ name: 'edit', id: postId })
  if (translationOf) return newsroomAddress({ name: 'translate', id: translationOf, copy })
  return newsroomAddress({ name: 'new', copy })
}

type ActionsProps = { autosave: Autosave; name: string; onGone: () => void }

function AutosaveActions({ autosave, name, onGone }: ActionsProps) {
  const { t } = useMessages()
  const { member } = useSession()
  const [isDialogOpen, setIsDialogOpen] = useState(false)
  return (
    <>
      <RowMenu
        label={t('console.list.actionsFor', { name })}
        items={[
          { name: 'continue', label: t('newsroom.unfinished.continue'), href: formOf(autosave) },
          {
            name: 'discard',
            label: t('newsroom.unfinished.discard.ask'),
            isDangerous: true,
            onSelect: () => setIsDialogOpen(true),
          },
        ]}
      />
      {isDialogOpen && (
        <ConfirmDialog
          title={t('newsroom.unfinished.discard.title')}
          label={t('newsroom.unfinished.discard')}
          kind="danger"
          step={() => call(discardAutosave, { params: { id: autosave.id } })}
          onDone={() => {
            if (member) deleteTabCopy(autosave, member.id)
            onGone()
          }}
          onClose={() => setIsDialogOpen(false)}
        >
          <p>{t('newsroom.unfinished.discard.text', { title: name })}</p>
        </ConfirmDialog>
      )}
    </>
  )
}
