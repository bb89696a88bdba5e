import { useId, useState } from 'react'
import { discardAutosave, listAutosaves, type Autosave } from '#contract/newsroom.ts'
import { call } from '../../call/call.ts'
import { ConfirmDialog } from '../../forms/confirm-dialog.tsx'
import { htmlLanguage, languageName } from '../../i18n/language.ts'
import { useMessages } from '../../i18n/messages.tsx'
import { NotLoaded } from '../../actions/not-loaded.tsx'
import { useLoaded } from '../../actions/use-loaded.ts'
import { useSession } from '../../session/session.ts'
import { TextButton } from '../../ui/button.tsx'
import { Empty } from '../../ui/empty.tsx'
import { deleteTabCopy } from '../autosaves/tab-copy.ts'
import { newsroomAddress } from './newsroom-address.ts'
import { NewsroomHead } from './newsroom-head.tsx'
import styles from './newsroom.module.css'

/** The editor's unsaved texts, from any browser. */
export function AutosaveList() {
  const { t } = useMessages()
  const loaded = useLoaded('unfinished', () => call(listAutosaves, {}))
  return (
    <>
      <NewsroomHead current="unfinished" mayWrite />
      {loaded.state !== 'ready' && <NotLoaded of={loaded} title={t('newsroom.unfinished.loadFailed')} />}
      {loaded.state === 'ready' && loaded.data.length === 0 && (
        <Empty role="status" title={t('newsroom.empty.unfinished')} />
      )}
      {loaded.state === 'ready' && loaded.data.length > 0 && (
        <ul className={styles.posts} aria-label={t('newsroom.tab.unfinished')}>
          {loaded.data.map((autosave) => (
            <AutosaveRow
              key={autosave.id}
              autosave={autosave}
              onGone={() => loaded.setData(loaded.data.filter(({ id }) => id !== autosave.id))}
            />
          ))}
        </ul>
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

function AutosaveRow({ autosave, onGone }: { autosave: Autosave; onGone: () => void }) {
  const { t, formatDateTime } = useMessages()
  const titleId = useId()
  const { member } = useSession()
  const [isDialogOpen, setIsDialogOpen] = useState(false)
  const { id, postId, translationOf, language, savedAt } = autosave
  const postTitle = autosave.postTitle ?? ''
  const title = autosave.title.trim()
  const described = { 'aria-describedby': titleId }
  return (
    <li className={styles.post}>
      <div className={styles.what}>
        <h2 id={titleId} lang={title ? htmlLanguage[language] : undefined}>
          {title || t('newsroom.untitled')}
        </h2>
        <p className={styles.when}>
          <span>{languageName[language]}</span>
          <span>
            {postId
              ? t('newsroom.unfinished.changes', { title: postTitle })
              : translationOf
                ? t('newsroom.unfinished.translates', { title: postTitle })
                : t('newsroom.unfinished.isNew')}
          </span>
          <span>{t('newsroom.unfinished.kept', { time: formatDateTime(savedAt) })}</span>
        </p>
      </div>
      <p className={styles.actions}>
        <a href={formOf(autosave)} {...described}>
          {t('newsroom.unfinished.continue')}
        </a>
        <TextButton {...described} onClick={() => setIsDialogOpen(true)}>
          {t('newsroom.unfinished.discard')}
        </TextButton>
      </p>
      {isDialogOpen && (
        <ConfirmDialog
          title={t('newsroom.unfinished.discard.title')}
          label={t('newsroom.unfinished.discard')}
          kind="danger"
          step={() => call(discardAutosave, { params: { id } })}
          onDone={() => {
            if (member) deleteTabCopy(autosave, member.id)
            onGone()
          }}
          onClose={() => setIsDialogOpen(false)}
        >
          <p>{t('newsroom.unfinished.discard.text', { title: title || t('newsroom.untitled') })}</p>
        </ConfirmDialog>
      )}
    </li>
  )
}
