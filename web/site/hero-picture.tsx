import { heroFiles, narrowHero } from './hero-files.ts'

/** The first frame of the hero film, cropped for narrow and wide screens. Decorative. */
export function HeroPicture({
  film,
  className,
  isFirst = false,
}: {
  film: string
  className?: string | undefined
  isFirst?: boolean
}) {
  const { wide, narrow } = heroFiles(film)
  return (
    <picture>
      <source media={narrowHero} type="image/avif" srcSet={narrow.avif} />
      <source media={narrowHero} srcSet={narrow.jpeg} />
      <source type="image/avif" srcSet={wide.avif} />
      <img
        className={className}
        src={wide.jpeg}
        alt=""
        width="1920"
        height="1080"
        {...(isFirst ? { fetchPriority: 'high' } : { loading: 'lazy', decoding: 'async' })}
      />
    </picture>
  )
}
