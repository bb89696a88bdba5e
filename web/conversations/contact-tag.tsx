import type { ReactNode } from 'react'
import type { MemberSubject } from '#contract/people/conversations.ts'
import { pathTo } from '../kernel/routes/routes.ts'

/** `here`: the conversation is on the page itself. */
type Place = 'here' | { about: Exclude<MemberSubject, 'account'>; of: string }

/** The `<link>` of a message that tells a member to contact the team: it leads to the conversation about the matter. */
export const contactTag = (place: Place) => ({
  link: (words: ReactNode) => (
    <a
      href={
        place === 'here'
          ? '#messages'
          : `${pathTo('account.messages')}?${new URLSearchParams(place).toString()}`
      }
    >
      {words}
    </a>
  ),
})
