import { Words } from '../../i18n/words.tsx'

/** In place of what adds a factor. */
export const MailboxFirst = () => (
  <p>
    <Words k="security.mailbox.first" tags={{ link: (words) => <a href="#mailbox">{words}</a> }} />
  </p>
)
