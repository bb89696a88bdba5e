import type { CardPicture as Picture } from '#contract/publishing/announcements.ts'
import styles from './card-picture.module.css'

/**
 * The picture of a post, as a link in a frame with a fixed aspect ratio. The title links to the post, too, so the Tab key
 * skips this link, and screen readers announce it only if the picture has a description.
 */
export function CardPicture({
  picture,
  href,
  sizes,
  isEager = false,
}: {
  picture: Picture
  href: string
  /** The displayed width of the picture, as in the `sizes` attribute of `img`. */
  sizes: string
  /** Whether the picture is visible without scrolling. */
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
      // Set before `src`, because browsers start the download as soon as they know the address.
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
