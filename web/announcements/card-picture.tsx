import type { CardPicture as Picture } from '#contract/publishing/announcements.ts'
import styles from './card-picture.module.css'

/**
 * The picture of a post as a link to it, in a frame of fixed proportions. The title is a link as well, so keyboards
 * skip this one, and screen readers find it only if the picture says something.
 */
export function CardPicture({
  picture,
  href,
  sizes,
  isEager = false,
}: {
  picture: Picture
  href: string
  /** How wide the picture is shown, as in `img`. */
  sizes: string
  /** Whether it is in the first screen. */
  isEager?: boolean
}) {
  return (
    <a className={styles.frame} href={href} tabIndex={-1} aria-hidden={picture.alt === '' || undefined}>
      <CardImage picture={picture} sizes={sizes} isEager={isEager} />
    </a>
  )
}

export function CardImage({
  picture: { src, srcset, width, height, alt },
  sizes,
  isEager = false,
}: {
  picture: Picture
  sizes: string
  isEager?: boolean
}) {
  return (
    <img
      className={styles.picture}
      // Before the address, so that no browser starts the download first.
      loading={isEager ? undefined : 'lazy'}
      decoding="async"
      sizes={srcset ? sizes : undefined}
      srcSet={srcset || undefined}
      src={src}
      width={width}
      height={height}
      alt={alt}
    />
  )
}

/** Returns the HTML without the picture that the card shows above it. */
export function withoutPicture(html: string, { origin, src }: Picture): string {
  if (origin !== 'text') return html
  const tag = new RegExp(`<img\\b[^<>]*\\ssrc="${src.replaceAll('.', String.raw`\.`)}"[^<>]*>`)
  return html.replace(tag, '')
}
