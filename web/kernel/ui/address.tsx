import { Fragment } from 'react'

/**
 * An email address that breaks only after the at sign and after dots, if there is room for its longest part. Other
 * text, such as a name, stays as it is.
 */
export function Address({ email }: { email: string }) {
  if (!email.includes('@')) return email
  return email.split(/(?<=[@.])/).map((part, index) => (
    // oxlint-disable-next-line react/no-array-index-key -- equal parts can repeat, and parts never move
    <Fragment key={index}>
      {index > 0 && <wbr />}
      {part}
    </Fragment>
  ))
}
