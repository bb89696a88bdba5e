import './routes/site-pages.ts'
import { begin } from './begin.tsx'
import { Root } from './root.tsx'

void begin(Root)
