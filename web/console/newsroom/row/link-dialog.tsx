import { useId, useState } from 'react'
import { listNewsroomPosts, linkTranslations, type NewsroomPost } from '#contract/publishing/newsroom.ts'
import { pageSizeMax } from '#contract/platform/fields.ts'
import { useLoaded } from '../../../kernel/actions/use-loaded.ts'
import { boundsOf } from '../../../kernel/forms/field-bounds.ts'
import { call, callPage, CallFailed } from '../../../kernel/call/call.ts'
import { ConfirmDialog } from '../../../kernel/forms/confirm-dialog.tsx'
import { htmlLanguage } from '../../../kernel/i18n/language.ts'
import { useMessages } from '../../../kernel/i18n/messages.tsx'
import { showNotice } from '../../../kernel/notices/notices.ts'
import { NotLoaded } from '../../../kernel/actions/not-loaded.tsx'
import { FieldNotes } from '../../../kernel/ui/field.tsx'
import { SearchRow } from '../../../kernel/ui/search-row.tsx'
import { postStates } from '../status-labels.ts'
import styles from './link-dialog.module.css'

/** Makes a post the translation of one that has none yet in its language. */
export default function LinkDialog({
  post,
  onClose,
  onLinked,
}: {
  post: NewsroomPost
  onClose: () => void
  onLinked: (changed: NewsroomPost) => void
}) {
  const { t } = useMessages()
  const [q, setQ] = useState('')
  const [chosen, setChosen] = useState<NewsroomPost>()
  const [problem, setProblem] = useState<string>()
  function link() {
    setProblem(chosen ? undefined : t('newsroom.link.missing'))
    if (!chosen) return null
    return call(linkTranslations, { params: { id: post._id }, body: { translationOf: chosen._id } })
  }
  function choose(other: NewsroomPost) {
    setChosen(other)
    setProblem(undefined)
  }
  const { title, state, language } = post
  return (
    <ConfirmDialog
      title={t(language === 'en' ? 'newsroom.link.withChinese' : 'newsroom.link.withEnglish')}
      label={t('newsroom.link.submit')}
      step={link}
      onDone={(changed) => {
        onLinked(changed)
        showNotice(t('newsroom.link.done', { title, other: changed.sibling?.title ?? '' }), 'success')
      }}
      onFailure={(failure) => {
        const atChoice = failure instanceof CallFailed ? failure.errors[0]?.message : undefined
        setProblem(atChoice)
        return atChoice !== undefined
      }}
      onClose={onClose}
    >
      <p>{t('newsroom.link.lead', { title })}</p>
      <div className={styles.search}>
        <SearchRow
          label={t('newsroom.search')}
          submitLabel={t('news.search.submit')}
          lengthMax={boundsOf(listNewsroomPosts.query.shape.q).maxLength}
          onSearch={setQ}
        />
      </div>
      <Choices of={language} q={q} chosen={chosen} problem={problem} onChoose={choose} />
      <div className={styles.told} role="status">
        {chosen && (
          <>
            <p>{t('newsroom.link.text', { title, other: chosen.title })}</p>
            {state === 'published' && <p>{t('newsroom.link.signed')}</p>}
          </>
        )}
      </div>
    </ConfirmDialog>
  )
}

/** Posts of the other language without a translation into this one, last changed first. */
function Choices({
  of,
  q,
  chosen,
  problem,
  onChoose,
}: {
  of: NewsroomPost['language']
  q: string
  chosen: NewsroomPost | undefined
  problem: string | undefined
  onChoose: (post: NewsroomPost) => void
}) {
  const { t, formatDate } = useMessages()
  const id = useId()
  const query = { missing: of, limit: pageSizeMax, ...(q && { q }) }
  const posts = useLoaded(q, () => callPage(listNewsroomPosts, { query }))
  if (posts.state !== 'ready') return <NotLoaded of={posts} title={t('newsroom.loadFailed')} />
  return (
    <div>
      {posts.data.rows.length === 0 ? (
        <p role="status">{q ? t('newsroom.empty.search', { q }) : t('newsroom.link.nothing')}</p>
      ) : (
        <div
          className={styles.choices}
          role="radiogroup"
          aria-label={t('newsroom.link.choices')}
          aria-describedby={`${id}-error`}
        >
          {posts.data.rows.map((each) => (
            <label key={each._id} className={styles.choice}>
              <input
                type="radio"
                name={id}
                checked={each._id === chosen?._id}
                onChange={() => onChoose(each)}
              />
              <span>
                <span className={styles.name} lang={htmlLanguage[each.language]}>
                  {each.title}
                </span>{' '}
                <span className={styles.about}>
                  {t(postStates[each.state].words)} · {formatDate(each.changedAt)}
                </span>
              </span>
            </label>
          ))}
          {posts.data.next !== undefined && <p className={styles.about}>{t('newsroom.link.more')}</p>}
        </div>
      )}
      <FieldNotes id={id} error={problem} />
    </div>
  )
}
