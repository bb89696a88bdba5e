import { useEffect, useState } from 'react'
import { useMessages } from '../../i18n/messages.tsx'
import { failureMessage } from '../../actions/failure-message.ts'
import { getRoute, labelOf, pathTo } from '../../routes/routes.ts'
import { useSession } from '../../session/session.ts'
import { screenGroups } from '../screen-groups.ts'
import { mayOpen } from '../can-access.ts'
import { sources, type Hit } from './sources.ts'

type HitGroup = { heading: string; hits: readonly Hit[] }
type Hits = { groups: readonly HitGroup[]; isSearching: boolean; error: string | undefined }

const patience = 180
const lengthMin = 2

/**
 * Returns the results for the search words: screens immediately, followed by results from the server for everything
 * that the levels allow.
 */
export function useHits(words: string): Hits {
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
  const screens = screenGroups
    .flatMap(({ entries }) => entries)
    .filter((name) => mayOpen(member, getRoute(name)))
    .map((name): Hit => ({ key: name, title: t(labelOf(name)), path: pathTo(name) }))
    .filter(({ title }) => title.toLowerCase().includes(wanted.toLowerCase()))
  return {
    groups: [
      ...(screens.length > 0 ? [{ heading: t('console.palette.screens'), hits: screens }] : []),
      ...(isWorthIt ? found.groups : []),
    ],
    isSearching: isWorthIt && !isKnown,
    error: isKnown && found.failure !== undefined ? failureMessage(t, found.failure) : undefined,
  }
}
