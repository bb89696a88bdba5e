import { fullName } from '#contract/people/full-name.ts'
import { listContentReleases } from '#contract/publishing/console-content.ts'
import { findContent } from '#contract/publishing/content-shapes.ts'
import { auditLog } from '#contract/console/console-audit-log.ts'
import type { CallOf, Endpoint } from '#contract/platform/endpoint.ts'
import type { Language } from '#contract/platform/languages.ts'
import { kycCases, listKycCases } from '#contract/people/kyc-review.ts'
import { listNewsroomPosts, newsroomPosts } from '#contract/publishing/newsroom.ts'
import { deliveries, listDeliveries } from '#contract/money/console-deliveries.ts'
import type { AnyResource } from '#contract/platform/resource.ts'
import { newsroomAddress } from '../newsroom/newsroom-address.ts'
import { call } from '../../kernel/call/call.ts'
import { loadMessages } from '../../kernel/content/load-messages.ts'
import type { PlainKey } from '../../kernel/i18n/message-key.ts'
import type { UsedMessages } from '../../kernel/i18n/messages.tsx'
import { staffName } from '../../kernel/i18n/staff-name.ts'
import { pathToCase } from '../../kyc/review/review-address.ts'
import { consoleRoutes } from '../../kernel/routes/console-routes.ts'
import { labelOf, pathTo } from '../../kernel/routes/routes.ts'
import type { Search } from '../../kernel/routes/staff-page.ts'
import { pathToItem } from '../content/item-address.ts'
import { itemName, loadItemNames } from '../content/item-labels.ts'
import type { Need } from '../../kernel/routes/route.ts'
import type { AnyRow } from '../list/list-spec.ts'
import { type SettingPlace, settingPlaces } from '../sale/setting-labels.ts'
import { addressOfAction } from '../use-asked-action.ts'
import { afterLabel, matchWords } from './match-words.ts'

/** One result. `detail` distinguishes results with the same title. */
export type Hit = { key: string; title: string; detail?: string; path: string }

type Source = {
  heading: PlainKey
  needs: Need
  /** The declared list that it searches. */
  resource?: AnyResource
  search: (words: string, t: UsedMessages['t'], language: Language) => Promise<Hit[]>
}

/** Subjects of the audit log are an email address, a reference, or an ID: one word with an @ or a digit. */
const isOfSubject = (words: string): boolean => /^\S*[@\d]\S*$/.test(words)

const limit = 5

type RecordPage = Extract<(typeof consoleRoutes)[number], { search: object }>

/**
 * Searches a declared list by its palette filter, for readers who can open the list. Words that begin with the label of
 * an action, such as `complete ABC-1A2B3`, find the records for this action.
 */
function sourceOf({ name, within, needs, words: files, resource, search }: RecordPage): Source {
  const { list, declared } = resource as AnyResource
  const { hit, similar, takes, actions } = search as unknown as Search<AnyRow>
  const listBy = (filter: string, words: string) =>
    call(list, { query: { [filter]: words, limit } } as unknown as CallOf<Endpoint>) as Promise<AnyRow[]>
  const find = async (words: string, language: Language): Promise<Hit[]> => {
    if (takes && !takes(words)) return []
    const exact = await listBy(declared.palette as string, words)
    const rows = exact.length === 0 && similar ? await listBy(similar, words) : exact
    return rows.map((row) => {
      const { title, detail } = hit(row, language)
      return { key: row.id, title, ...(detail && { detail }), path: pathTo(name, { id: row.id }) }
    })
  }
  return {
    heading: consoleRoutes.find((route) => route.name === within)!.title,
    needs,
    resource,
    search: async (words, _, language) => {
      if (!actions) return find(words, language)
      const messages = await loadMessages(language, files)
      const findFor = async (action: PlainKey): Promise<Hit[]> => {
        const label = messages[action] ?? action
        const wanted = afterLabel(words, label)
        if (!wanted) return []
        return (await find(wanted, language)).map((hit) => ({
          ...hit,
          key: `${action} ${hit.key}`,
          title: `${label.replace(/…$/, '')} ${hit.title}`,
          path: addressOfAction(hit.path, action),
        }))
      }
      return (await Promise.all([...actions.map(findFor), find(words, language)])).flat()
    },
  }
}

