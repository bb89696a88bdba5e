import { useEffect, useState } from 'react'
import { listNewsroomPosts } from '#contract/publishing/newsroom.ts'
import { failureMessage } from '../../kernel/actions/failure-message.ts'
import { boundsOf } from '../../kernel/forms/field-bounds.ts'
import { useMessages } from '../../kernel/i18n/messages.tsx'
import { Hidden } from '../../kernel/layout/hidden.tsx'
import { navigate } from '../../kernel/navigation/navigate.ts'
import { getRoute, labelOf, pathTo } from '../../kernel/routes/routes.ts'
import { useSession } from '../../kernel/session/session.ts'
import { ListBox, useListBox } from '../../kernel/ui/list-box.tsx'
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

export default function Search({ onLeave }: { onLeave: () => void }) {
  const { t } = useMessages()
  const [words, setWords] = useState('')
  const { groups, isSearching, error } = useHits(words)
  const { box, field, isOpen, mark } = useListBox({
    options: groups.flatMap(({ heading, hits }) => hits.map((hit) => ({ heading, ...hit }))),
    onChoose: ({ path }) => {
      onLeave()
      void navigate(path)
    },
  })
  return (
    <div className={styles.inner}>
      <input
        {...field}
        // The dialog was opened to type into the field.
        // oxlint-disable-next-line jsx-a11y/no-autofocus
        autoFocus
        // In a search field, the first Escape would only clear the field.
        type="text"
        enterKeyHint="go"
        className={styles.field}
        role="combobox"
        aria-label={t('console.palette.label')}
        aria-expanded={isOpen}
        aria-controls={box.id}
        placeholder={t('console.palette.placeholder')}
        maxLength={boundsOf(listNewsroomPosts.query.shape.q).maxLength}
        autoComplete="off"
        spellCheck={false}
        value={words}
        onChange={({ target }) => {
          setWords(target.value)
          mark(0)
        }}
      />
      <ListBox
        of={box}
        label={t('console.palette.found')}
        className={styles.list}
        keyOf={({ key }) => key}
        groupOf={({ heading }) => heading}
      >
        {({ title, detail }) => (
          <>
            <span>{title}</span>
            {detail && <span className={styles.detail}>{detail}</span>}
          </>
        )}
      </ListBox>
      <p className={styles.state} role="status">
        {error ?? <Found isSearching={isSearching} count={box.options.length} />}
      </p>
    </div>
  )
}

function Found({ isSearching, count }: { isSearching: boolean; count: number }) {
  const { t } = useMessages()
  if (isSearching) return t('console.palette.searching')
  if (count === 0) return t('console.palette.nothing')
  return <Hidden>{t('console.palette.count', { count })}</Hidden>
}
