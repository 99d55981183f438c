// The style sheet is shipped as it is written: it needs no build, and its custom properties stay readable.
import { copyFileSync } from 'node:fs'

copyFileSync(new URL('../src/styles.css', import.meta.url), new URL('../dist/styles.css', import.meta.url))
