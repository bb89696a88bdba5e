import type { ReactNode } from 'react'

export type DrawingProps = {
  /** Accessible name. Without one the drawing is decorative and hidden from screen readers. */
  title?: string | undefined
  className?: string | undefined
  /** Width and height in CSS pixels. Without it, the class determines the size. */
  size?: number | undefined
}

/** The square viewport of every brand drawing: `radius` units from the center to each edge. */
export function Drawing({
  title,
  className,
  size,
  radius,
  children,
}: DrawingProps & { radius: number; children: ReactNode }) {
  const naming = title ? { role: 'img' } : { 'aria-hidden': true }
  return (
    <svg
      className={className}
      width={size}
      height={size}
      viewBox={`${-radius} ${-radius} ${radius * 2} ${radius * 2}`}
      {...naming}
    >
      {title ? <title>{title}</title> : null}
      {children}
    </svg>
  )
}
