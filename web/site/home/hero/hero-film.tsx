import { useRef, useState } from 'react'
import styles from './home-hero.module.css'
import { useFilmPermission } from './use-film-permission.ts'

/** Covers its poster and appears once it plays. It can be paused. */
export function HeroFilm({
  av1,
  mp4,
  playLabel,
  pauseLabel,
}: {
  av1: string
  mp4: string
  playLabel: string
  pauseLabel: string
}) {
  const isAllowed = useFilmPermission()
  const film = useRef<HTMLVideoElement>(null)
  const [state, setState] = useState<'waiting' | 'playing' | 'paused'>('waiting')
  if (!isAllowed) return null

  const toggle = () => {
    if (state === 'playing') film.current?.pause()
    else void film.current?.play()
  }
  return (
    <>
      <video
        ref={film}
        className={styles.film}
        data-shown={state !== 'waiting' || undefined}
        width="1920"
        height="1080"
        autoPlay
        muted
        loop
        playsInline
        disablePictureInPicture
        aria-hidden="true"
        tabIndex={-1}
        onPlaying={() => setState('playing')}
        onPause={() => setState('paused')}
      >
        <source src={av1} type='video/mp4; codecs="av01.0.08M.10"' />
        <source src={mp4} type="video/mp4" />
      </video>
      {state !== 'waiting' && (
        <button
          type="button"
          className={styles.toggle}
          aria-label={state === 'playing' ? pauseLabel : playLabel}
          onClick={toggle}
        >
          <svg width="16" height="16" viewBox="0 0 16 16" aria-hidden="true">
            <path d={state === 'playing' ? 'M5 2.5v11M11 2.5v11' : 'M4 2v12l9.5-6z'} />
          </svg>
        </button>
      )}
    </>
  )
}
