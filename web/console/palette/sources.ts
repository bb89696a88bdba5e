import { listContentReleases } from '#contract/console-content.ts'
import { findContent } from '#contract/content-shapes.ts'
import { consoleOrders } from '#contract/console-orders.ts'
import { ambassadors } from '#contract/console-ambassador-profiles.ts'
import { ambassadorApplications } from '#contract/console-ambassadors.ts'
import { mails } from '#contract/console-mails.ts'
import { consoleMembers } from '#contract/console-members.ts'
import { auditLog } from '#contract/console-audit-log.ts'
import type { CallOf, Endpoint } from '#contract/endpoint.ts'
import type { Language } from '#contract/languages.ts'
import { listKycCases } from '#contract/kyc-review.ts'
import { listNewsroomPosts } from '#contract/newsroom.ts'
import type { AnyResource, RowOf } from '#contract/resource.ts'
import { newsroomAddress } from '../../announcements/newsroom/newsroom-address.ts'
import { call } from '../../call/call.ts'
import type { PlainKey } from '../../i18n/message-key.ts'
import type { UsedMessages } from '../../i18n/messages.tsx'
import { pathToCase, wholeQueue } from '../../kyc/review/review-address.ts'
import { pathTo } from '../../routes/routes.ts'
import { nameIn } from '../ambassador-profiles/standing-tag.tsx'
import { pathToItem } from '../content/item-address.ts'
import type { Need } from '../../routes/route.ts'

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

/** Searches a declared list by its palette filter, for readers who can open the list. */
function listed<R extends AnyResource>(
  resource: R,
  heading: PlainKey,
  hitOf: (row: RowOf<R>, language: Language) => Hit,
): Source {
  const { access, palette } = resource.declared
  if (access.who !== 'staff' || typeof palette !== 'string')
    throw new Error(`${resource.declared.name} is not searched`)
  return {
    heading,
    needs: access,
    resource,
    search: async (words, _, language) => {
      const query = { [palette]: words, limit }
      const rows = await call(resource.list, { query } as unknown as CallOf<Endpoint>)
      return (rows as RowOf<R>[]).map((row) => hitOf(row, language))
    },
  }
}

const mailSource = listed(mails, 'console.nav.mails', ({ id, to, title }) => ({
  key: id,
  title,
  detail: to,
  path: pathTo('console.mail', { id }),
}))

/**
 * Sources of the palette in addition to the screens. Each uses the list's own endpoint, with its rights and audit log
 * entry.
 */
export const sources: readonly Source[] = [
  listed(consoleMembers, 'console.nav.members', ({ id, email, name }) => ({
    key: id,
    title: name || email,
    ...(name && { detail: email }),
    path: pathTo('console.member', { id }),
  })),
  listed(ambassadorApplications, 'console.nav.ambassadors', ({ id, fullName, city, country }) => ({
    key: id,
    title: fullName,
    detail: `${city}, ${country}`,
    path: pathTo('console.ambassadorApplication', { id }),
  })),
  listed(ambassadors, 'console.nav.ambassadorProfiles', (row, language) => ({
    key: row.id,
    title: nameIn(row, language),
    ...(row.slug && { detail: row.slug }),
    path: pathTo('console.ambassadorProfile', { id: row.id }),
  })),
  {
    ...mailSource,
    // Emails can be searched only by recipient.
    search: async (words, ...others) => (words.includes('@') ? mailSource.search(words, ...others) : []),
  },
  {
    heading: 'console.nav.identity',
    needs: { level: 'finance', atLeast: 1 },
    search: async (q) =>
      (await call(listKycCases, { query: { q, limit } })).map(({ _id, firstName, lastName, email }) => ({
        key: _id,
        title: `${firstName} ${lastName}`.trim() || email,
        detail: email,
        path: pathToCase(_id, wholeQueue),
      })),
  },
  listed(consoleOrders, 'console.nav.orders', ({ id, reference, memberEmail }) => ({
    key: id,
    title: reference,
    detail: memberEmail,
    path: pathTo('console.order', { id }),
  })),
  {
    heading: 'console.nav.newsroom',
    needs: { level: 'news', atLeast: 1 },
    search: async (q) =>
      (await call(listNewsroomPosts, { query: { q, limit } })).map(({ _id, title }) => ({
        key: _id,
        title,
        path: newsroomAddress({ name: 'edit', id: _id }),
      })),
  },
  {
    heading: 'console.nav.content',
    needs: { level: 'news', atLeast: 1 },
    search: async (q) =>
      (await call(findContent, { query: { q } })).slice(0, limit).map(({ piece, place, text }) => ({
        key: `${piece} ${place}`,
        title: text,
        detail: place,
        path: pathToItem(piece, place),
      })),
  },
  {
    heading: 'console.nav.content',
    needs: { level: 'news', atLeast: 2 },
    // Requested only if the search words match its name.
    search: async (words, t) => {
      const title = t('console.palette.toConfirm')
      if (!title.toLowerCase().includes(words.toLowerCase())) return []
      const waiting = await call(listContentReleases, { query: { limit } })
      return waiting
        .filter(({ mayConfirm }) => mayConfirm)
        .map(({ id, by }) => ({
          key: id,
          title,
          ...(by && { detail: by.name }),
          path: `${pathTo('console.content')}#release-${id}`,
        }))
    },
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
