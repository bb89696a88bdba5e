import type { ComponentProps, ReactNode } from 'react'
import styles from './button.module.css'
import { Spinner } from './loading.tsx'

type Kind = 'primary' | 'quiet' | 'danger'

type ButtonProps = ComponentProps<'button'> & {
  kind?: Kind
  /** Whether the action is in progress. The button then shows the spinner and ignores clicks. */
  busy?: boolean
  /** The label while the button is busy. */
  busyLabel?: ReactNode
}

/** At most one primary button per screen; `danger` for actions that cannot be undone. `type` defaults to `button`. */
export function Button({
  kind = 'primary',
  busy = false,
  busyLabel,
  disabled,
  className,
  children,
  ...rest
}: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      className={buttonClass(kind, className)}
      disabled={disabled === true || busy}
      aria-busy={busy || undefined}
    >
      {busy && <Spinner />}
      <span>{busy ? (busyLabel ?? children) : children}</span>
    </button>
  )
}

/** A link styled as a button: links navigate, buttons act. */
export function ButtonLink({
  kind = 'primary',
  className,
  children,
  ...rest
}: ComponentProps<'a'> & { kind?: Kind }) {
  return (
    <a {...rest} className={buttonClass(kind, className)}>
      <span>{children}</span>
    </a>
  )
}

/** A button in a sentence or a row that looks like a link. */
export function TextButton({ className, ...rest }: ComponentProps<'button'>) {
  return (
    <button type="button" {...rest} className={className ? `${styles.text} ${className}` : styles.text} />
  )
}

const buttonClass = (kind: Kind, more: string | undefined) =>
  [styles.button, styles[kind], more].filter(Boolean).join(' ')
