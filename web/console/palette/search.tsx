import { useEffect, useId, useState, type KeyboardEvent } from 'react'
import { listNewsroomPosts } from '#contract/publishing/newsroom.ts'
import { failureMessage } from '../../kernel/actions/failure-message.ts'
import { boundsOf } from '../../kernel/forms/field-bounds.ts'
import { useMessages } from '../../kernel/i18n/messages.tsx'
import { Hidden } from '../../kernel/layout/hidden.tsx'
import { navigate } from '../../kernel/navigation/navigate.ts'
import { getRoute, labelOf, pathTo } from '../../kernel/routes/routes.ts'
import { useSession } from '../../kernel/session/session.ts'
import { mayOpen } from '../can-access.ts'
import { screenGroups } from '../screen-groups.ts'
import styles from './command-palette.module.css'
import { commands } from './commands.ts'
import { matchWords } from './match-words.ts'
import { type Hit, sources } from './sources.ts'

type HitGroup = { heading: string; hits: readonly Hit[] }
type Hits = { groups: readonly HitGroup[]; isSearching: boolean; error: string | undefined }

const patience = 180
const lengthMin = 2

/**
 * Returns the results for the search words: screens immediately, followed by results from the server for everything
 * that the levels allow.
 */
function useHits(words: string): Hits {
  const { t, language } = useMessages()
  const { member } = useSession()
  const wanted = words.trim()
  const [found, setFound] = useState<{ of: string; groups: HitGroup[]; failure?: unknown }>({
    of: '',
    groups: [],
  })
  const isWorthIt = wanted.length >= lengthMin
  useEffect(() => {
    if (!isWorthIt || !member) return undefined
    let isCurrent = true
    const timer = setTimeout(() => {
      const allowed = sources.filter(({ needs }) => mayOpen(member, { needs }))
      void Promise.allSettled(allowed.map(({ search }) => search(wanted, t, language))).then((answers) => {
        if (!isCurrent) return
        const groups = answers.flatMap((answer, at) =>
          answer.status === 'fulfilled' && answer.value.length > 0
            ? [{ heading: t(allowed[at]!.heading), hits: answer.value }]
            : [],
        )
        const failed = answers.find((answer) => answer.status === 'rejected')
        setFound({ of: wanted, groups, failure: failed?.reason })
      })
    }, patience)
    return () => {
      isCurrent = false
      clearTimeout(timer)
    }
  }, [wanted, isWorthIt, member, t, language])

  const isKnown = found.of === wanted
  const named = (items: readonly Hit[]) =>
    wanted === '' ? items : matchWords(items, ({ title }) => title, wanted)
  const actions = commands
    .filter((command) => mayOpen(member, command))
    .map(({ label, path }): Hit => ({ key: label, title: t(label), path }))
  const screens = screenGroups
    .flatMap(({ entries }) => entries)
    .filter((name) => mayOpen(member, getRoute(name)))
    .map((name): Hit => ({ key: name, title: t(labelOf(name)), path: pathTo(name) }))
  const groups = [
    { heading: t('console.palette.screens'), hits: named(screens) },
    { heading: t('console.palette.actions'), hits: named(actions) },
    ...(isWorthIt && isKnown ? found.groups : []),
  ]
  return {
    groups: groups.filter(({ hits }) => hits.length > 0),
    isSearching: isWorthIt && !isKnown,
    error: isKnown && found.failure !== undefined ? failureMessage(t, found.failure) : undefined,
  }
}

/**
 * A combobox with a list box (ARIA APG): the focus stays in the field, and the arrow keys move the selection in the
 * list.
 */
