import { listContentReleases } from '#contract/console-content.ts'
import { findContent } from '#contract/content-shapes.ts'
import { listConsoleOrders } from '#contract/console-orders.ts'
import { listConsoleAmbassadors } from '#contract/console-ambassador-profiles.ts'
import { listAmbassadorApplications } from '#contract/console-ambassadors.ts'
import { listMails } from '#contract/console-mails.ts'
import { listConsoleMembers } from '#contract/console-members.ts'
import type { Language } from '#contract/languages.ts'
import { listKycCases } from '#contract/kyc-review.ts'
import { listNewsroomPosts } from '#contract/newsroom.ts'
import { newsroomAddress } from '../../announcements/newsroom/newsroom-address.ts'
import { call } from '../../call/call.ts'
import type { PlainKey } from '../../i18n/message-key.ts'
import type { UsedWords } from '../../i18n/words.tsx'
import { pathToCase, wholeQueue } from '../../kyc/review/review-address.ts'
import { pathTo } from '../../routes/routes.ts'
import { nameIn } from '../ambassador-profiles/name-in.ts'
import { pathToPiece } from '../content/piece-address.ts'
import type { Need } from '../../routes/route.ts'

/** One thing that can be opened. `detail` tells it from others of the same title. */
export type Hit = { key: string; title: string; detail?: string; path: string }

type Source = {
  heading: PlainKey
  needs: Need
  search: (words: string, t: UsedWords['t'], language: Language) => Promise<Hit[]>
}

/** What the audit log is narrowed by: an address, a reference or an id, which are one word with an @ or a digit. */
const isOfSubject = (words: string): boolean => /^\S*[@\d]\S*$/.test(words)

const limit = 5

/** What the palette searches besides the screens. Each call is the list's own, with its rights and its line in the record. */
export const sources: readonly Source[] = [
  {
    heading: 'console.nav.members',
    needs: { level: 'employee', atLeast: 1 },
    search: async (q) =>
      (await call(listConsoleMembers, { query: { q, limit } })).map(({ id, email, name }) => ({
        key: id,
        title: name || email,
        ...(name && { detail: email }),
        path: pathTo('console.member', { id }),
      })),
  },
  {
    heading: 'console.nav.ambassadors',
    needs: { level: 'employee', atLeast: 1 },
    search: async (q) =>
      (await call(listAmbassadorApplications, { query: { q, limit } })).map(
        ({ id, fullName, city, country }) => ({
          key: id,
          title: fullName,
          detail: `${city}, ${country}`,
          path: pathTo('console.ambassadorApplication', { id }),
        }),
      ),
  },
  {
    heading: 'console.nav.ambassadorProfiles',
    needs: { level: 'employee', atLeast: 1 },
    search: async (q, _, language) =>
      (await call(listConsoleAmbassadors, { query: { q, limit } })).map((row) => ({
        key: row.id,
        title: nameIn(row, language),
        ...(row.slug && { detail: row.slug }),
        path: pathTo('console.ambassadorProfile', { id: row.id }),
      })),
  },
  {
    heading: 'console.nav.mails',
    needs: { level: 'employee', atLeast: 1 },
    // Nothing else of a mail is searched than where it went.
    search: async (recipient) =>
      recipient.includes('@')
        ? (await call(listMails, { query: { recipient, limit } })).map(({ id, to, title }) => ({
            key: id,
            title,
            detail: to,
            path: pathTo('console.mail', { id }),
          }))
        : [],
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
  {
    heading: 'console.nav.orders',
    needs: { level: 'finance', atLeast: 1 },
    search: async (q) =>
      (await call(listConsoleOrders, { query: { q, limit } })).map(({ id, reference, memberEmail }) => ({
        key: id,
        title: reference,
        detail: memberEmail,
        path: pathTo('console.order', { id }),
      })),
  },
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
        path: pathToPiece(piece, place),
      })),
  },
  {
    heading: 'console.nav.content',
    needs: { level: 'news', atLeast: 2 },
    // Nothing is asked unless it is what they are called.
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
    // Nothing is asked: what is there is read, and recorded as read, once it is opened.
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