/**
 * Sources of the palette in addition to the screens. Each uses the list's own endpoint, with its rights and audit log
 * entry.
 */
export const sources: readonly Source[] = [
  ...consoleRoutes.flatMap((route) => ('search' in route ? [sourceOf(route)] : [])),
  {
    heading: 'console.nav.identity',
    needs: { level: 'finance', atLeast: 1 },
    resource: kycCases,
    search: async (q) =>
      (await call(listKycCases, { query: { q, limit } })).map(({ _id, firstName, lastName, email }) => ({
        key: _id,
        title: fullName(firstName, lastName) || email,
        detail: email,
        path: pathToCase(_id),
      })),
  },
  {
    heading: 'console.nav.newsroom',
    needs: { level: 'news', atLeast: 1 },
    resource: newsroomPosts,
    search: async (q) =>
      (await call(listNewsroomPosts, { query: { q, limit } })).map(({ _id, title }) => ({
        key: _id,
        title,
        path: newsroomAddress({ name: 'edit', id: _id }),
      })),
  },
  {
    heading: 'console.palette.settings',
    needs: { level: 'coins', atLeast: 1 },
    search: async (words, t, language) => {
      const messages = await loadMessages(language, ['console-sale'])
      const nameOf = ({ label }: SettingPlace): string => messages[label] ?? label
      return matchWords(settingPlaces, nameOf, words)
        .slice(0, limit)
        .map((place) => ({
          key: place.path,
          title: nameOf(place),
          detail: t(labelOf(place.page)),
          path: `${pathTo(place.page)}#${place.path}`,
        }))
    },
  },
  {
    heading: 'console.nav.content',
    needs: { level: 'news', atLeast: 1 },
    search: async (q, _, language) => {
      const hits = await call(findContent, { query: { q } })
      if (hits.length === 0) return []
      // The names of the items, which only the pages about content have.
      const [messages] = await Promise.all([loadMessages(language, ['console-content']), loadItemNames()])
      return hits.slice(0, limit).map(({ piece, place, text }) => ({
        key: `${piece} ${place}`,
        title: text,
        detail: itemName(piece, language, (key) => messages[key] ?? key),
        path: pathToItem(piece, place),
      }))
    },
  },
  {
    heading: 'console.nav.content',
    needs: { level: 'news', atLeast: 2 },
    // Requested only if the search words match its name.
    search: async (words, t, language) => {
      const title = t('console.palette.toConfirm')
      if (!title.toLowerCase().includes(words.toLowerCase())) return []
      const waiting = await call(listContentReleases, { query: { limit } })
      return waiting
        .filter(({ mayConfirm }) => mayConfirm)
        .map(({ id, by }) => ({
          key: id,
          title,
          ...(by && { detail: staffName(by.name, language) }),
          path: `${pathTo('console.content')}#release-${id}`,
        }))
    },
  },
  {
    heading: 'console.nav.deliveries',
    needs: { level: 'finance', atLeast: 1 },
    resource: deliveries,
    // A delivery has no page of its own; it is shown on that of its order.
    search: async (words) =>
      (await call(listDeliveries, { query: { q: words, limit } })).map(
        ({ id, reference, orderId, memberEmail }) => ({
          key: `delivery ${id}`,
          title: reference,
          detail: memberEmail,
          path: `${pathTo('console.order', { id: orderId })}#deliveries`,
        }),
      ),
  },
  {
    heading: 'console.nav.record',
    needs: { level: 'admin', atLeast: 1 },
    resource: auditLog,
    // Sends no request: the audit log is read, and the access recorded, when the result is opened.
    search: async (subject, t) =>
      isOfSubject(subject)
        ? [
            {
              key: 'record',
              title: t('console.palette.record', { words: subject }),
              path: `${pathTo('console.record')}?${new URLSearchParams({ subject })}`,
            },
          ]
        : [],
  },
]
