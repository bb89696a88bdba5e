import { heroFiles, narrowHero } from './hero-files.ts'

const { wide, narrow } = heroFiles

/** The first frame of the hero film, cropped for narrow and for wide screens. Decoration. */
export function HeroPicture({
  className,
  isFirst = false,
}: {
  className?: string | undefined
  isFirst?: boolean
}) {
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