export default function Search({ onLeave }: { onLeave: () => void }) {
  const { t } = useMessages()
  const id = useId()
  const [words, setWords] = useState('')
  const [marked, setMarked] = useState(0)
  const { groups, isSearching, error } = useHits(words)
  const hits = groups.flatMap((group) => group.hits)
  const at = Math.min(marked, hits.length - 1)
  const optionId = (index: number) => `${id}-${index}`
  const go = (hit: Hit | undefined) => {
    if (!hit) return
    onLeave()
    void navigate(hit.path)
  }
  useEffect(() => {
    // Newer browsers return a promise, which React would treat as a cleanup function.
    document.getElementById(`${id}-${at}`)?.scrollIntoView({ block: 'nearest' })
  }, [id, at])
  return (
    <div className={styles.inner}>
      <Field
        words={words}
        onType={(typed) => {
          setWords(typed)
          setMarked(0)
        }}
        listId={`${id}-list`}
        markedId={hits.length > 0 ? optionId(at) : undefined}
        onStep={(by) => {
          if (hits.length > 0) setMarked((at + by + hits.length) % hits.length)
        }}
        onGo={() => go(hits[at])}
      />
      <div id={`${id}-list`} className={styles.list} role="listbox" aria-label={t('console.palette.found')}>
        {groups.map((group) => (
          <Group
            key={group.heading}
            group={group}
            hits={hits}
            at={at}
            optionId={optionId}
            onMark={setMarked}
            onGo={go}
          />
        ))}
      </div>
      <p className={styles.state} role="status">
        {error ?? <Found isSearching={isSearching} count={hits.length} />}
      </p>
    </div>
  )
}

function Field({
  words,
  onType,
  listId,
  markedId,
  onStep,
  onGo,
}: {
  words: string
  onType: (words: string) => void
  listId: string
  /** The selected option, if there are any. */
  markedId: string | undefined
  onStep: (by: 1 | -1) => void
  onGo: () => void
}) {
  const { t } = useMessages()
  const onKeyDown = (event: KeyboardEvent) => {
    // An input method uses the same keys to choose characters.
    if (event.nativeEvent.isComposing) return
    const action = { ArrowDown: () => onStep(1), ArrowUp: () => onStep(-1), Enter: onGo }[event.key]
    if (!action) return
    event.preventDefault()
    action()
  }
  return (
    <input
      // The dialog was opened to type into the field.
      // oxlint-disable-next-line jsx-a11y/no-autofocus
      autoFocus
      // In a search field, the first Escape would only clear the field.
      type="text"
      enterKeyHint="go"
      className={styles.field}
      role="combobox"
      aria-label={t('console.palette.label')}
      aria-expanded={markedId !== undefined}
      aria-controls={listId}
      aria-autocomplete="list"
      aria-activedescendant={markedId}
      placeholder={t('console.palette.placeholder')}
      maxLength={boundsOf(listNewsroomPosts.query.shape.q).maxLength}
      autoComplete="off"
      spellCheck={false}
      value={words}
      onChange={({ target }) => onType(target.value)}
      onKeyDown={onKeyDown}
    />
  )
}

function Group({
  group,
  hits,
  at,
  optionId,
  onMark,
  onGo,
}: {
  group: { heading: string; hits: readonly Hit[] }
  /** The hits of all groups. */
  hits: readonly Hit[]
  /** The selected hit. */
  at: number
  optionId: (index: number) => string
  onMark: (index: number) => void
  onGo: (hit: Hit) => void
}) {
  return (
    <div role="group" aria-label={group.heading}>
      <p className={styles.heading} aria-hidden="true">
        {group.heading}
      </p>
      {group.hits.map((hit) => {
        const own = hits.indexOf(hit)
        return (
          // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the field has the focus and handles the keys
          <div
            key={hit.key}
            id={optionId(own)}
            role="option"
            tabIndex={-1}
            aria-selected={own === at}
            className={styles.hit}
            onPointerMove={() => onMark(own)}
            onClick={() => onGo(hit)}
          >
            <span>{hit.title}</span>
            {hit.detail && <span className={styles.detail}>{hit.detail}</span>}
          </div>
        )
      })}
    </div>
  )
}

function Found({ isSearching, count }: { isSearching: boolean; count: number }) {
  const { t } = useMessages()
  if (isSearching) return t('console.palette.searching')
  if (count === 0) return t('console.palette.nothing')
  return <Hidden>{t('console.palette.count', { count })}</Hidden>
}
